"""The compiled engine against the slow reference: documents and games, every question."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from balance.errors import BalanceError
from balance.games.position import Position
from balance.study import oracle, scripted
from tests.games.compared import Compared
from tests.games.krosmaster_blast.forcing import NOTATION, fast_after, slow_after, throws
from tests.naive import krosmaster_blast as naive

ALL_FOLLOWED = 0.12  # share of positions in which all actions are followed; one in the others
READ_BACK = 0.1  # share of positions of which a result is written and read
WITHIN = 12  # random documents with the same rules, cards and field
LOADED = 0.1  # share of positions in play that are loaded, too
PLAYED = 3  # every how many-th position is a random document; the others are met in play
PLAIN = 1 / 3  # share of games under rules and cards as printed
WORDS = ("level", "from", "teams of", "phase")  # what the counts are kept by
MOST_DECISIONS = 2000  # of one game: the runner's cap (section 8)


class Found(NamedTuple):
    """What comparing one position came to."""

    differences: list[str]
    actions: int = 0
    followed: int = 0
    outcomes: int = 0
    packed: Mapping[str, int] = {}  # the legal actions as the compiled engine has them


# ---- one position


def differences(document: Any, dice: random.Random) -> list[str]:
    """What the two engines say differently about a document; empty when they agree."""
    slow, fast, found = loaded(document)
    return found or (look(fast, slow, dice).differences if fast is not None else [])


def loaded(document: Any) -> tuple[Any, Position | None, list[str]]:
    """A document in both engines; None and None when both refuse it."""
    slow = fast = None
    said = refused = ""
    try:
        slow = naive.load(document)
    except naive.RuleError as error:
        refused = str(error)
    try:
        fast = oracle.load(document)
    except BalanceError as error:
        said = error.message
    if slow is None and fast is not None:
        return None, None, [f"load accepts, the slow engine refuses ({refused}): {fast.text()}"]
    if slow is not None and fast is None:
        return None, None, [f"load refuses: {said}"]
    return slow, fast, []


def look(fast: Position, slow: Any, dice: random.Random, must: str = "") -> Found:
    """Compare a position: its text, what is legal, what follows (one action, `must` if given, or all)."""
    text = naive.canonical(slow)
    if fast.text() != text:
        return Found([f"stands as {fast.text()}", f"expected  {text}"])
    packed = [(oracle.format_action(fast, action), action) for action in oracle.actions(fast)]
    ours, theirs = sorted(said for said, _ in packed), naive.legal(slow)
    if ours != theirs:
        missing, surplus = sorted(set(theirs) - set(ours)), sorted(set(ours) - set(theirs))
        return Found([f"legal: missing {missing}, surplus {surplus}, or twice"], len(theirs))
    chosen = theirs if dice.random() < ALL_FOLLOWED else [must or dice.choice(theirs)]
    found, outcomes, by_text = [], 0, dict(packed)
    for action in chosen:
        wrong, count = follow(fast, slow, action, by_text[action])
        found, outcomes = found + wrong, outcomes + count
    if not found and dice.random() < READ_BACK:
        found = again(fast, slow, dice.choice(chosen), dice)
    return Found(found, len(theirs), len(chosen), outcomes, by_text)


def follow(fast: Position, slow: Any, action: str, packed: int) -> tuple[list[str], int]:
    """Compare what an action leads to, with exact probabilities: every throw is played once."""
    theirs = naive.outcomes(slow, action)
    bound = NOTATION.chances(fast.state, fast.tables, packed)
    if bound != throws(slow, action):
        return [f"{action}: {bound} throws, expected {throws(slow, action)}"], len(theirs)
    results = Counter(oracle.play(fast, packed, stream).text() for stream in scripted.every(bound))
    ours = {text: Fraction(count, bound) for text, count in results.items()}
    odd = sorted(set(ours.items()) ^ set(theirs.items()))
    return [f"after {action}: {odd}"] if odd else [], len(theirs)


def again(fast: Position, slow: Any, action: str, dice: random.Random) -> list[str]:
    """The oracle's own answer, and a result of the action read back from its text and from its document."""
    if oracle.outcomes(fast, action) != naive.outcomes(slow, action):
        return [f"after {action}: the oracle puts other outcomes together"]
    bound = throws(slow, action)
    result = fast_after(fast, action, dice.randrange(bound), bound)
    backs = [NOTATION.parse_canonical(result.text(), fast)]
    if not oracle.is_over(result):
        backs.append(oracle.load(NOTATION.document(result)))
    for back in backs:
        if (back.text(), oracle.key(back)) != (result.text(), oracle.key(result)):
            return [f"after {action}: {result.text()} is read as {back.text()}, or has another key"]
    return []


def report(document: Any, found: list[str]) -> str:
    """A failure in words that can be pasted into a case file."""
    return "\n".join([f"document: {document}", *found])


# ---- many positions


def compared(seed: int, count: int) -> Iterator[Compared]:
    """Positions of random play and random documents by turns, and documents that both engines refuse."""
    dice = random.Random(seed)
    play, drawn, given = met_in_play(dice), drawn_documents(dice), 0
    while given < count:
        one = next(drawn if given % PLAYED == 0 else play)
        given += one.counts
        yield one


def random_documents(dice: random.Random) -> Iterator[Any]:
    """Documents of all phases under random rules, cards and fields; fields without room give none."""
    while True:
        frame = naive.random_frame(dice)
        for _ in range(WITHIN):
            with suppress(naive.RuleError):
                yield naive.random_document_within(dice, frame)


def drawn_documents(dice: random.Random) -> Iterator[Compared]:
    """Random documents, compared."""
    for document in random_documents(dice):
        slow, fast, found = loaded(document)
        if fast is None:
            said = report(document, found) if found else ""
            yield Compared(dict.fromkeys(WORDS, "-") | {"from": "refused"}, 0, 0, 0, 0, said, bool(found))
        else:
            yield counted(slow, look(fast, slow, dice), "documents")


def met_in_play(dice: random.Random) -> Iterator[Compared]:
    """Positions met by random play, game after game, compared on the way: both engines throw the same."""
    while True:
        slow, decisions = naive.random_start(dice, plain=dice.random() < PLAIN), 0
        fast = oracle.load(naive.document(slow))
        while slow.phase != "over" and decisions < MOST_DECISIONS:
            action = dice.choice(naive.legal(slow))
            found = look(fast, slow, dice, must=action)
            wrong = found.differences + (stored(fast, slow) if dice.random() < LOADED else [])
            yield counted(slow, found._replace(differences=wrong), "play")
            if wrong:
                break
            bound = throws(slow, action)
            throw = dice.randrange(bound)
            fast = oracle.play(fast, found.packed[action], scripted.scripted(throw, bound))
            slow = slow_after(slow, action, throw)
            decisions += 1


def stored(fast: Position, slow: Any) -> list[str]:
    """What differs between a position that was played to and the same one loaded from its document."""
    other = oracle.load(naive.document(slow))
    same = other.text() == fast.text() and oracle.key(other) == oracle.key(fast)
    if same and oracle.legal(other) == oracle.legal(fast):
        return []
    return [f"played to {fast.text()}", f"loaded as {other.text()}, or with another key or other actions"]


def counted(slow: Any, found: Found, source: str) -> Compared:
    """One comparison, as it is counted."""
    values = (slow.rules["level"], source, str(slow.rules["team_size"]), slow.phase)
    group = dict(zip(WORDS, values, strict=True))
    said = report(naive.document(slow), found.differences) if found.differences else ""
    same = hash((repr(slow.frame.given), naive.canonical(slow)))
    return Compared(group, same, found.actions, found.followed, found.outcomes, said)
