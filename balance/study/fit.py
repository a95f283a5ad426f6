"""Fitting the weights of an evaluation: rounds of self-play, a regression on its results, a test.

A round plays the agent, or a quicker one, against itself with the newest weights, keeps positions at turn
ends, and takes the weights under which the estimates of these positions agree best with how the games ended
(``stats.calibrate``). At last the new weights meet the old ones in mirrored pairs, on streams that no round
has used: what the fit promises about itself counts for nothing. Decision 0009 has what else was tried.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from balance.config.agents import AGENTS, WEIGHT, AgentSpec, with_defaults
from balance.config.words import did_you_mean
from balance.errors import UsageError
from balance.play.cells import Cell, expand
from balance.play.executors import Executor
from balance.play.ladder import arrangements, encounters
from balance.play.plan import LoadedPlan
from balance.play.run import Progress, Silent, loaded_kernel, stopping, until
from balance.play.worker import Worker
from balance.stats.calibrate import calibrate
from balance.stats.contests import Share, bounded
from balance.study.pair_scores import pair_scores

KEEP_EVERY = 3  # turn ends from one kept position to the next: neighbours say nearly the same
PART_PAIRS = 5  # pairs of a piece of work
DIGITS = 4  # of a weight: what is tested is what is written


@dataclass(frozen=True)
class Task:
    """What to fit, and how much to play for it.

    Attributes
    ----------
    plan : LoadedPlan
        Where the games are played: one skill level, the agent on all seats.
    names : tuple of str
        Weights that may change.
    rounds, pairs, test_pairs : int
        Rounds; pairs a cell in each of them, and in the test.
    players : tuple of AgentSpec
        Who plays the rounds, by player; the agent itself when it is empty.
    """

    plan: LoadedPlan
    names: tuple[str, ...]
    rounds: int
    pairs: int
    test_pairs: int
    players: tuple[AgentSpec, ...] = ()

    @property
    def agent(self) -> AgentSpec:
        """The agent."""
        return self.plan.levels[0][0]

    @property
    def old(self) -> dict[str, float]:
        """The weights that the agent has now, of those that may change."""
        return {name: self.whole[name] for name in self.names}

    @property
    def whole(self) -> dict[str, float]:
        """All weights that the agent has now: its own, else those of its kind, else the game's."""
        ruleset = self.plan.ruleset
        have = {**ruleset.weights, **with_defaults(self.agent, ruleset.agents)}
        return {name: float(have[name]) for name in ruleset.weights}


@dataclass(frozen=True)
class Round:
    """A finished round: weights it ended with, its games and positions, their cross-entropy in nats."""

    weights: Mapping[str, float]
    games: int
    positions: int
    before: float
    after: float


@dataclass
class Fit:
    """What came of it.

    Attributes
    ----------
    task : Task
    rounds : list of Round
        Those that were finished.
    share : Share or None
        Mirrored share of the new weights against the old ones on fresh streams; None when not tested.
    test_games : int
    signal : int
        What interrupted it; 0 for nothing.
    """

    task: Task
    rounds: list[Round] = field(default_factory=list)
    share: Share | None = None
    test_games: int = 0
    signal: int = 0

    @property
    def weights(self) -> Mapping[str, float]:
        """The newest weights."""
        return self.rounds[-1].weights if self.rounds else self.task.old

    @property
    def better(self) -> bool:
        """Whether the test has shown, at 95 %, that the new weights win more than half."""
        return self.share is not None and self.share.lower > 0.5

    @property
    def games(self) -> int:
        """Games of all rounds and the test."""
        return sum(one.games for one in self.rounds) + self.test_games


def task_of(
    plan: LoadedPlan,
    names: Sequence[str],
    rounds: int,
    pairs: int,
    test_pairs: int,
    played_by: LoadedPlan | None = None,
) -> Task:
    """A task, checked.

    Parameters
    ----------
    plan, names, rounds, pairs, test_pairs
        As of :class:`Task`; without names all weights may change.
    played_by : LoadedPlan, optional
        The same plan with the agent that plays the rounds.

    Raises
    ------
    UsageError
        The agent estimates nothing, the game has no weights, or none of a given name.
    """
    known, players = tuple(plan.ruleset.weights), played_by.levels[0] if played_by else ()
    for agent in (*plan.levels[0], *players):
        if AGENTS[agent.kind] is None:
            fits = ", ".join(kind for kind, number in AGENTS.items() if number)
            message = f"the agent {agent.kind} has no weights: it estimates nothing"
            raise UsageError(message, f"take one of {fits}")
    if not known:
        hint = "a game's agents.yaml and its tables name them"
        raise UsageError(f"{plan.game.slug} has no weights to fit", hint)
    for name in names:
        if name not in known:
            raise UsageError(f"{plan.game.slug} has no weight {name!r}", did_you_mean(name, known))
    if len(set(names)) < len(names):
        raise UsageError("a weight is named twice", f"named: {', '.join(names)}")
    return Task(plan, tuple(names) or known, rounds, pairs, test_pairs, players)


def with_weights(agent: AgentSpec, weights: Mapping[str, float]) -> AgentSpec:
    """The agent with other weights."""
    return replace(agent, settings=tuple(sorted({**dict(agent.settings), **weights}.items())))


def fit(
    task: Task,
    executor: Executor,
    progress: Progress | None = None,
    *,
    kernel: Any = None,
    estimates: Any = None,
) -> Fit:
    """Fit the weights, round by round, and test them.

    The outcome is a function of the task: the executor changes nothing but the time. A signal ends it
    after the games in hand; what is done by then is in the result.

    Parameters
    ----------
    task : Task
    executor : Executor
    progress : Progress, optional
    kernel, estimates : optional
        ``agents.playout`` and ``agents.estimates.estimates``, or fakes of them.
    """
    if estimates is None:
        from balance.agents.estimates import estimates
    progress, stop, found = progress or Silent(), threading.Event(), Fit(task)
    kernel = loaded_kernel(task.plan, kernel, progress)
    plans = [round_plan(task, number, task.old) for number in range(task.rounds)]
    progress.start(sum(plan.games for plan in [*plans, trial_plan(task, task.old)]), 0)
    with stopping(stop) as caught:
        try:
            for number in range(task.rounds):
                table = Table(round_plan(task, number, found.weights), kernel, stop, KEEP_EVERY)
                if not table.play(executor, progress):
                    break
                found.rounds.append(fitted(table, task, found.weights, estimates))
            else:
                trial(found, executor, progress, kernel, stop)
        except KeyboardInterrupt:  # the second signal
            stop.set()
        finally:
            progress.finish()
    found.signal = (caught[0] if caught else signal.SIGINT) if stop.is_set() else 0
    return found


def round_plan(task: Task, number: int, weights: Mapping[str, float]) -> LoadedPlan:
    """The games of a round, on streams of their own."""
    own = {**task.whole, **weights}
    level = tuple(with_weights(agent, own) for agent in task.players or task.plan.levels[0])
    return renewed(task, f"round {number}", (level,), task.plan.matchups, task.pairs)


def trial_plan(task: Task, weights: Mapping[str, float]) -> LoadedPlan:
    """The games between new and old weights, on streams that no round has."""
    new, old = with_weights(task.agent, weights), with_weights(task.agent, task.old)
    levels = tuple(encounters(task.plan.mode, new, old))
    return renewed(task, "test", levels, arrangements(task.plan.matchups, task.plan.mode), task.test_pairs)


def renewed(task: Task, purpose: str, levels: Any, matchups: Any, pairs: int) -> LoadedPlan:
    """The plan with other players and streams, recording nothing."""
    own = {"pairs": pairs, "record": "none", "seed": f"{task.plan.plan.seed} fit {purpose}"}
    return replace(task.plan, levels=levels, matchups=matchups, plan=task.plan.plan.model_copy(update=own))


class Table:
    """Plays the cells of a plan and holds what came of each piece of work, whoever did it and when.

    Parameters
    ----------
    plan : LoadedPlan
    kernel : Kernel
    stop : threading.Event
    keep_every : int
        See ``agents.playout.Part``.
    """

    def __init__(self, plan: LoadedPlan, kernel: Any, stop: threading.Event, keep_every: int = 0) -> None:
        self.plan, self.kernel, self.stop, self.keep_every = plan, kernel, stop, keep_every
        self.cells = expand(plan)
        self.worker = Worker(plan, self.cells, kernel)
        self.rows: dict[tuple[int, int], Any] = {}

    def pieces(self) -> Iterator[tuple[Cell, int]]:
        """Cell and first pair of every piece, in order."""
        for cell in self.cells:
            for first in range(0, cell.pairs, PART_PAIRS):
                yield cell, first

    def play(self, executor: Executor, progress: Progress) -> bool:
        """Play everything; False when it was stopped before the end."""

        def keep(done: tuple[Cell, int, Any]) -> None:
            cell, first, rows = done
            self.rows[cell.number, first] = rows
            progress.advance(int(rows.results["weight"].sum()))

        pieces = list(self.pieces())
        executor.run(until(self.stop, pieces), self.one, keep)  # type: ignore[arg-type]
        return len(self.rows) == len(pieces)

    def one(self, piece: tuple[Cell, int]) -> tuple[Cell, int, Any]:
        """One piece of work."""
        cell, first = piece
        tables, setup = self.worker.records(cell)
        part = self.kernel.Part(
            stream_key=cell.stream_key,
            first_pair=first,
            pairs=min(PART_PAIRS, cell.pairs - first),
            record=0,
            full_every=1,
            agents=cell.agents,
            defaults=self.plan.ruleset.agents,
            keep_every=self.keep_every,
        )
        return cell, first, self.kernel.play_part(self.plan.game, self.plan.mode, tables, setup, part)

    def in_order(self) -> Iterator[tuple[Cell, Any]]:
        """Cells and rows of all pieces, in the order of :meth:`pieces`."""
        for cell, first in self.pieces():
            yield cell, self.rows[cell.number, first]

    @property
    def games(self) -> int:
        """Games played; mirror matches by weight."""
        return sum(int(rows.results["weight"].sum()) for rows in self.rows.values())


def fitted(table: Table, task: Task, start: Mapping[str, float], estimates: Any) -> Round:
    """The weights that suit the results of a round."""
    mode, names, stacks = task.plan.mode, task.names, by_arena(table)
    seat_of_side = [mode.side_of_seat.index(side) for side in range(mode.sides)]
    results = np.concatenate([scores[:, seat_of_side].ravel() for _, scores in stacks.values()])

    def under(weights: np.ndarray) -> np.ndarray:
        found = [
            estimates(task.plan.game, outlook(table, arena, start, task), states, names, weights, mode.sides)
            for arena, (states, _) in stacks.items()
        ]
        return np.concatenate([one.reshape(len(weights), -1) for one in found], axis=1)

    done = calibrate(under, results, np.array([start[name] for name in names]))
    weights = {name: rounded(value) for name, value in zip(names, done.weights, strict=True)}
    return Round(weights, table.games, len(results) // mode.sides, done.before, done.loss)


def outlook(table: Table, arena: str, weights: Mapping[str, float], task: Task) -> Any:
    """Tables of an arena as the agent reads them: also weights that stay are the agent's own."""
    tables = table.worker.tables[arena].copy()
    for name, value in {**task.whole, **weights}.items():
        tables["weights"][name] = value
    return tables


def by_arena(table: Table) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Kept positions and the scores per seat that their games ended with, by arena."""
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for cell, rows in table.in_order():
        scores = np.asarray(rows.results["score"])[rows.owners]
        found.setdefault(cell.arena, []).append((rows.states, scores))
    return {
        arena: (np.concatenate([one for one, _ in pieces]), np.concatenate([one for _, one in pieces]))
        for arena, pieces in found.items()
    }


def rounded(value: float) -> float:
    """A weight with :data:`DIGITS` digits, inside what a weight can be."""
    return float(f"{min(max(value, WEIGHT.low), WEIGHT.high):.{DIGITS}g}") + 0.0


def trial(found: Fit, executor: Executor, progress: Progress, kernel: Any, stop: threading.Event) -> None:
    """Let the newest weights meet the old ones."""
    table = Table(trial_plan(found.task, found.weights), kernel, stop)
    if table.play(executor, progress):
        found.share, found.test_games = share(table), table.games


def share(table: Table) -> Share:
    """The share of the first of two agents, over pairs in their cells."""
    mode = table.plan.mode
    shape = {"seats": mode.seats, "seatings": mode.seatings}
    mates = [mode.side_of_seat.count(side) for side in mode.side_of_seat]
    new = table.plan.levels[0][0]
    values: dict[tuple[Any, ...], list[float]] = {}
    for cell, rows in table.in_order():
        results = rows.results
        score = np.asarray(results["score"])[:, : mode.seats]
        pairs, scores = pair_scores(results["pair"], results["seating"], score, shape)
        own = scores @ np.array([(agent == new) / n for agent, n in zip(cell.agents, mates, strict=True)])
        for pair, value in zip(pairs.tolist(), own.tolist(), strict=True):
            values.setdefault((cell.arena, cell.rosters, pair), []).append(value)
    strata = {place: number for number, place in enumerate(dict.fromkeys(key[:2] for key in values))}
    means = np.array([float(np.mean(both)) for both in values.values()])
    return bounded(means, np.array([strata[key[:2]] for key in values]))
