"""The playout loop: pairs of games, in every seating, on streams of their own."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from balance.agents.choose import choose
from balance.agents.drafting import DRAFTED, SEATED, copies, draft_rosters, pick_number
from balance.agents.judging import (
    JUDGE,
    begin_judging,
    blank_judging,
    count_options,
    finish_judging,
    judge_position,
)
from balance.agents.lookahead import ALL, walk_turn
from balance.agents.trace import begin_trace, keep_action
from balance.agents.workspace import (
    AGENT,
    AGENTS,
    BEFORE,
    COUNT,
    DEAL,
    DICE,
    GAME,
    RANDOM,
    ROOT,
    SEARCH,
    lend,
)
from balance.kernel.contract import FIXED, NONE, OVER, ROSTER, SEATS, bundle
from balance.kernel.jit import inlined, kernel
from balance.kernel.rng import AGENT as AGENT_PURPOSE
from balance.kernel.rng import COUNT as COUNT_PURPOSE
from balance.kernel.rng import DEAL as DEAL_PURPOSE
from balance.kernel.rng import DICE as DICE_PURPOSE
from balance.kernel.rng import SEARCH as SEARCH_PURPOSE
from balance.kernel.rng import seed_stream
from balance.kernel.unowned import unowned

BASIC, FULL = 1, 2  # recording levels
KEPT_A_GAME = 100  # most positions of one game that are kept
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
        ("listed_turns", "i4"),  # 1: level full counts the ends of turns
        ("ability_bit", "i4"),
        ("nodes", "i4"),  # entries of the node tally
        ("team", "i4"),  # hero slots of a seat
        ("player_at", "i4", (SEATS, SEATS)),  # player on each seat in each seating, NONE beyond
        ("given", "i4", (SEATS,)),
        ("picks", "i4"),  # picks of the present draft
        ("pick", "i4", (SEATS, ROSTER)),  # heroes that each player drafted, in order; NONE beyond
        ("pick_number", "i4", (SEATS, ROSTER)),  # which pick of all that was, from 1
        ("chances", "i4", (SEATS, ABILITIES)),  # counted turns in which each ability was possible
        ("keep_every", "i4"),  # one turn end in so many has its position kept; 0 keeps none
        ("kept", "i4"),  # positions kept so far
        ("sides", "i4"),
        ("judge", JUDGE),  # of the running game
        ("watched", "i4"),  # seating whose actions are kept, NONE keeps none
        ("traced", "i4"),  # actions that it had, kept or not
        ("stands_for", "i4", (SEATS,)),  # earlier seating that each repeats, NONE where it was played
    ]
)

#: Beginning of a row of `heroes`, then counted turns in which the ability was possible, and pick number.
HERO_HEAD = np.dtype(
    [
        ("row", "i4"),
        ("seat", "i4"),
        ("player", "i4"),
        ("hero", "i4"),
        ("slot", "i4"),
        ("chances", "i4"),
        ("pick", "i4"),
    ]
)


class Cell(NamedTuple):
    """What is played and where it is written, as kernels see it."""

    part: Any  # PART record
    outlooks: Any  # tables as each player's evaluation reads them
    setups: Any  # the cell's set-up, and room for one seating
    tallies: Any  # the running game; a blank one that gathers the node counts
    rosters: Any  # DRAFTED and SEATED tables
    results: Any
    games: Any
    heads: Any
    heroes: Any
    states: Any  # positions kept at turn ends
    owners: Any  # the row of the game that each of them is of
    trace: Any  # actions of the seating `part.watched`, as far as they fit
    origins: Any  # its first position


def play_pairs(
    functions, tables, outlooks, setups, parts, arrays, tallies, rosters, results, games, heads, heroes,
    states, owners, trace, origins,
):  # fmt: skip
    """Play all pairs of `parts[0]`; returns rows of games and rows of heroes.

    Sizes: `results` and `games` pairs x seatings, `heads` and `heroes` that times all hero slots; `states`
    and `owners` KEPT_A_GAME times the games when positions are kept. Their number stands in `parts[0].kept`.
    `origins` holds one position when `parts[0].watched` is a seating.
    """
    rules = bundle(functions)
    work = lend(arrays)
    cell = Cell(
        parts[0], unowned(outlooks), unowned(setups), unowned(tallies), unowned(rosters), unowned(results),
        unowned(games), unowned(heads), unowned(heroes), unowned(states), unowned(owners),
        unowned(trace), unowned(origins),
    )  # fmt: skip
    cell.part.kept = 0
    rows, hero_rows = 0, 0
    for index in range(cell.part.first_pair, cell.part.first_pair + cell.part.pairs):
        draft_rosters(rules, work, tables, cell, index)
        first_row = rows
        for seating in range(cell.part.seatings):
            same = earlier_seating(cell.part, cell.rosters, seating)
            cell.part.stands_for[seating] = same
            if same != NONE:
                add_weight(cell.results, first_row, rows, same)
                continue
            begin_row(cell, index, seating, rows)
            play_game(rules, work, tables, cell, seating, index, rows)
            finish_row(rules, work, tables, cell, rows)
            hero_rows = keep_heroes(rules, work, tables, cell, rows, seating, hero_rows)
            rows += 1
    return rows, hero_rows


@inlined
def begin_row(cell, index, seating, row):
    """Seat the players and begin a row of results."""
    seat_players(cell.setups, cell.part, cell.rosters, seating)
    result = cell.results[row]
    result.pair, result.seating, result.weight = index, seating, 1
    result.stream = cell.part.stream_key
    if cell.part.record == FULL:
        blank_judging(result)
    for seat in range(SEATS):
        result.place[seat], result.counted[seat], result.ends[seat] = NONE, 0, 0
        for ability in range(ABILITIES):
            cell.part.chances[seat, ability] = 0


@inlined
def same_player(part, rosters, one, other):
    """Whether two players have the same agent and the same roster."""
    if part.agent[one].spec != part.agent[other].spec:
        return False
    if part.given[one] != part.given[other]:
        return False
    for place in range(part.given[one]):
        if rosters[DRAFTED, one, place] != rosters[DRAFTED, other, place]:
            return False
    return True


@inlined
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


@inlined
def add_weight(results, first_row, rows, seating):
    """Let an earlier game of the pair count once more."""
    for row in range(first_row, rows):
        if results[row].seating == seating:
            results[row].weight += 1


@inlined
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


@inlined
def seed_game(work, part, index):
    """Set the streams of a game: the same in every seating, at every skill level, under every rule."""
    seed_stream(work.streams[DEAL], part.stream_key, index, DEAL_PURPOSE)
    seed_stream(work.streams[DICE], part.stream_key, index, DICE_PURPOSE)
    seed_stream(work.streams[COUNT], part.stream_key, index, COUNT_PURPOSE)
    work.trees[0].seat = NONE
    for seat in range(SEATS):
        seed_stream(work.streams[AGENTS + seat], part.stream_key, index, AGENT_PURPOSE + seat)
        seed_stream(work.streams[SEARCH + seat], part.stream_key, index, SEARCH_PURPOSE + seat)
        work.minds[seat].segment = -1
        work.minds[seat].planned = 0


@inlined
def limit_seats(work, part, seating):
    """Tell every seat what its agent must not do."""
    for seat in range(SEATS):
        player = part.player_at[seating, seat]
        work.limits[seat] = part.agent[player].forbidden if player != NONE else np.uint64(0)


@kernel  # inlined, small games are two to four times as fast and compiling takes twice as long
def play_game(rules, work, tables, cell, seating, index, row):
    """Play one game in the first of `states`."""
    part, state = cell.part, work.states[GAME]
    seed_game(work, part, index)
    limit_seats(work, part, seating)
    rules.setup(state, tables, cell.setups[1], work.streams[DEAL])
    cell.tallies[0] = cell.tallies[1]
    counting = part.record == FULL and index % part.full_every == 0
    begin_judging(part.judge, counting)
    seated, last_segment = 0, -1
    first_kept, tracing = part.kept, part.watched == seating
    if tracing:
        begin_trace(work, cell)
    while state.status != OVER:
        seat, segment = state.to_move, state.segment
        if state.segment % 2 == 1 and state.segment != last_segment:
            last_segment = state.segment
            seated = note_place(cell.results[row], seat, seated)
            if counting and part.listed_turns:
                count_turn(rules, work, tables, cell, row, seat)
        if counting:
            count_options(rules, work, tables, part.judge)
        player = part.player_at[seating, seat]
        if part.agent[player].kind == RANDOM and work.limits[seat] == np.uint64(0):
            action = rules.sample(state, tables, work.actions[0], work.streams[AGENTS + seat])
        else:
            action = decide(rules, work, tables, cell, player, seat)
        if tracing:
            keep_action(part, cell.trace, action)
        if part.record >= BASIC:
            work.states[BEFORE] = work.states[GAME]
            rules.step(state, tables, action, work.streams[DICE])
            rules.observe(work.states[BEFORE], action, state, tables, cell.tallies[0])
        else:
            rules.step(state, tables, action, work.streams[DICE])
        if segment % 2 == 1 and state.segment != segment:
            if part.keep_every > 0:
                keep_position(work, cell, index, row, part.kept - first_kept)
            if counting and state.status != OVER:
                judge_position(rules, work, tables, part.judge, part.sides)


@kernel
def keep_position(work, cell, index, row, kept):
    """Keep the position at a turn's end, one in `keep_every`; `kept` are of this game already."""
    part, state = cell.part, work.states[GAME]
    if state.status == OVER or kept >= KEPT_A_GAME or (state.turn + index) % part.keep_every != 0:
        return
    cell.states[part.kept] = work.states[GAME]
    cell.owners[part.kept] = row
    part.kept += 1


@kernel
def decide(rules, work, tables, cell, player, seat):
    """The action of the player on a seat."""
    agent = cell.part.agent[player]
    return choose(rules, work, tables, cell.outlooks[player], agent, cell.part.side_of, seat)


@inlined
def note_place(result, seat, seated):
    """Number the seats in the order of their first turns; returns how many have had one."""
    if result.place[seat] == NONE:
        result.place[seat] = seated
        return seated + 1
    return seated


@kernel
def count_turn(rules, work, tables, cell, row, seat):
    """Count the ends of the turn that begins, and note which abilities it could use."""
    part, result = cell.part, cell.results[row]
    work.states[ROOT] = work.states[GAME]
    walk_turn(rules, work, tables, tables, part.side_of[seat], 0, ALL, COUNT)
    result.counted[seat] += 1
    result.ends[seat] += work.walks[0].ends
    if part.ability_bit >= 0:
        tags = work.walks[0].tags >> np.uint64(part.ability_bit)
        for ability in range(ABILITIES):
            part.chances[seat, ability] += np.int32((tags >> np.uint64(ability)) & np.uint64(1))


@inlined
def finish_row(rules, work, tables, cell, row):
    """Write the result of the game in `states[0]`, and its counts."""
    state, part, result = work.states[GAME], cell.part, cell.results[row]
    rules.score(state, tables, work.scores)
    result.winner = NONE
    for seat in range(SEATS):
        seated = seat < state.seats
        result.score[seat] = work.scores[part.side_of[seat]] if seated else np.nan
        if seated and result.score[seat] == 1.0:
            result.winner = part.side_of[seat]
    result.termination = state.termination
    result.turns = state.turn
    result.plies = state.ply
    if part.judge.at_work:
        finish_judging(result, part.judge, work.scores, part.sides)
    if part.record >= BASIC:
        cell.games[row] = cell.tallies[0].game
        gather_nodes(part, cell.tallies)


@inlined
def keep_heroes(rules, work, tables, cell, row, seating, filled):
    """Append a row for every hero of the game; returns the new number of rows."""
    part, seated = cell.part, cell.rosters[SEATED]
    rules.rosters(work.states[GAME], tables, seated)
    for seat in range(work.states[GAME].seats):
        player = part.player_at[seating, seat]
        for slot in range(part.given[player]):
            head, hero = cell.heads[filled], seated[seat, slot]
            head.row, head.seat, head.player, head.slot, head.hero = row, seat, player, slot, hero
            head.chances = part.chances[seat, hero] if hero < ABILITIES else 0
            head.pick = pick_number(part, player, hero, copies(cell.rosters, SEATED, seat, hero, slot))
            if part.record >= BASIC:
                cell.heroes[filled] = cell.tallies[0].hero[seat * part.team + slot]
            filled += 1
    return filled


@kernel
def gather_nodes(part, tallies):
    """Carry the node counts on to the next game."""
    for node in range(part.nodes):
        tallies[1].node[node] = tallies[0].node[node]
