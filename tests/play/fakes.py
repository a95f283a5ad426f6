"""A plan, a kernel and an executor without rules, compiler or threads."""

from __future__ import annotations

import hashlib
import json
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from balance.config.agents import AgentSpec
from balance.games.game import ArenaInfo, Number, Ruleset
from balance.play.executors.serial import Serial
from balance.play.run import run
from balance.store.digest import _mix
from balance.store.schema import HERO_KEY, RESULT
from tests.play.fakegame import GAME
from tests.play.fakegame.layout import HERO_NAMES
from tests.play.fakegame.metrics import GAME as GAME_ROW
from tests.play.fakegame.metrics import NODE

TEAMS = {"wings": ("bee", "ant"), "paws": ("cat", "dog"), "mixed": ("ant", "dog")}


@dataclass(frozen=True)
class FakePlan:
    """What `play` uses of a LoadedPlan."""

    data: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = {
            "name": "fake",
            "mode": "duel",
            "arenas": ["hill", "dale"],
            "teams": None,
            "agents": ["random"],
            "pairs": 10,
            "part_pairs": 4,
            "seed": 1,
            "record": "basic",
            "rules": {},
        } | self.data
        object.__setattr__(self, "data", given)

    name = property(lambda self: self.data["name"])
    game = property(lambda self: GAME)
    mode = property(lambda self: GAME.mode(self.data["mode"]))
    rosters = property(lambda self: TEAMS)
    arenas = property(lambda self: tuple(self.data["arenas"]))

    @property
    def plan(self) -> Any:
        draft = (
            None
            if self.data["teams"]
            else SimpleNamespace(model_dump=lambda: {"format": "blind", "picker": "random"})
        )
        names = ("pairs", "seed", "part_pairs", "record")
        return SimpleNamespace(draft=draft, **{name: self.data[name] for name in names})

    @property
    def matchups(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(teams) for teams in self.data["teams"] or ())

    @property
    def levels(self) -> tuple[tuple[AgentSpec, ...], ...]:
        return tuple((AgentSpec(kind),) * self.mode.seats for kind in self.data["agents"])

    @property
    def ruleset(self) -> Ruleset:
        arenas = {name: ArenaInfo(name, name, ("..", ".."), "ours") for name in self.arenas}
        return Ruleset("fakegame", {}, arenas, {}, self.data["rules"], (Number("rules.luck", 1, "assumed"),))

    @property
    def config_hash(self) -> str:
        return hashlib.blake2b(json.dumps(self.data, sort_keys=True).encode(), digest_size=10).hexdigest()

    def resolved(self) -> dict[str, Any]:
        return self.data


@dataclass(frozen=True)
class Part:
    """As ``agents.playout.Part``."""

    stream_key: int
    first_pair: int
    pairs: int
    record: int
    full_every: int
    agents: tuple[AgentSpec, ...]
    defaults: Any = None


class FakeKernel:
    """Rows that are a function of the stream key, pair and seating alone, as a real kernel's must be."""

    Part = Part

    def __init__(self, seconds: float = 0.0, fail_after: int | None = None, on_part: Any = None) -> None:
        self.seconds, self.fail_after, self.on_part = seconds, fail_after, on_part
        self.played: list[tuple[int, int]] = []
        self.loaded = 0
        self.cold = True
        self.lock = threading.Lock()

    def load(self, game: Any) -> None:
        self.loaded += 1
        self.cold = False

    def is_cold(self, game: Any) -> bool:
        return self.cold

    def play_part(self, game: Any, mode: Any, tables: Any, setup: Any, part: Part) -> Any:
        with self.lock:
            self.played.append((part.stream_key, part.first_pair))
            if self.fail_after is not None and len(self.played) > self.fail_after:
                raise RuntimeError("the kernel broke")
        if self.on_part:
            self.on_part(len(self.played))
        time.sleep(self.seconds)
        results, words = _results(mode, setup, part)
        game_rows, node = None, None
        if part.record:
            game_rows = np.zeros(len(results), GAME_ROW)
            game_rows["vp"] = (words[:, None] >> np.arange(4, dtype=np.uint64)) % np.uint64(20)
            game_rows["drama"] = np.where(words % np.uint64(3) == 0, np.nan, (words % np.uint64(97)) / 97)
            node = np.zeros(4, NODE)
            node["visits"] = [int((words % np.uint64(5 + k)).sum()) for k in range(4)]
        return SimpleNamespace(
            results=results, game=game_rows, hero=_heroes(mode, words, part.record), node=node
        )


def _results(mode: Any, setup: Any, part: Part) -> tuple[np.ndarray, np.ndarray]:
    rosters = setup["rosters"] if isinstance(setup, dict) else None  # or the record of a real game
    mirror = rosters is not None and len(set(rosters)) == 1
    seatings = 1 if mirror else len(mode.seatings)
    rows = np.zeros(part.pairs * seatings, RESULT)
    rows["pair"] = np.repeat(np.arange(part.first_pair, part.first_pair + part.pairs), seatings)
    rows["seating"] = np.tile(np.arange(seatings), part.pairs)
    rows["weight"] = len(mode.seatings) // seatings
    words = _mix(
        _mix(rows["pair"].astype(np.uint64) ^ np.uint64(part.stream_key)) + rows["seating"].astype(np.uint64)
    )
    rows["stream"] = part.stream_key
    rows["winner"] = (words % np.uint64(mode.sides)).astype(int)
    rows["score"] = np.nan
    for seat in range(mode.seats):
        rows["score"][:, seat] = rows["winner"] == mode.side_of_seat[seat]
    rows["termination"], rows["turns"] = 1, (words % np.uint64(50)).astype(int)
    rows["plies"] = rows["turns"] * 2
    return rows, words


def _heroes(mode: Any, words: np.ndarray, record: int) -> np.ndarray:
    rows = np.zeros(
        len(words) * mode.seats,
        np.dtype([*HERO_KEY, ("chances", "i4"), ("pick", "i4")] + ([("steps", "i4")] if record else [])),
    )
    rows["row"] = np.repeat(np.arange(len(words)), mode.seats)
    rows["seat"] = rows["player"] = np.tile(np.arange(mode.seats), len(words))
    rows["hero"] = (words[rows["row"]] + rows["seat"].astype(np.uint64)) % np.uint64(len(HERO_NAMES))
    if record:
        rows["steps"] = words[rows["row"]] % np.uint64(7)
    return rows


class Shuffled:
    """An executor that does its work in any order, and hands results over in another."""

    def __init__(self, seed: int, workers: int = 3) -> None:
        self.workers, self.random = workers, random.Random(seed)

    def run(self, tasks: Any, function: Any, on_done: Any) -> None:
        tasks = list(tasks)
        self.random.shuffle(tasks)
        results = [function(task) for task in tasks]
        self.random.shuffle(results)
        for result in results:
            on_done(result)


class Recorder:
    """Progress that remembers what it was told."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *values: self.calls.append((name, *values))

    def notes(self) -> list[str]:
        return [call[1] for call in self.calls if call[0] == "note"]


def played(plan, folder, executor=None, **options):
    return run(plan, folder, executor or Serial(), kernel=options.pop("kernel", FakeKernel()), **options)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def damage_truncate(path):
    path.write_bytes(path.read_bytes()[:-7])


def damage_empty(path):
    path.write_bytes(b"")


def damage_remove(path):
    path.unlink()


def damage_flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def damage_magic(path):
    path.write_bytes(b"JUNK" + path.read_bytes()[4:])
