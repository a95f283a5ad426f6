"""Where compiled kernels are kept, and when they are stale.

Numba's own cache looks at the file of a function only: an edit in another file leaves a stale kernel
that gives wrong balance numbers without a word. So the folder is named by a fingerprint of everything
that can change the machine code; an edit leads to another folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
MAKES_KERNELS = re.compile(
    r"^\s*@(?:kernel|inlined|typed|\w+\.rule|jit\.kernel)\b|\bcompiled\(", re.MULTILINE
)
IMPORTS = re.compile(
    r"^\s*(?:from|import)\s+(balance[\w.]*)(?:\s+import\s+(\([^)]*\)|[^\n]*))?", re.MULTILINE
)
FOLDER_FLAG = "NUMBA_CACHE_DIR"
KEPT_FOLDERS = 8
FOLDER_NAME = re.compile(r"[0-9a-f]{20}-[0-9a-f]{10}")


def compiled_sources(package: Path = PACKAGE) -> list[Path]:
    """Every source file that can end up in a kernel, sorted.

    Those are the files that make kernels, all files of ours that they import, directly or not (their
    constants and record types are compiled in), and installed games whole.
    """
    by_module = {module_name(path, package): path for path in package.rglob("*.py")}
    texts = {module: path.read_text(encoding="utf-8") for module, path in by_module.items()}
    wanted = [module for module, text in texts.items() if MAKES_KERNELS.search(text)]
    found: set[str] = set()
    while wanted:
        module = wanted.pop()
        if module not in found and module in by_module:
            found.add(module)
            wanted += [target for line in IMPORTS.findall(texts[module]) for target in imported(line)]
    sources = [by_module[module] for module in found]
    for root in installed_game_folders():
        sources += list(root.rglob("*.py"))
    return sorted(set(sources))


def module_name(path: Path, package: Path) -> str:
    """Dotted name of a source file of the package."""
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(line: tuple[str, str]) -> list[str]:
    """Modules that an import line may mean: ``from a.b import c`` can mean a.b or a.b.c."""
    module, names = line
    return [module] + [f"{module}.{name.strip()}" for name in names.strip("()").split(",") if name.strip()]


def installed_game_folders() -> list[Path]:
    """Folders of game packages that announce themselves by the entry point ``balance.games``."""
    folders = []
    for point in importlib.metadata.entry_points(group="balance.games"):
        spec = importlib.util.find_spec(point.module.split(".")[0])
        folders += [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    return folders


def source_hash(sources: Iterable[Path] | None = None) -> str:
    """Hash of all sources that can end up in a kernel (20 hex digits).

    The same on every machine, wherever the sources lie: manifests store it as the kernel's identity.
    """
    digest = hashlib.blake2b(digest_size=10)
    for path in compiled_sources() if sources is None else sources:
        digest.update(path.name.encode() + b"\0" + hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


def fingerprint(sources: Iterable[Path] | None = None, environ: Mapping[str, str] | None = None) -> str:
    """Hash of sources, interpreter, libraries, processor and all ``NUMBA_*`` flags (20 hex digits)."""
    flags = os.environ if environ is None else environ
    facts = [source_hash(sources), sys.version, platform.machine(), processor_name()]
    facts += [importlib.metadata.version(name) for name in ("numpy", "numba", "llvmlite")]
    named = [key for key in sorted(flags) if key.startswith("NUMBA_") and key != FOLDER_FLAG]
    facts += [f"{key}={flags[key]}" for key in named]
    return hashlib.blake2b("\0".join(facts).encode(), digest_size=10).hexdigest()


def place_mark() -> str:
    """Where the sources lie and when they were written (10 hex digits): Numba looks at both."""
    digest = hashlib.blake2b(str(PACKAGE).encode(), digest_size=5)
    for path in compiled_sources():
        digest.update(str(path.stat().st_mtime_ns).encode())
    return digest.hexdigest()


def processor_name() -> str:
    """Model name of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def cache_root() -> Path:
    """Parent of all cache folders: ``BALANCE_CACHE_DIR``, else the user's cache, else a temporary one."""
    named = os.environ.get("BALANCE_CACHE_DIR")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    base = Path(named) if named else home / "tabletop-balance"
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            return base
    except OSError:
        return private_folder()


def private_folder() -> Path:
    """A folder of ours alone in the temporary one: what is loaded from it runs, so nobody else may own it."""
    if not hasattr(os, "getuid"):
        return Path(tempfile.mkdtemp(prefix="tabletop-balance-"))
    folder = Path(tempfile.gettempdir()) / f"tabletop-balance-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    facts = folder.lstat()
    ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid() and not facts.st_mode & 0o022
    return folder if ours else Path(tempfile.mkdtemp(prefix="tabletop-balance-"))


@cache
def cache_folder() -> Path:
    """This process's cache folder; made, and older ones beyond the last few removed."""
    folder = cache_root() / f"{fingerprint()}-{place_mark()}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    prune(folder.parent, keep=KEPT_FOLDERS)
    return folder


def prune(root: Path, keep: int) -> None:
    """Remove all but the `keep` most recently used cache folders under `root`."""
    folders = [path for path in root.iterdir() if path.is_dir() and FOLDER_NAME.fullmatch(path.name)]
    folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for old in folders[keep:]:
        shutil.rmtree(old, ignore_errors=True)


def empty(folder: Path) -> None:
    """Delete what a cache folder holds (a truncated file heals this way)."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
