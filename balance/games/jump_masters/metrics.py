"""What a playout of Jump Masters records beside the result (section 14), and what each column means."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.layout import CELLS, SLOTS
from balance.games.metric import KILLS, Column
from balance.kernel.contract import SEATS

GAME = np.dtype(
    [
        ("zone", "i4", (SEATS,)),
        ("vp", "i4", (SEATS,)),
        ("vp_hill", "i4", (SEATS,)),
        ("vp_attack", "i4", (SEATS,)),
        ("vp_lost_attack", "i4", (SEATS,)),
        ("vp_fire_step", "i4", (SEATS,)),
        ("vp_frog_bow", "i4", (SEATS,)),
        ("vp_blood_boon", "i4", (SEATS,)),
        ("vp_missile_go", "i4", (SEATS,)),
        ("win_by", "i4"),
        ("lead_changes", "i4"),
        ("comeback", "i4"),
        ("decided_turn", "i4"),
        ("friends_hit", "i4"),
        ("friends_removed", "i4"),
        ("attackers_lost", "i4"),
        ("double_removals", "i4"),
        ("jump_turns", "i4"),
        ("jumps", "i4"),
        ("redeployments", "i4"),
        ("passes", "i4"),
        ("turns_begun", "i4", (SEATS,)),
        ("hill_turns", "i4", (SEATS,)),
        ("energized", "i4", (SEATS,)),
        ("first_jump_energy", "i4", (SEATS,)),
        ("power_energy", "i4", (SEATS,)),
        ("ability_energy", "i4", (SEATS,)),
        ("energy_lost", "i4", (SEATS,)),
        ("board_energy", "i4", (SEATS,)),
    ]
)

HERO = np.dtype(
    [
        ("second", "i4"),
        ("turns_acted", "i4"),
        ("steps", "i4"),
        ("runs", "i4"),
        ("jumps", "i4"),
        ("vp_earned", "i4"),
        ("vp_conceded", "i4"),
        ("removals_made", "i4"),
        ("removals_suffered", "i4"),
        ("ability_uses", "i4"),
        ("energy_gained", "i4"),
        ("energy_spent", "i4"),
        ("starts_on_hill", "i4"),
        ("starts_in_zone", "i4"),
        ("starts_off_zone", "i4"),
    ]
)

NODE = np.dtype(
    [
        ("visits", "i8"),
        ("occupied", "i8"),
        ("removals", "i8"),
        ("power_entries", "i8"),
        ("energy", "i8"),
        ("hill_vp", "i8"),
    ]
)

# What observe() must remember within one game.
SCRATCH = np.dtype(
    [
        ("leader", "i4"),  # side that led last, NONE before anybody did
        ("behind", "i4", (SEATS,)),  # largest deficit each side had
        ("lead_turn", "i4"),  # turn in which the present leader took the lead
    ]
)

TALLY = np.dtype([("game", GAME), ("hero", HERO, (SLOTS,)), ("node", NODE, (CELLS,)), ("scratch", SCRATCH)])

CORNERS = ("nw", "ne", "se", "sw")
WINS = ("none", "Hill", "attack", "ability", "lost attack")
COPIES = ("first", "second")
VP, ENERGY = "Sources of victory points", "Sources of energy"

COLUMNS: dict[str, dict[str, Column]] = {
    "games": {
        "zone": Column("Zone", "corner", "corner each seat chose", "label", CORNERS),
        "vp": Column("Victory points", "VP", "final VP of each side", "side"),
        "vp_hill": Column("VP from the Hill", "VP", "VP each side took on the Hill", "side", whole=VP),
        "vp_attack": Column(
            "VP from attacks", "VP", "VP for heroes removed by won attacks", "side", whole=VP
        ),
        "vp_lost_attack": Column(
            "VP from lost attacks", "VP", "VP for attackers that lost", "side", whole=VP
        ),
        "vp_fire_step": Column(
            "VP from Fire Step", "VP", "VP for heroes removed by Fire Step", "side", whole=VP
        ),
        "vp_frog_bow": Column(
            "VP from Frog Bow", "VP", "VP for heroes removed by Frog Bow", "side", whole=VP
        ),
        "vp_blood_boon": Column(
            "VP from Blood Boon", "VP", "VP for heroes removed by Blood Boon", "side", whole=VP
        ),
        "vp_missile_go": Column(
            "VP from Missile Go", "VP", "VP for heroes removed by Missile Go", "side", whole=VP
        ),
        "win_by": Column("Winning point", "kind", "what brought the winning VP", "label", WINS),
        "lead_changes": Column("Lead changes", "per game", "how often another side took the lead", "mean"),
        "comeback": Column("Largest lead overcome", "VP", "largest deficit of the later winner", "mean"),
        "decided_turn": Column(
            "Lead taken for good", "turn", "turn when the winner last took the lead", "mean"
        ),
        "friends_hit": Column("Friends hit", "per game", "friendly heroes hit by Frog Bow", "mean"),
        "friends_removed": Column("Friends removed", "per game", "friends removed by Frog Bow", "mean"),
        "attackers_lost": Column("Attackers lost", "per game", "heroes removed by their own attack", "mean"),
        "double_removals": Column("Double removals", "per game", "attacks that removed both heroes", "mean"),
        "jump_turns": Column("Turns with jumps", "per game", "turns in which a hero jumped", "mean"),
        "jumps": Column("Jumps", "per game", "single jumps", "mean"),
        "redeployments": Column("Redeployments", "per game", "heroes put back on the board", "mean"),
        "passes": Column("Passes", "per game", "turns passed", "mean"),
        "turns_begun": Column("Turns", "per game", "turns each seat began", "seat"),
        "hill_turns": Column("Turns holding the Hill", "per game", "turns begun holding the Hill", "seat"),
        "energized": Column(
            "Energy from jumps", "energy", "gained by jumping over friends", "seat", whole=ENERGY
        ),
        "first_jump_energy": Column(
            "Energy from first jumps", "energy", "gained by first jumps", "seat", whole=ENERGY
        ),
        "power_energy": Column(
            "Energy from power nodes", "energy", "gained on power nodes", "seat", whole=ENERGY
        ),
        "ability_energy": Column(
            "Energy from abilities", "energy", "gained by abilities", "seat", whole=ENERGY
        ),
        "energy_lost": Column("Energy lost", "energy", "lost to attacks and abilities", "seat"),
        "board_energy": Column("Energy on the board", "energy", "summed over the seat's turn starts", "seat"),
    },
    "heroes": {
        "second": Column("Second copy", "flag", "whether it is the second copy on one seat", "label", COPIES),
        "turns_acted": Column("Turns acted", "per game", "turns in which the hero acted", "mean"),
        "steps": Column("Steps", "per game", "plain steps", "mean"),
        "runs": Column("Runs", "per game", "runs", "mean"),
        "jumps": Column("Jumps", "per game", "single jumps", "mean"),
        "vp_earned": Column("VP earned", "VP", "for heroes it removed", "mean"),
        "vp_conceded": Column("VP conceded", "VP", "given to others when it was removed", "mean"),
        "removals_made": Column(
            "Removals made", "per game", "opposing heroes it removed", "mean", whole=KILLS
        ),
        "removals_suffered": Column("Removals suffered", "per game", "times it was removed", "mean"),
        "ability_uses": Column("Ability uses", "per game", "times its ability was used", "mean"),
        "energy_gained": Column("Energy gained", "energy", "from all sources", "mean"),
        "energy_spent": Column("Energy spent", "energy", "paid for abilities", "mean"),
        "starts_on_hill": Column("Starts on the Hill", "turns", "own turns begun on the Hill", "mean"),
        "starts_in_zone": Column("Starts in its zone", "turns", "own turns begun in its zone", "mean"),
        "starts_off_zone": Column("Starts off its zone", "turns", "own turns begun elsewhere", "mean"),
        "pick": Column("Pick number", "pick", "when it was drafted, 0 when it was dealt or given", "pick"),
    },
    "board": {
        "visits": Column("Visits", "per game", "heroes put on the node", "mean"),
        "occupied": Column("Occupancy", "turn starts", "turn starts with a hero on the node", "mean"),
        "removals": Column("Removals", "per game", "heroes removed on the node", "mean"),
        "power_entries": Column("Power entries", "per game", "heroes put on a power node", "mean"),
        "energy": Column("Energy gained", "energy", "gained on the node", "mean"),
        "hill_vp": Column("Hill VP", "VP", "Hill VP taken while standing on the node", "mean"),
    },
}
