"""YAML in, plain data and the place of every value out.

Only the scalars of the YAML 1.2 core schema are resolved (section 10.3.2 of the specification), so that
``no``, ``on``, ``12:30``, ``1_000`` and dates stay the text that a person wrote and ``010`` is ten.
The nodes are built from the parser's events, with bounds on size, depth and alias expansion.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from balance.config.words import as_text, did_you_mean
from balance.errors import ConfigError, Problem

Path_ = tuple[str | int, ...]

LARGEST_FILE = 1_000_000  # bytes; a configuration is a few thousand
MOST_NODES = 50_000  # after aliases are expanded
DEEPEST = 40
LONGEST_NUMBER = 400  # characters

NULL = re.compile(r"null|Null|NULL|~|")
TRUE = re.compile(r"true|True|TRUE")
FALSE = re.compile(r"false|False|FALSE")
WHOLE = re.compile(r"[-+]?[0-9]+")
OCTAL = re.compile(r"0o[0-7]+")
HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
REAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
LONG_NUMBER = re.compile(rf"{OCTAL.pattern}|{HEXADECIMAL.pattern}|{REAL.pattern}")
INFINITE = re.compile(r"([-+]?)\.(inf|Inf|INF)")
NOT_A_NUMBER = re.compile(r"\.(nan|NaN|NAN)")

TAG = "tag:yaml.org,2002:"
STRING_TAGS = ("!", TAG + "str")
PLAIN_TAGS = tuple(TAG + word for word in ("null", "bool", "int", "float", "seq", "map"))


# Words of the parser that people meet most, in words that say what to do: sign, message, hint.
COMMON = (
    ("mapping values are not allowed", "a colon where none may stand", "put text with ': ' in it in quotes"),
    ("expected <block end>", "this line does not fit the lines above it", "check its indentation"),
    ("could not find expected ':'", "a key without a colon, or a text that should be in quotes", ""),
    ("end of stream", "the text ends inside quotes or brackets", "close them"),
    ("<stream end>", "the text ends inside quotes or brackets", "close them"),
    ("cannot start any token", "this character cannot begin a value", "put the value in quotes"),
)


@dataclass(frozen=True)
class Mark:
    """Where a value stands: its file (or the option that gave it), line and column, 1-based; 0 = unknown.

    `key_line` and `key_column` are those of the key before it; `block` says that a block text
    follows on the next lines.
    """

    file: str
    line: int
    column: int
    key_line: int = 0
    key_column: int = 0
    block: bool = False


@dataclass(frozen=True)
class Document:
    """Plain data with the place of every value.

    Attributes
    ----------
    name : str
        File name, or what stands for it in messages.
    data : object
        Dictionaries with text keys, lists, text, int, float, bool, None.
    marks : dict
        Path (tuple of keys and list positions) to :class:`Mark`; the root is ``()``.
    """

    name: str
    data: Any
    marks: dict[Path_, Mark] = field(default_factory=dict)

    def mark(self, path: Path_ | str) -> Mark:
        """The place of a value, or of the nearest known thing around it."""
        steps = split_path(path) if isinstance(path, str) else tuple(path)
        while steps and steps not in self.marks:
            steps = steps[:-1]
        return self.marks.get(steps, Mark(self.name, 0, 0))

    def problem(
        self, path: Path_ | str, message: str, hint: str = "", key: bool = False, row: int = -1
    ) -> Problem:
        """A fault at a value (with `key`: at its key; with `row`: at that row of a block text)."""
        mark = self.mark(path)
        line, column = (mark.key_line, mark.key_column) if key and mark.key_line else (mark.line, mark.column)
        if row >= 0 and mark.block:
            line, column = mark.line + 1 + row, 1
        return Problem(mark.file, line, column, join_path(path), message, hint)


@dataclass
class Node:
    """One YAML node: its value with child nodes in it, its place, and how many nodes it expands to."""

    value: Any
    line: int
    column: int
    size: int = 1
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    block: bool = False


def split_path(path: str) -> Path_:
    """``a.b.0`` as (``a``, ``b``, 0)."""
    return tuple(int(step) if step.isdigit() else step for step in path.split(".")) if path else ()


def join_path(path: Path_ | str) -> str:
    """(``a``, ``b``, 0) as ``a.b.0``."""
    return path if isinstance(path, str) else ".".join(str(step) for step in path)


def load_yaml(path: str | Path) -> Document:
    """Read one YAML file; ``-`` is standard input.

    Raises
    ------
    ConfigError
        No such file, a folder, no UTF-8, a syntax error, a repeated key, an empty file ...
    """
    return load_yaml_text(_read(Path(path)), str(path))


def load_yaml_text(text: str, name: str) -> Document:
    """Read YAML text; `name` stands for it in messages (``-`` for standard input)."""
    root = Builder(text, name).root()
    document = Document(name, _plain(root))
    _collect(document.marks, name, root, (), (0, 0))
    return document


def load_value(text: str, name: str) -> Any:
    """The value of a ``--set`` option: one YAML scalar or flow collection; empty text is null."""
    return _plain(Builder(text, name).root()) if text.strip() else None


def _read(path: Path) -> str:
    try:
        if str(path) == "-":
            raw = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with path.open("rb") as source:
                raw = source.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise _file_error(path, "no such file", _neighbours(path)) from None
    except IsADirectoryError:
        raise _file_error(path, "is a folder, not a file", "name a YAML file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _file_error(path, f"cannot be read: {reason.lower()}", "") from None
    if len(raw) > LARGEST_FILE:
        raise _file_error(path, f"is larger than {LARGEST_FILE // 1_000_000} MB: no configuration", "")
    return decode(raw, str(path))


def decode(raw: bytes, name: str) -> str:
    """Bytes of a file or of standard input as text; anything but UTF-8 is refused with its place."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        message = f"is not UTF-8 text (byte 0x{raw[error.start]:02x})"
        raise ConfigError(
            [Problem(name, line, column, "", message, "save the file with the encoding UTF-8")]
        ) from None


def _neighbours(path: Path) -> str:
    try:
        names = [other.name for other in path.parent.iterdir() if other.suffix in (".yaml", ".yml")]
    except OSError:
        return f"there is no folder {path.parent}"
    return did_you_mean(path.name, names)


def _file_error(path: Path, message: str, hint: str) -> ConfigError:
    return ConfigError([Problem(str(path), 0, 0, "", message, hint)])


def _plain(node: Node) -> Any:
    # Fresh containers for every use of an alias: an override of one must not change the other.
    if isinstance(node.value, dict):
        return {key: _plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [_plain(child) for child in node.value]
    return node.value


def _collect(marks: dict[Path_, Mark], name: str, node: Node, path: Path_, key: tuple[int, int]) -> None:
    marks[path] = Mark(name, node.line, node.column, *key, block=node.block)
    if isinstance(node.value, dict):
        for word, child in node.value.items():
            _collect(marks, name, child, (*path, word), node.keys[word])
    elif isinstance(node.value, list):
        for place, child in enumerate(node.value):
            _collect(marks, name, child, (*path, place), (0, 0))


class Builder:
    """Builds the node tree of one document from the parser's events."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.text = text
        self.events = self._events()
        self.anchors: dict[str, Node | None] = {}
        self.count = 0

    def root(self) -> Node:
        """The one document of the text; every fault is a :class:`ConfigError`."""
        event = next(self.events)
        while isinstance(event, yaml.StreamStartEvent):
            event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            raise self.error(1, 1, "is empty", "see `balance init` for files to start from")
        root = self.node(next(self.events), 0)
        next(self.events)  # end of the document
        after = next(self.events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise self.at(after, "a second document begins here", "one file holds one document: remove `---`")
        return root

    def _events(self) -> Iterator[yaml.Event]:
        try:
            yield from yaml.parse(self.text, Loader=yaml.SafeLoader)
        except yaml.reader.ReaderError as error:
            before = self.text[: error.position]
            line, column = before.count("\n") + 1, error.position - (before.rfind("\n") + 1) + 1
            message = f"the character U+{error.character:04X} is not allowed in YAML"
            raise self.error(line, column, message, "remove it or write it as an escape in quotes") from None
        except yaml.MarkedYAMLError as error:
            raise self.syntax(error) from None
        except RecursionError:
            raise self.error(1, 1, "is nested too deeply") from None

    def error(self, line: int, column: int, message: str, hint: str = "") -> ConfigError:
        """A fault at a place of this text."""
        return ConfigError([Problem(self.name, line, column, "", message, hint)])

    def at(self, event: yaml.Event, message: str, hint: str = "") -> ConfigError:
        """A fault at an event."""
        return self.error(*place_of(event), message, hint)

    def syntax(self, error: yaml.MarkedYAMLError) -> ConfigError:
        """A syntax error of the parser in plain words."""
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        lines = self.text.splitlines()
        row = lines[line - 1] if line <= len(lines) else ""
        if "\t" in row[: column + 1]:
            return self.error(line, row.index("\t") + 1, "a tab cannot indent YAML", "use blanks")
        words = str(error.problem or "is no YAML")
        for sign, message, hint in COMMON:
            if sign in words:
                return self.error(line, column, message, hint)
        began = f"line {error.context_mark.line + 1}" if error.context_mark else ""
        hint = f"{error.context}, which began in {began}" if began and error.context else ""
        return self.error(line, column, f"not valid YAML: {words}", hint)

    def node(self, event: yaml.Event, depth: int) -> Node:
        """The node that begins with `event`."""
        if depth > DEEPEST:
            raise self.at(event, f"nested more than {DEEPEST} levels deep")
        self.count += 1
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event)
        anchor = getattr(event, "anchor", None)
        if anchor:
            self.anchors[anchor] = None  # open: an alias to it from inside itself has no end
        if isinstance(event, yaml.MappingStartEvent):
            node = self.mapping(event, depth)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self.sequence(event, depth)
        else:
            assert isinstance(event, yaml.ScalarEvent)
            node = self.scalar(event)
        if anchor:
            self.anchors[anchor] = node
        if max(node.size, self.count) > MOST_NODES:
            raise self.at(
                event, f"holds more than {MOST_NODES} values (aliases count as often as they stand)"
            )
        return node

    def alias(self, event: yaml.AliasEvent) -> Node:
        """The node that an alias repeats."""
        if event.anchor not in self.anchors:
            hint = did_you_mean(event.anchor, list(self.anchors))
            raise self.at(event, f"the alias *{event.anchor} has no anchor &{event.anchor} before it", hint)
        node = self.anchors[event.anchor]
        if node is None:
            raise self.at(event, f"the alias *{event.anchor} stands inside its own anchor")
        return replace(node)

    def start(self, event: Any) -> Node:
        """An empty node at the place of `event`, whose tag must be known."""
        if event.tag and event.tag not in STRING_TAGS + PLAIN_TAGS:
            raise self.at(event, f"the tag {event.tag} is not understood", "write the plain value")
        return Node(None, *place_of(event))

    def sequence(self, event: yaml.SequenceStartEvent, depth: int) -> Node:
        """A list."""
        node = self.start(event)
        node.value = []
        while not isinstance(item := next(self.events), yaml.SequenceEndEvent):
            child = self.node(item, depth + 1)
            node.value.append(child)
            node.size += child.size
        return node

    def mapping(self, event: yaml.MappingStartEvent, depth: int) -> Node:
        """A mapping; a key may stand once."""
        node = self.start(event)
        node.value = {}
        while not isinstance(item := next(self.events), yaml.MappingEndEvent):
            key = self.key(item, node)
            node.keys[key] = place_of(item)
            child = self.node(next(self.events), depth + 1)
            node.value[key] = child
            node.size += child.size
        return node

    def key(self, event: yaml.Event, mapping: Node) -> str:
        """The text of a key."""
        if not isinstance(event, yaml.ScalarEvent):
            raise self.at(event, "a key must be plain text", "a list, mapping or alias cannot be a key")
        key = self.scalar(event).value
        if not isinstance(key, str):
            raise self.at(
                event, f"a key must be text, not {as_text(key)}", f"write '{event.value}' in quotes"
            )
        if key == "<<" and event.style is None:
            raise self.at(event, "merge keys (<<) are not part of YAML 1.2", "write the values out")
        if key in mapping.keys:
            first, line = mapping.keys[key][0], place_of(event)[0]
            where = f"lines {first} and {line}" if first != line else f"line {line}"
            raise self.at(event, f"the key '{key}' stands twice, in {where}", "remove one")
        return key

    def scalar(self, event: yaml.ScalarEvent) -> Node:
        """A scalar of the core schema."""
        node = self.start(event)
        node.block = event.style in ("|", ">")
        if event.style is not None or event.tag in STRING_TAGS:
            node.value = event.value
        elif len(event.value) > LONGEST_NUMBER and LONG_NUMBER.fullmatch(event.value):
            raise self.at(event, "this number is too long")
        else:
            node.value = resolve(event.value)
        return node


def place_of(event: yaml.Event) -> tuple[int, int]:
    """Line and column where an event begins, 1-based."""
    mark: Any = event.start_mark
    return mark.line + 1, mark.column + 1


def resolve(text: str) -> Any:
    """The value of a plain scalar by the core schema of YAML 1.2."""
    if NULL.fullmatch(text):
        return None
    if TRUE.fullmatch(text):
        return True
    if FALSE.fullmatch(text):
        return False
    if WHOLE.fullmatch(text):
        return int(text)
    if OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if HEXADECIMAL.fullmatch(text):
        return int(text[2:], 16)
    if REAL.fullmatch(text):
        return float(text)
    if match := INFINITE.fullmatch(text):
        return float(match[1] + "inf")
    return float("nan") if NOT_A_NUMBER.fullmatch(text) else text
