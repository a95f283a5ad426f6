"""The playout loop: pairs of games, in every seating, on streams of their own."""

from __future__ import annotations

import numpy as np

from balance.agents.choose import choose
from balance.agents.lookahead import ROOT, walk_turn
from balance.agents.workspace import AGENT
from balance.kernel.contract import DRAFT, FIXED, NONE, OVER, ROSTER, SEATS, bundle
from balance.kernel.jit import kernel
from balance.kernel.rng import AGENT as AGENT_STREAM
from balance.kernel.rng import DEAL, DICE, seed_stream
from balance.kernel.rng import DRAFT as DRAFT_STREAM
from balance.kernel.unowned import unowned

PLAY_DEAL, PLAY_DICE, PLAY_DRAFT, SEARCH, AGENTS = 0, 1, 2, 3, 4  # rows of Workspace.streams
BASIC, FULL = 1, 2  # recording levels
DRAFTED, SEATED = 0, 1  # tables of `rosters`: heroes by player; by seat, in the order of the tally's slots
ABILITIES = 48  # most abilities that tags tell apart

#: What to play: pairs `first_pair` .. `first_pair + pairs - 1` of one cell.
PART = np.dtype(
    [
        ("stream_key", "u8"),
        ("first_pair", "i4"),
        ("pairs", "i4"),
        ("seatings", "i4"),
        ("seating", "i4", (SEATS, SEATS)),  # seat of each player in each seating
        ("side_of", "i4", (SEATS,)),  # side of each seat
        ("agent", AGENT, (SEATS,)),  # agent of each player
        ("record", "i4"),
        ("full_every", "i4"),
        ("ability_bit", "i4"),
        ("nodes", "i4"),  # entries of the node tally
        ("team", "i4"),  # hero slots of a seat
        ("player_at", "i4", (SEATS, SEATS)),  # player on each seat in each seating, NONE beyond
        ("given", "i4", (SEATS,)),
        ("chances", "i4", (SEATS, ABILITIES)),  # counted turns in which each ability was possible
    ]
)

#: Beginning of a row of `heroes`, then how often the ability was possible in counted turns.
HERO_HEAD = np.dtype(
    [("row", "i4"), ("seat", "i4"), ("player", "i4"), ("hero", "i4"), ("slot", "i4"), ("chances", "i4")]
)


def play_pairs(
    functions, tables, setups, parts, states, actions, scores, seen, streams, minds, walks, tallies, rosters, results,
    games, heads, heroes,
):  # fmt: skip
    """Play all pairs of `parts[0]`; returns rows of games and rows of heroes.

    `setups` holds the cell's set-up and room for one seating; `tallies` the running game and, in the second,
    a blank one that gathers the node counts. Sizes: `results` and `games` pairs x seatings, `heads` and
    `heroes` that times the hero slots of all seats.
    """
    rules = bundle(functions)
    setups, parts, states, minds, walks = (
        unowned(setups),
        unowned(parts),
        unowned(states),
        unowned(minds),
        unowned(walks),
    )
    tallies, results, heads = unowned(tallies), unowned(results), unowned(heads)
    games, heroes = unowned(games), unowned(heroes)
    part = parts[0]
    actions, scores, seen, streams = unowned(actions), unowned(scores), unowned(seen), unowned(streams)
    rosters = unowned(rosters)
    rows, hero_rows = 0, 0
    for index in range(part.first_pair, part.first_pair + part.pairs):
        draft_rosters(rules, tables, setups, part, rosters, states, actions, streams, index)
        first_row = rows
        for seating in range(part.seatings):
            same = earlier_seating(part, rosters, seating)
            if same != NONE:
                add_weight(results, first_row, rows, same)
                continue
            seat_players(setups, part, rosters, seating)
            seed_game(part, streams, index)
            result = results[rows]
            result.pair, result.seating, result.weight = index, seating, 1
            result.stream = part.stream_key
            play_game(
                rules, tables, setups, part, states, actions, scores, seen, streams, minds, walks, tallies, result,
                seating, index,
            )  # fmt: skip
            finish_row(rules, tables, part, states, scores, result)
            hero_rows = keep_heroes(
                rules, part, rosters, states, tables, tallies, heads, heroes, rows, seating, hero_rows
            )
            if part.record >= BASIC:
                games[rows] = tallies[0].game
                gather_nodes(part, tallies)
            rows += 1
    return rows, hero_rows


@kernel
def draft_rosters(rules, tables, setups, part, rosters, states, actions, streams, index):
    """Rosters of this pair: given, or drafted once by uniformly random picks and used in every seating."""
    setup = setups[0]
    if setup.draft == FIXED:
        for seat in range(SEATS):
            part.given[seat] = setup.given[seat]
            for place in range(ROSTER):
                rosters[DRAFTED, seat, place] = setup.roster[seat, place]
        return
    seed_stream(streams[PLAY_DEAL], part.stream_key, index, DEAL)
    seed_stream(streams[PLAY_DRAFT], part.stream_key, index, DRAFT_STREAM)
    rules.setup(states[0], tables, setup, streams[PLAY_DEAL])
    while states[0].phase == DRAFT and states[0].status != OVER:
        action = rules.sample(states[0], tables, actions[0], streams[PLAY_DRAFT])
        rules.step(states[0], tables, action, streams[PLAY_DEAL])
    rules.rosters(states[0], tables, rosters[DRAFTED])
    for seat in range(states[0].seats):
        part.given[seat] = 0
        while part.given[seat] < ROSTER and rosters[DRAFTED, seat, part.given[seat]] != NONE:
            part.given[seat] += 1


@kernel
def same_player(part, rosters, one, other):
    """Whether two players have the same agent and the same roster."""
    if part.agent[one].kind != part.agent[other].kind or part.agent[one].number != part.agent[other].number:
        return False
    if part.given[one] != part.given[other]:
        return False
    for place in range(part.given[one]):
        if rosters[DRAFTED, one, place] != rosters[DRAFTED, other, place]:
            return False
    return True


@kernel
def earlier_seating(part, rosters, seating):
    """An earlier seating that puts equal players on every seat: the same game, not played again."""
    for earlier in range(seating):
        same = True
        for seat in range(SEATS):
            one, other = part.player_at[seating, seat], part.player_at[earlier, seat]
            if one != NONE and not same_player(part, rosters, one, other):
                same = False
        if same:
            return earlier
    return NONE


@kernel
def add_weight(results, first_row, rows, seating):
    """Let an earlier game of the pair count once more."""
    for row in range(first_row, rows):
        if results[row].seating == seating:
            results[row].weight += 1


@kernel
def seat_players(setups, part, rosters, seating):
    """Put every player's roster on the seat it takes in this seating."""
    setup = setups[1]
    setup.mode = setups[0].mode
    setup.draft = FIXED
    for seat in range(SEATS):
        player = part.player_at[seating, seat]
        setup.given[seat] = part.given[player] if player != NONE else 0
        for place in range(ROSTER):
            setup.roster[seat, place] = rosters[DRAFTED, player, place] if player != NONE else NONE


@kernel
def seed_game(part, streams, index):
    """Set the streams of a game: the same in every seating, at every skill level, under every rule."""
    seed_stream(streams[PLAY_DEAL], part.stream_key, index, DEAL)
    seed_stream(streams[PLAY_DICE], part.stream_key, index, DICE)
    for seat in range(SEATS):
        seed_stream(streams[AGENTS + seat], part.stream_key, index, AGENT_STREAM + seat)


@kernel
def play_game(
    rules, tables, setups, part, states, actions, scores, seen, streams, minds, walks, tallies, result, seating, index
):  # fmt: skip
    """Play one game in `states[0]`."""
    rules.setup(states[0], tables, setups[1], streams[PLAY_DEAL])
    tallies[0] = tallies[1]
    walk = walks[0]
    seated, last_segment = 0, -1
    counting = part.record == FULL and index % part.full_every == 0
    for seat in range(SEATS):
        result.place[seat], result.counted[seat], result.ends[seat] = NONE, 0, 0
        minds[seat].segment = -1
        part.chances[seat, :] = 0
    while states[0].status != OVER:
        seat = states[0].to_move
        if states[0].segment % 2 == 1 and states[0].segment != last_segment:
            last_segment = states[0].segment
            if result.place[seat] == NONE:
                result.place[seat] = seated
                seated += 1
            if counting:
                count_turn(rules, tables, part, states, actions, scores, seen, streams, walk, minds, result)
        action = choose(
            rules, part.agent[part.player_at[seating, seat]], part.side_of[seat], states, tables, actions, scores,
            seen, streams[AGENTS + seat], streams[SEARCH], minds[seat], walk,
        )  # fmt: skip
        if part.record >= BASIC:
            states[1] = states[0]
            rules.step(states[0], tables, action, streams[PLAY_DICE])
            rules.observe(states[1], action, states[0], tables, tallies[0])
        else:
            rules.step(states[0], tables, action, streams[PLAY_DICE])


@kernel
def count_turn(rules, tables, part, states, actions, scores, seen, streams, walk, minds, result):
    """Count the ends of the turn that begins, and note which abilities it could use."""
    seat = states[0].to_move
    states[ROOT] = states[0]
    walk_turn(
        rules, states, tables, actions, scores, seen, streams[SEARCH], streams[SEARCH], -1, walk, minds[seat]
    )  # fmt: skip
    minds[seat].segment = -1
    result.counted[seat] += 1
    result.ends[seat] += walk.ends
    if part.ability_bit >= 0:
        tags = walk.tags >> np.uint64(part.ability_bit)
        for ability in range(ABILITIES):
            part.chances[seat, ability] += np.int32((tags >> np.uint64(ability)) & np.uint64(1))


@kernel
def finish_row(rules, tables, part, states, scores, result):
    """Write the result of the game in `states[0]`."""
    state = states[0]
    rules.score(state, tables, scores)
    result.winner = NONE
    for seat in range(SEATS):
        result.score[seat] = scores[part.side_of[seat]] if seat < state.seats else np.nan
        if seat < state.seats and scores[part.side_of[seat]] == 1.0:
            result.winner = part.side_of[seat]
    result.termination = state.termination
    result.turns = state.turn
    result.plies = state.ply


@kernel
def keep_heroes(rules, part, rosters, states, tables, tallies, heads, heroes, row, seating, filled):
    """Append a row for every hero of the game; returns the new number of rows."""
    rules.rosters(states[0], tables, rosters[SEATED])
    for seat in range(states[0].seats):
        player = part.player_at[seating, seat]
        for slot in range(part.given[player]):
            head = heads[filled]
            hero = rosters[SEATED, seat, slot]
            head.row, head.seat, head.player, head.slot, head.hero = row, seat, player, slot, hero
            head.chances = part.chances[seat, hero] if hero < ABILITIES else 0
            if part.record >= BASIC:
                heroes[filled] = tallies[0].hero[seat * part.team + slot]
            filled += 1
    return filled


@kernel
def gather_nodes(part, tallies):
    """Carry the node counts on to the next game."""
    for node in range(part.nodes):
        tallies[1].node[node] = tallies[0].node[node]
