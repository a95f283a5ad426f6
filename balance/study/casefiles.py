"""Case files: positions with a question and the expected answer, the regression tests of a rulebook.

A file is a YAML list of ``{id, rulings, note, position, ask, action, expect}``; `ask` is ``legal``,
``after``, ``outcomes`` or ``turn_ends``; ``expect: {error: true}`` means that the position or the action
must be refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from balance.config.words import as_text, did_you_mean
from balance.config.yaml_lines import Document, load_yaml
from balance.errors import ConfigError, Problem, RuleError, UsageError
from balance.games import get_game
from balance.games.game import Game
from balance.games.position import DocumentError, Position
from balance.study import oracle

KEYS = ("id", "rulings", "note", "position", "ask", "action", "expect")
ASKS = ("legal", "after", "outcomes", "turn_ends")
NEEDS_ACTION = ("after", "outcomes")
#: A true case of outcomes fails by chance with at most this probability, over all its outcomes together.
FALSE_ALARM = 0.001
EXACT = 1e-12  # by which exact probabilities may differ, as those of a file are floats

SHARE = re.compile(r"[0-9.]{1,40}(/[0-9]{1,40})?")  # a number or a fraction in text

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Case:
    """One case: where it stands, what is asked, and what must come out.

    Attributes
    ----------
    file : str
    line : int
    name : str
        Its id.
    ask : str
    position : object
        The position document.
    actions : tuple of str
        Played one after another.
    expect : object
        None when an error is expected; a sorted list of texts, one text, or for outcomes a mapping of
        text to (probability, tolerance).
    document : Document
        The file with the place of every value; not part of what is compared.
    place : int
        The case's number in it, from 0.
    """

    file: str
    line: int
    name: str
    ask: str
    position: Any
    actions: tuple[str, ...]
    expect: Any
    document: Document = field(repr=False, compare=False)
    place: int

    def problem(self, path: Place, message: str, hint: str = "", key: bool = False) -> Problem:
        """A fault at a value of the case, with its place in the file."""
        return self.document.problem((self.place, *path), message, hint, key=key)


@dataclass(frozen=True)
class Verdict:
    """A case with its answer; `difference` is empty when it passed.

    `refusal` is the fault that the rules found in the position or in an action, where they found one.
    """

    case: Case
    got: Any
    difference: str
    refusal: Problem | None = None

    @property
    def passed(self) -> bool:
        """Whether the answer is the expected one."""
        return not self.difference


# ---- reading


def read_document(path: str) -> Document:
    """A YAML file, or standard input for ``-``."""
    return load_yaml(path)


def read_position(path: str, game: Game) -> Position:
    """The position of a document file; faults carry their place in the file."""
    document = read_document(path)
    try:
        return oracle.load(document.data, game)
    except DocumentError as error:
        raise ConfigError(
            [document.problem(error.path, error.reason, error.hint, key=error.at_key)]
        ) from None


def read_cases(path: str) -> list[Case]:
    """All cases of a file.

    Raises
    ------
    ConfigError
        Every fault of the file's form, with its place. Faults of positions are answers, not faults of form.
    """
    document = read_document(path)
    if not isinstance(document.data, list) or not document.data:
        raise ConfigError(
            [document.problem((), "a case file is a list of cases", "begin each with - id: NAME")]
        )
    problems = [
        problem for place, item in enumerate(document.data) for problem in _faults(document, place, item)
    ]
    names = [item.get("id") for item in document.data if isinstance(item, dict)]
    for place, name in enumerate(names):
        if names.index(name) != place and not problems:
            problems.append(document.problem((place, "id"), f"the id {as_text(name)} stands twice"))
    if problems:
        raise ConfigError(problems)
    return [_case(document, place, item) for place, item in enumerate(document.data)]


def _faults(document: Document, place: int, item: Any) -> list[Any]:
    if not isinstance(item, dict):
        return [document.problem((place,), f"a case is a mapping, not {as_text(item)}")]
    found = [
        document.problem((place, key), f"unknown key {as_text(key)}", did_you_mean(key, KEYS), key=True)
        for key in item
        if key not in KEYS
    ]
    for key in ("id", "position", "ask", "expect"):
        if key not in item:
            found.append(document.problem((place,), f"the case has no key {key!r}"))
    return found or [
        document.problem((place, *path), message, hint)
        for path, message, hint in _value_faults(item)
        if message
    ]


def _value_faults(item: dict[str, Any]) -> list[tuple[Place, str, str]]:
    if not isinstance(item["id"], str):
        return [(("id",), f"must be text, not {as_text(item['id'])}", "")]
    if item["ask"] not in ASKS:
        return [(("ask",), f"must be one of {', '.join(ASKS)}", did_you_mean(item["ask"], ASKS))]
    return [_action_fault(item), _game_fault(item), _expect_fault(item["ask"], item["expect"])]


def _action_fault(item: dict[str, Any]) -> tuple[Place, str, str]:
    if item["ask"] in NEEDS_ACTION:
        action = item.get("action")
        many = isinstance(action, list) and action and all(isinstance(text, str) for text in action)
        wrong = not isinstance(action, str) and not many
        return (("action",), "must be an action's text, or a list of them" if wrong else "", "")
    wrong = "action" in item
    return (("action",), f"has no place with ask: {item['ask']}" if wrong else "", "remove it")


def _game_fault(item: dict[str, Any]) -> tuple[Place, str, str]:
    position = item["position"]
    slug = position.get("game") if isinstance(position, dict) else None
    if isinstance(slug, str) and item["expect"] != {"error": True}:
        try:
            get_game(slug)
        except UsageError as error:
            return (("position", "game"), error.message, error.hint)
    return ((), "", "")


def _expect_fault(ask: str, expect: Any) -> tuple[Place, str, str]:
    where: Place = ("expect",)
    if isinstance(expect, dict) and "error" in expect:
        return (where, "" if expect == {"error": True} else "an expected error is written {error: true}", "")
    if ask == "after":
        return (where, "" if isinstance(expect, str) else "must be a canonical text, or {error: true}", "")
    if ask == "outcomes":
        return _outcomes_fault(expect)
    good = isinstance(expect, list) and all(isinstance(text, str) for text in expect)
    return (where, "" if good else "must be a list of texts, or {error: true}", "")


def _outcomes_fault(expect: Any) -> tuple[Place, str, str]:
    try:
        read_outcomes(expect)
    except ValueError as error:
        return (("expect",), str(error), "write TEXT: PROBABILITY, or a list of {p, position, tol}")
    return (("expect",), "", "")


def read_outcomes(expect: Any) -> dict[str, tuple[float, float]]:
    """Expected outcomes: canonical text to (probability, tolerance).

    Either a mapping of text to probability, or a list of ``{p, position, tol}``; a probability is a number
    or a fraction such as ``5/12``; `tol` is what may be wrong with it beside chance, by default nothing.

    Raises
    ------
    ValueError
        In plain words.
    """
    if isinstance(expect, dict) and expect:
        found = {text: (_probability(share), 0.0) for text, share in expect.items()}
    elif isinstance(expect, list) and expect:
        found = {}
        for item in expect:
            if not isinstance(item, dict) or not {"p", "position"} <= set(item) <= {"p", "position", "tol"}:
                raise ValueError("each outcome is a mapping with p and position, and tol if need be")
            if not isinstance(item["position"], str):
                raise ValueError(f"a position is a canonical text, not {as_text(item['position'])}")
            if item["position"] in found:
                raise ValueError("one outcome stands twice")
            found[item["position"]] = (_probability(item["p"]), _probability(item.get("tol", 0)))
    else:
        raise ValueError("must list what can follow, with probabilities")
    total, slack = (
        sum(share for share, _ in found.values()),
        sum(tolerance for _, tolerance in found.values()),
    )
    if total > 1 + slack + 1e-9:
        raise ValueError(f"the probabilities add up to {total:g}, more than 1")
    return found


def _probability(value: Any) -> float:
    try:
        # Only digits and one slash: Fraction("1e999999999") would not end.
        sound = not isinstance(value, bool | str) or (isinstance(value, str) and SHARE.fullmatch(value))
        share = float(Fraction(value)) if sound else math.nan
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        share = math.nan
    if not 0 <= share <= 1:
        raise ValueError(f"{as_text(value)} is no probability from 0 to 1")
    return share


def _case(document: Document, place: int, item: dict[str, Any]) -> Case:
    action, expect, ask = item.get("action", ()), item["expect"], item["ask"]
    if expect == {"error": True}:
        expect = None
    elif ask == "outcomes":
        expect = read_outcomes(expect)
    elif ask != "after":
        expect = sorted(expect)
    texts = (action,) if isinstance(action, str) else tuple(action)
    line = document.mark((place, "id")).line
    return Case(document.name, line, item["id"], ask, item["position"], texts, expect, document, place)


# ---- answering


def check_case(case: Case, samples: int = oracle.SAMPLES, seed: int = 0) -> Verdict:
    """Answer a case and compare."""
    try:
        got = ANSWERS[case.ask](oracle.load(case.position), case, samples, seed)
    except (RuleError, UsageError) as error:
        shown = {"error": error.message}
        words = "" if case.expect is None else f"refused: {error.message}"
        return Verdict(case, shown, words, _refusal(case, error))
    if case.expect is None:
        return Verdict(case, got, f"expected a refusal, got {_short(got)}")
    return Verdict(case, got, difference(case, got, samples))


def _refusal(case: Case, error: RuleError | UsageError) -> Problem:
    if isinstance(error, DocumentError):
        return case.problem(("position", *error.path), error.reason, error.hint, key=error.at_key)
    return case.problem(("action",) if case.actions else ("position",), error.message, error.hint)


ANSWERS: dict[str, Callable[[Position, Case, int, int], Any]] = {
    "legal": lambda position, case, samples, seed: oracle.legal(position),
    "after": lambda position, case, samples, seed: oracle.after(position, *case.actions, seed=seed).text(),
    "turn_ends": lambda position, case, samples, seed: oracle.turn_ends(position),
    "outcomes": lambda position, case, samples, seed: oracle.outcomes(
        position, *case.actions, samples=samples, seed=seed
    ),
}


def difference(case: Case, got: Any, samples: int) -> str:
    """What separates an answer from the expected one, in one line; empty when nothing does."""
    if case.ask == "after":
        return _text_difference(case.expect, got)
    if case.ask == "outcomes":
        return outcome_difference(case.expect, got, samples)
    missing = [text for text in case.expect if text not in got]
    surplus = [text for text in got if text not in case.expect]
    parts = [f"missing: {_short(missing)}"] if missing else []
    parts += [f"not expected: {_short(surplus)}"] if surplus else []
    return "; ".join(parts) or ("" if got == case.expect else "a text stands twice")


def _text_difference(expected: str, got: str) -> str:
    if expected == got:
        return ""
    theirs, ours = _fields(expected), _fields(got)
    odd = [
        f"{name}: expected {theirs.get(name, 'no such field')}, got {ours.get(name, 'no such field')}"
        for name in {**theirs, **ours}
        if theirs.get(name) != ours.get(name)
    ]
    # The same fields in another order, or no fields at all: only the whole texts tell.
    return "; ".join(odd) if odd and theirs else f"expected {expected}, got {got}"


def _fields(text: str) -> dict[str, str]:
    """The fields ``name=value`` of a canonical text; empty when it is not made of fields, each once."""
    pairs = [word.partition("=")[::2] for word in text.split()]
    fields = dict(pairs)
    return fields if all(name and value for name, value in pairs) and len(fields) == len(pairs) else {}


def outcome_difference(
    expected: Mapping[str, tuple[float, float]], got: Mapping[str, float | Fraction], samples: int
) -> str:
    """Shares that lie too far from their probabilities.

    Each share may differ by its own tolerance plus z standard errors of `samples` plays and half a play,
    z being such that all outcomes of the case together raise a false alarm with probability
    :data:`FALSE_ALARM` at most (Bonferroni). Whatever is not listed is compared as one more outcome. Exact
    probabilities (Fractions) may differ by the tolerance only.
    """
    tests = [(text, share, tolerance, got.get(text, 0.0)) for text, (share, tolerance) in expected.items()]
    rest = max(0.0, 1.0 - sum(share for _, share, _, _ in tests))
    slack = sum(tolerance for _, _, tolerance, _ in tests)
    others = sorted((text for text in got if text not in expected), key=lambda text: -got[text])
    z = NormalDist().inv_cdf(1 - FALSE_ALARM / (2 * (len(tests) + 1)))
    name = f"not listed, such as {others[0]}" if others else "not listed"
    tests.append((name, rest if rest > 1e-9 else 0.0, slack, sum(got[text] for text in others)))
    exact = all(isinstance(share, Fraction) for share in got.values())
    wrong = []
    for text, share, tolerance, found in tests:
        chance = EXACT if exact else z * math.sqrt(share * (1 - share) / samples) + 0.5 / samples
        bound = tolerance + chance
        if abs(found - share) > bound:
            wrong.append(f"{text}: expected {share:.5f}, got {float(found):.5f} (may differ by {bound:.5f})")
    return "; ".join(wrong)


def _short(value: Any, most: int = 6) -> str:
    if isinstance(value, list):
        texts = [str(item) for item in value[:most]]
        return " | ".join(texts) + (f" | and {len(value) - most} more" if len(value) > most else "")
    return str(value)
