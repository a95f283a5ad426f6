"""Starting games (section 3)."""

from __future__ import annotations

from .base import need
from .documents import frame_of, load


def start(arena, rules, teams, rng, challenges=None, data=None, book=None):
    """The position before the first decision.

    `teams` is "random", "draft", or a dict from seat to names; `challenges` None draws them.
    """
    doc = {"game": "krosmaster_blast", "arena": arena, "rules": rules, "data": data or {}}
    frame = frame_of(doc, book)
    if challenges is None:
        known, count = sorted(frame.library.challenges), frame.rules["challenge_count"]
        need(count <= len(known), "not so many challenges")
        challenges = rng.sample(known, count)
    doc["challenges"] = list(challenges)
    if teams == "draft":
        return load({**doc, "phase": "draft"}, book)
    if teams == "random":  # KB36, KB48
        size, roster = frame.rules["team_size"], frame.rules["roster"]
        need(len(roster) >= 2 * size, "the roster is too small")
        drawn = rng.sample(roster, 2 * size)
        teams = {"A": drawn[:size], "B": drawn[size:]}
    doc["fighters"] = {seat: [{"name": name} for name in names] for seat, names in teams.items()}
    return load({**doc, "phase": "deploy"}, book)
