"""The board: sets of nodes, who stands where, entering nodes, energy (sections 1, 2, 5)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.layout import CORNERS, EVENTS, SLOTS, STATE, TEAM, Event, Phase, Termination
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel, record_type, typed

ONE = np.uint64(1)
PAIRS_OF_BITS = np.uint64(0x5555555555555555)
FOURS_OF_BITS = np.uint64(0x3333333333333333)
EIGHTS_OF_BITS = np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES = np.uint64(0x0101010101010101)


@kernel
def bits(word):
    """Number of set bits of a uint64."""
    x = word - ((word >> ONE) & PAIRS_OF_BITS)
    x = (x & FOURS_OF_BITS) + ((x >> np.uint64(2)) & FOURS_OF_BITS)
    x = (x + (x >> np.uint64(4))) & EIGHTS_OF_BITS
    return np.int64((x * BYTES) >> np.uint64(56))


@kernel
def lowest_bit(word):
    """Index of the lowest set bit of a uint64 that is not 0."""
    return bits((word & (~word + ONE)) - ONE)


@kernel
def count(low, high):
    """Number of nodes in a set of two words."""
    return bits(low) + bits(high)


@kernel
def first(low, high):
    """First node of a set that is not empty, in node order."""
    return lowest_bit(low) if low else 64 + lowest_bit(high)


@kernel
def nth(low, high, index):
    """Node number `index` (from 0) of a set, in node order."""
    offset = 0
    word = low
    if index >= bits(low):
        index -= bits(low)
        word = high
        offset = 64
    for _ in range(index):
        word &= word - ONE
    return offset + lowest_bit(word)


@kernel
def has(low, high, tables, node):
    """Whether a set holds the node."""
    return ((low & tables.bit[node, 0]) | (high & tables.bit[node, 1])) != np.uint64(0)


@kernel
def shifted_up(low, high, steps):
    """A set with every node number raised by `steps` (1..63)."""
    places = np.uint64(steps)
    return low << places, (high << places) | (low >> (np.uint64(64) - places))


@kernel
def shifted_down(low, high, steps):
    """A set with every node number lowered by `steps` (1..63)."""
    places = np.uint64(steps)
    return (low >> places) | (high << (np.uint64(64) - places)), high >> places


@kernel
def neighbours(low, high, tables):
    """The nodes next to at least one node of a set (with bits beyond the board that the caller masks)."""
    up_low, up_high = shifted_up(low, high, 1)
    down_low, down_high = shifted_down(low, high, 1)
    beside_low = (up_low & tables.not_low[0]) | (down_low & tables.not_high[0])
    beside_high = (up_high & tables.not_low[1]) | (down_high & tables.not_high[1])
    right_low, right_high = shifted_up(low | beside_low, high | beside_high, tables.height)
    left_low, left_high = shifted_down(low | beside_low, high | beside_high, tables.height)
    return beside_low | right_low | left_low, beside_high | right_high | left_high


@kernel
def hero_at(state, node):
    """Slot of the hero on a node, NONE for an empty one (as int64: one type, one compilation)."""
    return np.int64(state.at[node])


@kernel
def beyond(tables, node, direction):
    """The node one step on, NONE off the board."""
    return np.int64(tables.beside[node, direction])


@kernel
def seat_of(slot):
    """Seat that owns a hero slot."""
    return slot // TEAM


@kernel
def friends(tables, slot, other):
    """Whether two heroes are on the same side."""
    return tables.side_of[seat_of(slot)] == tables.side_of[seat_of(other)]


@kernel
def sheltered(state, tables, node):
    """Whether the node lies in a used zone (section 2); unused corners are ordinary (JM6)."""
    corner = tables.corner[node]
    return corner != NONE and state.holder[corner] != NONE


@kernel
def in_own_zone(state, tables, slot, node):
    """Whether the node lies in the zone of the hero's own seat."""
    return tables.corner[node] != NONE and tables.corner[node] == state.zone[seat_of(slot)]


@kernel
def can_enter(state, tables, seat, origin, node):
    """Whether a hero of `seat` standing on `origin` may be put on `node`, apart from who stands there.

    On the board, not blocked, not in an opposing zone (JM17, JM23, JM64); own zones as `return_to_zone`
    says (JM5).
    """
    if node == NONE or tables.blocked[node]:
        return False
    corner = tables.corner[node]
    if corner == NONE or state.holder[corner] == NONE:
        return True
    if tables.side_of[state.holder[corner]] != tables.side_of[seat]:
        return False
    return tables.return_to_zone != 0 or tables.corner[origin] == corner


@kernel
def free_nodes(state, tables, seat, origin):
    """The empty nodes that a hero of `seat` may enter coming from `origin`, as a set of two words."""
    low = tables.open[0] & ~state.occupied[0]
    high = tables.open[1] & ~state.occupied[1]
    side = tables.side_of[seat]
    for corner in range(CORNERS):
        holder = state.holder[corner]
        if holder != NONE:
            own = tables.side_of[holder] == side
            if not own or (tables.return_to_zone == 0 and tables.corner[origin] != corner):
                low &= ~tables.corner_set[corner, 0]
                high &= ~tables.corner_set[corner, 1]
    return low, high


@kernel
def free_for(state, tables, slot, low, high):
    """The free nodes of one hero, from those of its seat: they differ where heroes may not return (JM5)."""
    if tables.return_to_zone:
        return low, high
    return free_nodes(state, tables, seat_of(slot), state.hero[slot].node)


@typed(lambda types: types.void(record_type(STATE), *[types.int64] * 5))
def note(state, what, who, whom, amount, node):
    """Write down something that this ply did, for the metrics."""
    if state.events < EVENTS:
        event = state.event[state.events]
        event.what = what
        event.who = who
        event.whom = whom
        event.amount = amount
        event.node = node
        state.events += 1


@kernel
def put(state, tables, slot, node):
    """Stand a hero on an empty node."""
    state.hero[slot].node = node
    state.at[node] = slot
    state.occupied[0] |= tables.bit[node, 0]
    state.occupied[1] |= tables.bit[node, 1]


@kernel
def lift(state, tables, slot):
    """Take a hero off its node; the node is empty at once (JM77)."""
    node = state.hero[slot].node
    state.at[node] = NONE
    state.occupied[0] &= ~tables.bit[node, 0]
    state.occupied[1] &= ~tables.bit[node, 1]
    state.hero[slot].node = NONE


@kernel
def enter(state, tables, slot, node):
    """Put a lifted hero on a node it enters, with what entering does (JM19, JM40)."""
    put(state, tables, slot, node)
    pass_through(state, tables, slot, node)


@kernel
def pass_through(state, tables, slot, node):
    """What entering a node does, also in the middle of a run or of a Fire Step (JM19, JM50, JM69)."""
    hero = state.hero[slot]
    note(state, Event.ENTERED, slot, NONE, 0, node)
    if not in_own_zone(state, tables, slot, node):
        hero.fresh = 0
    if tables.power[node]:
        amount = gain(state, tables, slot, tables.power_gain)
        note(state, Event.POWERED, slot, NONE, amount, node)


@kernel
def gain(state, tables, slot, amount):
    """Give energy up to the maximum; what does not fit is lost (JM21). Returns what was gained."""
    hero = state.hero[slot]
    got = min(amount, tables.maximum[hero.kind] - hero.energy)
    hero.energy += got
    return got


@kernel
def remove(state, tables, slot):
    """Take a defeated hero off the board until clean-up."""
    hero = state.hero[slot]
    if hero.node != NONE:
        lift(state, tables, slot)
    hero.energy = 0
    hero.fresh = 0
    hero.jumped = 0


@kernel
def finish(state, winner, termination):
    """End the game; nothing further is resolved (JM62)."""
    state.phase = Phase.OVER
    state.status = OVER
    state.termination = termination
    state.winner = winner
    state.to_move = NONE
    state.segment += state.segment & 1
    state.acting = NONE
    state.used = 0
    for slot in range(SLOTS):
        state.hero[slot].jumped = 0


@kernel
def check_target(state, tables, side):
    """End the game as soon as a side has its target (section 9)."""
    if state.status != OVER and state.vp[side] >= tables.target:
        finish(state, side, Termination.VP)
