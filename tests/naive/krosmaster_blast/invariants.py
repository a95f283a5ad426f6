"""What must hold in every game: python -m tests.naive.krosmaster_blast.invariants GAMES SEED [wild]."""

from __future__ import annotations

import random
import sys
from collections import Counter

from .actions import branches, legal, outcomes
from .documents import document, load, position_of_text
from .position import canonical
from .random_positions import random_start
from .rows import TILES


def check(pos):
    """A position that is not over: pieces, tiles, counts; somebody can do something."""
    text = canonical(pos)
    cells = [fighter.cell for fighter in pos.fighters.values() if fighter.cell]
    assert len(set(cells)) == len(cells), f"two on a cell: {text}"
    assert set(cells) <= pos.field.open, text
    assert not any(pos.tiles.get(cell) == "fog" for cell in cells), text
    assert set(pos.glyphs) <= pos.field.glyph_cells, text
    assert set(pos.tiles) <= pos.field.open - pos.field.glyph_cells, text
    assert all(list(pos.tiles.values()).count(kind) <= pos.rules["tile_limit"] for kind in TILES), text
    for number, fighter in pos.fighters.items():
        assert 0 <= fighter.injuries < pos.card(fighter).hp, text
        assert (fighter.state == "active") == (number == pos.active), text
        assert fighter.state == "ready" or fighter.seat == pos.to_move, text
    if pos.act:
        assert pos.act.ap >= 0 <= pos.act.mp and not pos.fighters[pos.active].ap, text
        known = set(pos.fighters)
        assert {n for _, n in pos.act.targets} | {n for n, _ in pos.act.last.values()} <= known, text
    assert (pos.phase == "favor") == (pos.revealed is not None), text
    assert len(pos.unseen) >= pos.frame.last_turn - pos.turn or pos.turn == pos.frame.last_turn, text
    assert legal(pos), f"nothing to do: {text}"


def check_texts(pos):
    """Through its document, and through its canonical text, comes the same position."""
    text = canonical(pos)
    for again in (load(document(pos), pos.frame.book), position_of_text(text, pos.frame)):
        assert canonical(again) == text
        assert legal(again) == legal(pos), text


def check_chances(pos):
    """Probabilities of every action sum to 1, and results are sound."""
    for action in legal(pos):
        assert sum(outcomes(pos, action).values()) == 1, (canonical(pos), action)
        for chance, new in branches(pos, action):
            assert chance > 0
            if new.phase != "over":
                check(new)
                check_texts(new)


def check_step(before, action, pos):
    """What one decision may change at most."""
    assert pos.turn in (before.turn, before.turn + 1)
    verb = action.split()[0]
    if verb not in ("end", "deploy"):
        assert pos.turn == before.turn and (pos.to_move == before.to_move or before.phase == "draft")
    if verb not in ("cast", "use", "move", "place", "lift"):
        assert pos.tiles == before.tiles and pos.glyphs == before.glyphs
    for seat in "AB":
        assert pos.losses(seat) >= before.losses(seat) or before.phase == "draft"
        if pos.phase != "over" and before.phase != "draft":
            assert pos.losses(seat) < pos.frame.kos
    assert verb == "end" or pos.label != "glyphs"


def check_game(rng, pos, every=0):
    """Play at random to the end; the chances of all actions are looked at in every so many positions."""
    decisions = 0
    while pos.phase != "over":
        if decisions == 2000:  # only cards that give back their cost come so far (section 8)
            return pos, decisions
        check(pos)
        if rng.random() < 0.25:
            check_texts(pos)
        if every and rng.random() < 1 / every:
            check_chances(pos)
        action = rng.choice(legal(pos))
        found = branches(pos, action)
        assert sum(chance for chance, _ in found) == 1
        before, pos = pos, rng.choices([new for _, new in found], [chance for chance, _ in found])[0]
        check_step(before, action, pos)
        decisions += 1
    assert pos.turn <= pos.frame.last_turn
    assert pos.label != "glyphs" or pos.turn == pos.frame.last_turn
    return pos, decisions


def main(games, seed, plain):
    rng, ends, total = random.Random(seed), Counter(), 0
    for i in range(games):
        if i % 100 == 99:
            print(i + 1, file=sys.stderr, flush=True)
        first = random_start(rng, plain)
        pos, decisions = check_game(rng, first, every=40)
        total += decisions
        ends[first.rules["level"], first.rules["team_size"], pos.label or "cap", pos.winner or "-"] += 1
    print(f"{games} games, {total} decisions, seed {seed}, {'plain' if plain else 'wild'}")
    for key in sorted(ends):
        print(*key, ends[key])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), "wild" not in sys.argv)
