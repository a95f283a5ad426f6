"""Runs that end by themselves: rounds of games, sent to where the intervals asked for are widest.

After every round a look is taken: what each question's always-valid interval is, and which cells get how
many pairs next (:mod:`balance.stats.allocation`). A look depends on the rows alone, never on workers or the
clock, and is written to the manifest together with the pairs that it asks for: so an interrupted run goes on
as if nothing had happened, and plan and seed decide every row.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance.errors import UsageError
from balance.play import folder as folders
from balance.play import resume as resuming
from balance.play.cells import Cell, expand
from balance.play.chunk import part_pairs
from balance.play.describe import head
from balance.play.executors import Executor
from balance.play.run import Progress, RunResult, Silent, closed, loaded_kernel, play_parts, result
from balance.store import manifest as manifests
from balance.store.manifest import Manifest
from balance.store.read import Run
from balance.store.schema import Columns

if TYPE_CHECKING:
    from balance.config.until import Until
    from balance.play.plan import LoadedPlan
    from balance.stats.allocation import Question

MOST_PARTS = 100_000  # as for any run: the manifest lists them all
DIGITS = 12  # kept of every number that decides: the last ones may differ between processors
LOOKS = "looks"


def run(
    plan: LoadedPlan,
    folder: Path,
    executor: Executor,
    progress: Progress | None = None,
    *,
    kernel: Any = None,
    force: bool = False,
) -> RunResult:
    """Play a plan with ``until`` into a folder; as :func:`balance.play.run.run` in all else.

    Raises
    ------
    UsageError
        The first look alone needs more pairs than are allowed, or no number of pairs answers the question.
    """
    progress = progress or Silent()
    cells = first_cells(plan)
    with folders.opened(folder):
        finished = folders.occupant(folder, plan, force)
        if finished is not None:
            return result(finished, cells, 0.0, played=False)
        kernel = loaded_kernel(plan, kernel, progress)
        manifest = Manifest(folder, {**head(plan, cells), LOOKS: []})
        manifest.write()
        return Rounds(plan, cells, manifest, {}, executor, progress, kernel).play()


def resume(
    folder: Path,
    executor: Executor,
    progress: Progress | None = None,
    *,
    kernel: Any = None,
    restore: resuming.Restore | None = None,
) -> RunResult:
    """Go on with any run, as :func:`balance.play.resume.resume`, and with its further rounds."""
    manifest = manifests.load(folder)
    if LOOKS not in manifest.head or manifest.digest is not None:
        return resuming.resume(folder, executor, progress, kernel=kernel, restore=restore)
    progress = progress or Silent()
    with manifests.locked(folder):
        manifest = manifests.load(folder)
        plan, cells = resuming.restored(manifest, restore)
        resuming.refuse_other_kernel(manifest)
        folders.sweep(folder)
        resuming.drop_damaged(manifest, plan, cells, progress)
        folders.drop_reports(folder)
        kernel = loaded_kernel(plan, kernel, progress)
        boards = resuming.stored_boards(manifest)
        return Rounds(plan, cells, manifest, boards, executor, progress, kernel).play()


def first_cells(plan: LoadedPlan) -> tuple[Cell, ...]:
    """The cells with the pairs of the first look: whole parts, so that cells can grow.

    Raises
    ------
    UsageError
        They are more than the plan allows in all, or the most that it allows are too many parts.
    """
    until = _until(plan)
    cells = expand(plan)
    sizes = sizes_of(plan, cells)
    cells = tuple(
        replace(cell, pairs=-(-cell.pairs // sizes[cell.number]) * sizes[cell.number]) for cell in cells
    )
    first = sum(cell.pairs for cell in cells)
    if first > until.max_pairs:
        hint = f"set until.max_pairs to {first} or more, or play fewer pairs a cell, cells or levels"
        raise UsageError(
            f"the first look alone takes {first:,} pairs; until.max_pairs is {until.max_pairs:,}", hint
        )
    if until.max_pairs / min(sizes.values()) > MOST_PARTS:
        hint = "set a larger part_pairs, or a smaller until.max_pairs"
        raise UsageError(f"until.max_pairs may give more than {MOST_PARTS:,} parts, which are the most", hint)
    return cells


def sizes_of(plan: LoadedPlan, cells: Sequence[Cell]) -> dict[int, int]:
    """Pairs of a part by cell."""
    return {cell.number: part_pairs(cell.agents, plan.plan.part_pairs) for cell in cells}


def _until(plan: LoadedPlan) -> Until:
    until = plan.plan.until
    assert until is not None  # callers ask first
    return until


@dataclass
class Rounds:
    """A run at work; the fields are those of :func:`balance.play.run.play_parts`."""

    plan: LoadedPlan
    cells: tuple[Cell, ...]
    manifest: Manifest
    boards: dict[int, Columns]
    executor: Executor
    progress: Progress
    kernel: Any

    def play(self) -> RunResult:
        """Rounds and looks until the last."""
        started, looks = time.monotonic(), self.manifest.head[LOOKS]
        questions: dict[str, Question] = {}
        ends = [look["pairs"] for look in looks]
        for before, upto in zip([[0] * len(self.cells), *ends[:-1]], ends, strict=False):
            self.ask(questions, before, upto)
        while not (looks and looks[-1]["end"]):
            play_parts(
                self.plan, self.cells, self.manifest, self.boards, self.executor, self.progress, self.kernel
            )
            before = looks[-1]["pairs"] if looks else [0] * len(self.cells)
            self.ask(questions, before, [cell.pairs for cell in self.cells])
            self.look(list(questions.values()))
        return closed(self.manifest, self.cells, self.boards, time.monotonic() - started)

    def ask(self, questions: dict[str, Question], before: Sequence[int], upto: Sequence[int]) -> None:
        """Let the pairs from `before` to `upto` of every cell answer.

        Raises
        ------
        UsageError
            The plan cannot answer.
        """
        from balance.stats.allocation import Question
        from balance.stats.estimate import Refusal
        from balance.stats.questions import Answer, answers

        until = _until(self.plan)
        found = answers(round_sums(self.manifest, before, upto), str(until.metric))
        if isinstance(found, Refusal):
            if not questions:
                raise UsageError(found.reason, "ask for another metric: --set until.metric=seat")
            return  # one small round need not be enough where the first was
        pairs = {number: upto[number] - before[number] for number in range(len(upto))}
        for answer in found:
            rounded = {cell: _rounded(square) for cell, square in answer.spread.items()}
            question = questions.setdefault(answer.name, Question(answer.name, until.half_width))
            question.add(Answer(answer.name, _rounded(answer.value), rounded), pairs)

    def look(self, questions: Sequence[Question]) -> None:
        """Write down what is known, and plan the next round."""
        from balance.stats.allocation import next_round

        until, sizes = _until(self.plan), sizes_of(self.plan, self.cells)
        total = sum(cell.pairs for cell in self.cells)
        least = min(self.plan.plan.pairs, 50)
        more = next_round(questions, sizes, until.max_pairs - total, least)
        still = [question for question in questions if question.open()]
        end = "" if more else "max_pairs" if still else "narrow enough"
        looks = self.manifest.head[LOOKS]
        looks.append(look_facts(len(looks) + 1, self.cells, questions, end))
        self.cells = tuple(replace(cell, pairs=cell.pairs + more.get(cell.number, 0)) for cell in self.cells)
        for cell, fact in zip(self.cells, self.manifest.head["cells"], strict=True):
            fact["pairs"] = cell.pairs
        self.manifest.write()


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def round_sums(manifest: Manifest, before: Sequence[int], upto: Sequence[int]) -> Any:
    """Sums of the pairs from `before` to `upto` of every cell."""
    from balance.stats.design import read_design
    from balance.stats.scan import collect_run
    from balance.stats.sums import Columns as Wanted

    data = manifest.data()
    data["parts"] = [
        part for part in data["parts"] if before[part["cell"]] <= part["first_pair"] < upto[part["cell"]]
    ]
    return collect_run(Run(manifest.folder, data), read_design(data), Wanted(), [])


def look_facts(number: int, cells: Sequence[Cell], questions: Sequence[Question], end: str) -> dict[str, Any]:
    """A look as plain data: pairs by cell, every question's interval, why it was the last ("" when not)."""
    widest = max(questions, key=lambda question: question.half_width())
    return {
        "look": number,
        "total": sum(cell.pairs for cell in cells),
        "open": sum(question.open() for question in questions),
        "widest": widest.name,
        "half_width": _shown(widest.half_width()),
        "end": end,
        "pairs": [cell.pairs for cell in cells],
        "answers": [answer_facts(question) for question in questions],
    }


def answer_facts(question: Question) -> dict[str, Any]:
    """What a question's interval is at a look."""
    known = question.estimate()
    return {
        "question": question.name,
        "value": _shown(known.value),
        "half_width": _shown(question.half_width()),
    }


def _shown(value: float) -> float:
    return round(value, 6)


def outcome(manifest: Mapping[str, Any]) -> str:
    """One line on how a run came to its end; empty for runs with a fixed number of games."""
    looks = manifest.get(LOOKS)
    if not looks or not looks[-1]["end"]:
        return ""
    last, until = looks[-1], manifest["plan"]["plan"]["until"]
    metric, wanted = until["metric"].replace("_", " "), f"{100 * until['half_width']:g} pp"
    widest = f"{last['widest']} \u00b1 {100 * last['half_width']:.2f} pp"
    taken = f"{last['total']:,} pairs in {len(looks)} look{'s' if len(looks) > 1 else ''}"
    if last["end"] == "max_pairs":
        n = len(last["answers"])
        return (
            f"{metric}: {last['open']} of {n} still wider than \u00b1 {wanted} after {taken}; widest {widest}"
        )
    return f"{metric}: all {len(last['answers'])} within \u00b1 {wanted} after {taken}; widest {widest}"
