"""The sanity facts of section 14, by the slow engine: python -m tests.naive.krosmaster_blast.facts."""

from __future__ import annotations

import random
import sys
from collections import Counter
from statistics import fmean, quantiles

from .actions import branches, legal, play
from .base import distance, other
from .board import Field, sight
from .position import BOOK
from .start import start

# ---------------------------------------------------------------- section 13


def evaluate(pos, seat):
    """How good the position is for a seat, in the points of section 13."""
    if pos.phase == "over":
        return 0 if pos.winner is None else 1000 if pos.winner == seat else -1000
    return value(pos, seat) - value(pos, other(seat))


def value(pos, seat):
    total = -15 * pos.losses(seat) + (1.5 if pos.dofus == seat else 0)
    total += (1 + 2 * pos.turn / pos.frame.last_turn) * pos.glyph_count(seat)
    for number in pos.of_seat(seat):
        fighter = pos.fighters[number]
        total += fighter.ap + 0.4 * fighter.mp
        hp = pos.card(fighter).hp
        if pos.is_minion(fighter):
            total += 0.8 + 0.3 * (hp - fighter.injuries)
        else:
            total -= fighter.injuries + 8 * (fighter.injuries / hp) ** 2
            total -= distances(pos, fighter)
        if number == pos.active:
            total += 0.6 * pos.act.next_damage + 0.1 * pos.act.next_range + 0.1 * pos.act.ignore_los
    return total


def distances(pos, fighter):
    """Nobody deployed, or nothing to go to, counts nothing."""
    enemies = [pos.fighters[n].cell for n in pos.krosmasters(other(fighter.seat))]
    wanted = [cell for cell in pos.field.glyph_cells if pos.glyphs.get(cell) != fighter.seat]
    total = 0
    for weight, cells in ((0.05, enemies), (0.1, wanted)):
        cells = [cell for cell in cells if cell]
        if cells and fighter.cell:
            total += weight * min(distance(fighter.cell, cell) for cell in cells)
    return total


def greedy(pos, rng):
    """The one-ply agent of section 13."""
    scores = {}
    for action in legal(pos):
        if action == "end":
            worth = evaluate(pos, pos.to_move)
        else:
            worth = sum(float(p) * evaluate(new, pos.to_move) for p, new in branches(pos, action))
        scores[action] = (round(worth, 9), {"done": -1, "end": -2}.get(action, 0))
    best = max(scores.values())
    return rng.choice([action for action, score in scores.items() if score == best])


def uniform(pos, rng):
    return rng.choice(legal(pos))


# ---------------------------------------------------------------- sight


def sighted_pairs(name, corner):
    """Ordered pairs of different cells without tree or bush that see each other, trees only."""
    field = Field(BOOK["fields"][name])
    blocks = field.trees.__contains__
    pairs = [(a, z) for a in field.open for z in field.open if a != z]
    assert all(sight(a, z, blocks, corner) == sight(z, a, blocks, corner) for a, z in pairs)
    return sum(sight(a, z, blocks, corner) for a, z in pairs)


# ---------------------------------------------------------------- games


def game(rng, level, arena, size, agent):
    pos = start(arena, {"level": level, "team_size": size}, "random", rng)
    decisions, branching = 0, []
    while pos.phase != "over":
        branching.append(len(legal(pos)))
        pos = play(pos, agent(pos, rng), rng)
        decisions += 1

    return {
        "winner": pos.winner,
        "label": pos.label,
        "turn": pos.turn,
        "decisions": decisions,
        "many": branching,
    }


def table(level, size, agent, games, seed):
    rng, arenas = random.Random(seed), sorted(BOOK["fields"])
    rows = [game(rng, level, arenas[i % 4], size, agent) for i in range(games)]
    won = Counter(row["winner"] for row in rows)
    many = [n for row in rows for n in row["many"]]
    cuts = quantiles(many, n=20)
    decisions = [row["decisions"] for row in rows]
    kos = sum(row["label"] != "glyphs" for row in rows) / games
    print(
        f"{level} teams of {size} {agent.__name__}: decisions {fmean(decisions):.1f} "
        f"({min(decisions)}-{max(decisions)}), branching {fmean(many):.2f}, median {cuts[9]:.0f}, "
        f"95th {cuts[18]:.0f}, largest {max(many)}, KOs {kos:.3f}, turns {fmean(r['turn'] for r in rows):.2f}, "
        f"A {won['A'] / games:.3f}, B {won['B'] / games:.3f}, draws {won[None] / games:.3f}",
        flush=True,
    )


def main(games):
    for name in sorted(BOOK["fields"]):
        print(name, {corner: sighted_pairs(name, corner) for corner in ("pair", "free", "block")})
    for agent in (uniform, greedy):
        for level, size in (("advanced", 2), ("basic", 2), ("advanced", 3)):
            table(level, size, agent, games, 7)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
