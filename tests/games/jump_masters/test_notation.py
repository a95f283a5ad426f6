"""Position documents, canonical text and views of Jump Masters."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
import yaml

from balance.errors import BalanceError, RuleError
from balance.games import get_game
from balance.games.position import DocumentError
from balance.kernel.rng import new_stream
from balance.study import oracle
from tests.naive import jump_masters as naive

GAME = get_game("jump_masters")
NOTATION = GAME.part("notation")

DRAFT = """
game: jump_masters
arena: pillars
phase: draft
draft: free
picks: {A: [burnny], B: [burnny]}
"""
PASS = """
game: jump_masters
arena: pillars
phase: draft
draft: pass
picks: {A: [burnny]}
hands: {A: [freeda, hopper, hopper, unni], B: [burnny, katula, parena, roara, torturn]}
"""
ZONE = """
game: jump_masters
arena: ruins
mode: team
phase: zone
zones: {A: nw, B: ne}
heroes: {A: [unni], B: [roara], C: [hopper], D: [burnny]}
"""
DEPLOY = """
game: jump_masters
arena: mill
mode: ffa3
phase: deploy
zones: {A: nw, B: sw, C: ne}
heroes: {A: [unni a8], B: [roara], C: [hopper g8, parena]}
"""
TURN = """
game: jump_masters
arena: pillars
to_move: A
zones: {A: sw, B: ne}
heroes: {A: [hopper b2 1 fresh, torturn d4 2], B: [unni g5 2]}
"""
JUMPING = """
game: jump_masters
arena: pillars
rules: {friendly_fire: false}
to_move: B
phase: jumping
hero: roara
used: true
turn: 12
zones: {A: sw, B: ne}
vp: {A: 4, B: 5}
heroes:
  A: [hopper, unni d4 3]
  B: [katula e4 2 jumped, roara d5 3]
"""
STEPPED = """
game: jump_masters
arena: pillars
to_move: A
phase: stepped
hero: hopper
zones: {A: sw, B: ne}
heroes: {A: [hopper c4 1, freeda e4 2], B: [unni c6 2]}
"""
REDEPLOY = """
game: jump_masters
arena: pillars
phase: redeploy
active: A
zones: {A: sw, B: ne}
heroes: {A: [burnny, hopper], B: [unni d4 3]}
"""
DOCUMENTS = {
    "draft": DRAFT,
    "pass": PASS,
    "zone": ZONE,
    "deploy": DEPLOY,
    "turn": TURN,
    "jumping": JUMPING,
    "stepped": STEPPED,
    "redeploy": REDEPLOY,
}


def load(text: str) -> oracle.Position:
    return oracle.load(yaml.safe_load(text))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_load_and_come_back(name: str) -> None:
    position = load(DOCUMENTS[name])
    again = oracle.load(NOTATION.document(position))
    assert again.text() == position.text()
    assert again.state.tobytes() == position.state.tobytes()


def test_the_example_of_the_specification() -> None:
    assert load(JUMPING).text() == (
        "phase=jumping to_move=B hero=roara used=1 turn=12 zones=A:sw,B:ne vp=A:4,B:5 "
        "A=hopper:-,unni:d4:3 B=katula:e4:2:jumped,roara:d5:3"
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "path", "words"),
    [
        ("turn", "game: jump_masters", "game: jumpmasters", ("game",), "must be one of"),
        ("turn", "arena: pillars", "arena: pilars", ("arena",), "unknown arena"),
        ("turn", "arena: pillars", "arena: ['....']", ("arena",), ""),
        ("turn", "arena: pillars", "arena: 5", ("arena",), "must be a list"),
    ("turn", "arena: pillars", "arena: ['', '......', '......']", ("arena", 0), "row is empty"),
        ("turn", "arena: pillars\n", "", (), "'arena' is missing"),
        ("turn", "to_move: A\n", "", (), "'to_move' is missing"),
        ("turn", "to_move: A", "to_move: C", ("to_move",), "must be one of A, B"),
        ("turn", "to_move: A", "to_move: A\nturn: 0", ("turn",), "from 1 to 400"),
        ("turn", "to_move: A", "to_move: A\nturn: 401", ("turn",), "from 1 to 400"),
        ("turn", "to_move: A", "to_move: A\nturn: true", ("turn",), "not true"),
        ("turn", "to_move: A", "to_move: A\nturn: '4'", ("turn",), "not '4'"),
        ("turn", "to_move: A", "to_move: A\nvp: {A: 20}", ("vp", "A"), "from 0 to 19"),
        ("turn", "to_move: A", "to_move: A\nvp: {C: 2}", ("vp", "C"), "unknown key"),
        ("turn", "to_move: A", "to_move: A\nhero: hopper", ("hero",), "no place in phase turn"),
        ("turn", "to_move: A", "to_move: A\nheros: 1", ("heros",), "unknown key"),
        ("turn", "to_move: A", "to_move: A\nphase: over", ("phase",), "must be one of"),
        ("turn", "to_move: A", "to_move: A\nmode: duo", ("mode",), "must be one of"),
        ("turn", "to_move: A", "to_move: A\nrules: {hil_vp: 2}", ("rules", "hil_vp"), ""),
        ("turn", "to_move: A", "to_move: A\nrules: {hill_vp: 6}", ("rules", "hill_vp"), ""),
        ("turn", "to_move: A", "to_move: A\nrules: {hill_vp: true}", ("rules", "hill_vp"), ""),
        ("turn", "to_move: A", "to_move: A\nrules: {hero_max: {unni: 0}}", ("rules", "hero_max", "unni"), ""),
        ("turn", "zones: {A: sw, B: ne}", "zones: {A: sw, B: nw}", ("zones",), "opposite corners"),
        ("turn", "zones: {A: sw, B: ne}", "zones: {A: sw}", ("zones",), "missing: B"),
        ("turn", "zones: {A: sw, B: ne}", "zones: {A: sw, B: sw}", ("zones", "A"), "two seats"),
        ("turn", "zones: {A: sw, B: ne}", "zones: {A: south, B: ne}", ("zones", "A"), "must be one of"),
        ("turn", "b2 1 fresh", "b2 1 freash", ("heroes", "A", 0), "mark"),
        ("turn", "b2 1 fresh", "b2 1 fresh fresh", ("heroes", "A", 0), "repeated"),
        ("turn", "b2 1 fresh", "b2 1 jumped", ("heroes", "A", 0), "phase jumping"),
        ("turn", "b2 1 fresh", "c2 1 fresh", ("heroes", "A", 0), "outside its own zone"),
        ("turn", "b2 1 fresh", "b2 5", ("heroes", "A", 0), "from 1 to 4"),
        ("turn", "b2 1 fresh", "b2 0", ("heroes", "A", 0), "from 1 to 4"),
        ("turn", "b2 1 fresh", "b2 01", ("heroes", "A", 0), "from 1 to 4"),
        ("turn", "b2 1 fresh", "b2", ("heroes", "A", 0), "not nothing"),
        ("turn", "hopper b2 1 fresh", "hopper", ("heroes", "A", 0), "off the board"),
        ("turn", "hopper b2 1 fresh", "hoper b2 1", ("heroes", "A", 0), "unknown hero"),
        ("turn", "hopper b2 1 fresh", "hopper.2 b2 1", ("heroes", "A", 0), "without hopper"),
        ("turn", "hopper b2 1 fresh", "torturn b2 1", ("heroes", "A"), "stands twice"),
        ("turn", "hopper b2 1 fresh", "7", ("heroes", "A", 0), "must be text"),
        ("turn", "hopper b2 1 fresh", "''", ("heroes", "A", 0), "is empty"),
            ("turn", "torturn d4 2", "torturn d6 2", ("heroes", "A", 1), "blocked"),
        ("turn", "torturn d4 2", "torturn g7 2", ("heroes", "A", 1), "opposing seat B"),
        ("turn", "torturn d4 2", "torturn i1 2", ("heroes", "A", 1), "no node"),
        ("turn", "torturn d4 2", "torturn d04 2", ("heroes", "A", 1), "no node"),
        ("turn", "torturn d4 2", "torturn b2 2", ("heroes", "A", 1), "two heroes stand"),
        ("turn", "B: [unni g5 2]", "B: []", ("heroes", "B"), "one to 4"),
        ("turn", ", B: [unni g5 2]", "", ("heroes",), "seat B is missing"),
        ("turn", "B: [unni g5 2]", "B: unni g5 2", ("heroes", "B"), "must be a list"),
        ("turn", "[unni g5 2]", "[hopper g5 2, hopper.2 g4 2]", ("heroes",), "only two copies of hopper"),
        ("jumping", "used: true", "used: 1", ("used",), "must be true or false"),
        ("jumping", "hero: roara", "hero: katula", ("hero",), "neither fresh nor jumped"),
        ("jumping", "hero: roara", "hero: unni", ("hero",), "must be one of"),
        ("jumping", "hero: roara\n", "", (), "'hero' is missing"),
        ("jumping", "roara d5 3", "roara", ("hero",), "off the board"),
        ("jumping", "roara d5 3", "roara h1 3", (), "nothing but `end`"),
        ("stepped", "hero: hopper", "hero: freeda", ("hero",), "no ability after a step"),
        ("stepped", "hero: hopper", "hero: hopper\nused: false", ("used",), "no place in phase stepped"),
        ("redeploy", "active: A\n", "", (), "'active' is missing"),
        ("redeploy", "active: A", "active: A\nto_move: B", ("to_move",), "it is A that decides"),
        ("redeploy", "active: A", "active: A\nturn: 400", ("turn",), "from 1 to 399"),
        ("redeploy", "[burnny, hopper]", "[burnny a1 1]", ("heroes",), "nothing to redeploy"),
        ("draft", "draft: free", "draft: blind", ("draft",), "must be one of free"),
        ("draft", "draft: free\n", "", (), "'draft' is missing"),
        ("draft", "A: [burnny]", "A: [burnny, unni, roara]", ("picks",), "would have 2 of the 4"),
        ("draft", "A: [burnny]", "A: [burnny, burnny.2]", ("picks",), "only two copies of burnny"),
        ("draft", "draft: free", "draft: free\nhands: {}", ("hands",), "no place in a free draft"),
        ("draft", "arena: pillars", "arena: pillars\nrules: {team_size: 1}", ("picks",), "nothing is left"),
        ("pass", "parena, roara, torturn]", "parena]", ("hands", "B"), "at least 4"),
        ("pass", "freeda, hopper, hopper", "hopper, hopper, hopper", ("hands",), "only two copies"),
        ("pass", "freeda, hopper", "freda, hopper", ("hands", "A", 0), "unknown card"),
        ("zone", "A: nw, B: ne", "B: ne", ("zones",), "in the order"),
        ("zone", "A: nw, B: ne", "A: nw, B: ne, C: se", ("zones", "C"), "adjacent corners"),
        ("zone", "A: [unni]", "A: [unni a8]", ("heroes", "A", 0), "nobody is on the board"),
        ("deploy", "unni a8", "unni a6", ("heroes", "A", 0), "own zone"),
        ("deploy", "unni a8", "unni a8 1", ("heroes", "A", 0), "own zone"),
        ("deploy", "hopper g8, parena", "hopper, parena g8", ("heroes",), "in name order"),
        ("deploy", "B: [roara]", "B: [roara a1]", ("heroes",), "in the order A C B"),
    ],
)  # fmt: skip
def test_breaches_are_refused_with_their_place(
    name: str, old: str, new: str, path: tuple[Any, ...], words: str
) -> None:
    assert old in DOCUMENTS[name]
    changed = yaml.safe_load(DOCUMENTS[name].replace(old, new, 1))
    with pytest.raises(DocumentError) as caught:
        oracle.load(changed, GAME)
    assert caught.value.path == path
    assert words in caught.value.reason


def test_a_deployment_that_is_complete_is_refused() -> None:
    done = DEPLOY.replace("[roara]", "[roara a1]").replace("parena]", "parena h8]")
    with pytest.raises(DocumentError, match="all heroes are deployed"):
        load(done)


@pytest.mark.parametrize("text", ["", "5", "[]", "game: 7", "{1: 2}", "phase: turn"])
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(RuleError):
        load(text)


# ---- mutations: both engines take or refuse the same documents

WORDS = [
    *(None, True, False, 0, 1, 3, 5, -1, 20, 400, 2.0, "", "A", "B", "C", "D", "AC", "sw", "ne", "nw"),
    *("burnny", "hopper", "hopper.2", "unni d4 3", "unni", "katula d4 2 jumped", "roara.2 a1 1 fresh"),
    *(
        "duel",
        "team",
        "ffa3",
        "draft",
        "zone",
        "deploy",
        "turn",
        "stepped",
        "jumping",
        "redeploy",
        "free",
        "pass",
    ),
    *([], {}, ["burnny"], {"A": "sw"}, {"hill_vp": 2}, {"team_size": 1}, {"turn_cap": 1}),
    *({"disabled_abilities": ["hopper", "roara"]}, "pillars", "ruins", ["......"] * 6),
]
KEYS = [
    *("game", "rules", "arena", "mode", "phase", "to_move", "draft", "picks", "hands", "zones", "heroes"),
    *("turn", "vp", "hero", "used", "active", "A", "B", "C", "extra"),
]
HERO_WORDS = ["a1", "d4", "h8", "9", "1", "2", "fresh", "jumped", "x", "unni"]


def mutated(dice: random.Random, document: Any) -> Any:
    """The document with one to three things in it changed, added or removed."""
    document = copy.deepcopy(document)
    for _ in range(dice.choice((1, 1, 2, 3))):
        inside = document
        while True:
            keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            deeper = [key for key in keys if isinstance(inside[key], (dict, list)) and inside[key]]
            if not deeper or dice.random() < 0.4:
                break
            inside = inside[dice.choice(deeper)]
        change(dice, inside, keys)
    return document


def change(dice: random.Random, inside: Any, keys: list[Any]) -> None:
    kind = dice.random()
    if keys and kind < 0.25:
        del inside[dice.choice(keys)]
    elif keys and kind < 0.75:
        key = dice.choice(keys)
        words = str(inside[key]).split()
        if isinstance(inside[key], str) and len(words) > 1 and dice.random() < 0.7:
            words[dice.randrange(len(words))] = dice.choice(HERO_WORDS)
            inside[key] = " ".join(words)
        else:
            inside[key] = copy.deepcopy(dice.choice(WORDS))
    elif isinstance(inside, dict):
        inside[dice.choice(KEYS)] = copy.deepcopy(dice.choice(WORDS))
    else:
        inside.insert(dice.randint(0, len(inside)), copy.deepcopy(dice.choice(WORDS)))


def verdicts(document: Any) -> tuple[str, str]:
    """What each engine makes of a document: its canonical text, or that it refuses."""
    try:
        slow = naive.canonical(naive.load(copy.deepcopy(document)))
    except naive.RuleError:
        slow = "refused"
    try:
        return slow, oracle.load(document, GAME).text()
    except RuleError:
        return slow, "refused"


def compare_mutations(seed: int, count: int) -> None:
    dice = random.Random(seed)
    taken = 0
    for _ in range(count):
        document = mutated(dice, naive.document(naive.random_position(dice)))
        slow, fast = verdicts(document)
        assert slow == fast, document
        taken += slow != "refused"
    assert 0 < taken < count


@pytest.mark.parametrize("seed", range(3))
def test_both_engines_refuse_the_same_documents(seed: int) -> None:
    compare_mutations(seed, 300)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_both_engines_refuse_the_same_documents_at_length(seed: int) -> None:
    compare_mutations(seed, 2500)


# ---- canonical text


@pytest.mark.parametrize(
    "text",
    ["", "phase=turn", "phase=over", "phase=over winner=C end=vp vp=A:1,B:20",
     "phase=over winner=A end=vp vp=A:x,B:1",
     "phase=turn to_move=A turn=1 zones=A:sw,B:ne vp=A:0,B:0 A=hopper:d4:1",
     "phase=turn to_move=A turn=1 zones=A:sw,B:ne vp=A:0,B:0 A=unni:d4:1,hopper:d5:1 B=roara:e5:1",
     "phase=turn to_move=A turn=01 zones=A:sw,B:ne vp=A:0,B:0 A=hopper:d4:1 B=roara:e5:1",
     "phase=turn  to_move=A turn=1 zones=A:sw,B:ne vp=A:0,B:0 A=hopper:d4:1 B=roara:e5:1"],
)  # fmt: skip
def test_other_texts_are_not_canonical(text: str) -> None:
    with pytest.raises(BalanceError):
        NOTATION.parse_canonical(text, load(TURN))


@pytest.mark.parametrize(
    "text", ["phase=over winner=B end=vp vp=A:7,B:20", "phase=over winner=- end=cap vp=A:7,B:7"]
)
def test_finished_games_have_texts(text: str) -> None:
    position = NOTATION.parse_canonical(text, load(TURN))
    assert (position.text(), oracle.legal(position)) == (text, [])
    with pytest.raises(RuleError, match="no position document"):
        NOTATION.document(position)
    assert "game over" in NOTATION.draw(position)


def test_half_turn_of_a_document() -> None:
    assert NOTATION.mirror(load(TURN)).text() == (
        "phase=turn to_move=B turn=1 zones=A:sw,B:ne vp=A:0,B:0 A=unni:b4:2 B=hopper:g7:1:fresh,torturn:e5:2"
    )
    assert NOTATION.mirror(load(ZONE)) is None


# ---- what a seat sees in a pass draft


def test_a_seat_sees_hands_that_it_has_held() -> None:
    # Second round of three seats: A's hand was C's, so C has seen it; B's hand was A's.
    document = yaml.safe_load(PASS) | {
        "mode": "ffa3",
        "picks": {"A": ["burnny", "freeda"], "B": ["hopper"], "C": ["katula"]},
        "hands": {
            "A": ["unni", "unni", "roara"],
            "B": ["parena", "parena", "torturn", "hopper"],
            "C": ["burnny", "katula", "freeda", "torturn"],
        },
    }
    position = oracle.load(document)
    views = [NOTATION.view(position.state, position.tables, seat) for seat in range(3)]
    assert (
        "A=burnny,freeda B=hopper C=katula hand_A=roara,unni,unni hand_B=hopper,parena,parena,torturn"
        in views[0]
    )
    assert views[0].endswith("hand_C=?4")
    assert "A=burnny+? B=hopper C=katula hand_A=?3" in views[1]
    assert "hand_A=freeda,roara,unni,unni hand_B=?4" in views[2]


def test_hidden_cards_are_redrawn() -> None:
    position = load(PASS)
    seen, redrawn = set(), oracle.rule(position.game, "conceal")
    for seed in range(40):
        state = oracle.copied(position.state)
        redrawn(state, position.tables, 1, new_stream(seed))
        seen.add(NOTATION.canonical(state, position.tables))
        assert NOTATION.view(state, position.tables, 1) == NOTATION.view(position.state, position.tables, 1)
    assert len(seen) > 20
