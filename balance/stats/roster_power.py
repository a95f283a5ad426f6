"""Variance of hero, synergy and counter estimates under random rosters, before any game is played.

Two sides draw `size` heroes each, without replacement, from a deck with `copies` of each of v heroes. The
design is then invariant under renaming the heroes, so the information on every sum-zero effect is a multiple
of the identity, and the variance is sigma^2 / (N lambda) times the share of the effect's own space. For four
heroes a side and single copies this gives sigma^2 (v-1)^2 / (8 v N) for a hero, sigma^2 v (v-2) (v-3)^2 /
(24 (v-1) (v-8) N) for a synergy and sigma^2 (v-1) (v-2)^2 / (32 (v-8) N) for a counter.
Source: eigenvalues of the Johnson scheme J(v, 2) (Delsarte 1973) and of its antisymmetric companion.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from balance.stats.estimate import Refusal
from balance.stats.power import SIGMA

STIRLING = {0: (1,), 1: (0, 1), 2: (0, 1, 1)}  # x^p in falling factorials
TOO_FEW = "With {v} heroes and rosters of {size} {what} cannot be told from hero strength at all"
HELP = "More heroes in the pool, or smaller rosters, or several copies of a hero make it measurable."


@dataclass(frozen=True)
class Deck:
    """How rosters are drawn.

    Attributes
    ----------
    heroes : int
    size : int
        Heroes a side.
    copies : int
        Of each hero, over both sides.
    """

    heroes: int
    size: int = 4
    copies: int = 1

    @property
    def cards(self) -> int:
        """Cards in the deck."""
        return self.heroes * self.copies


def hero_variance(deck: Deck, sigma: float = SIGMA) -> float | Refusal:
    """Variance of a hero's strength times games: sigma^2 (1 - 1/v) (D - 1) / (2 m c), D = c v cards.

    Returns
    -------
    float or Refusal
        A refusal with fewer than two heroes, or when the deck is too small for two sides.
    """
    if refusal := _too_small(deck):
        return refusal
    information = 2 * deck.size * deck.copies / (deck.cards - 1)
    return sigma**2 * (1 - 1 / deck.heroes) / information


def synergy_variance(deck: Deck, sigma: float = SIGMA) -> float | Refusal:
    """Variance of one synergy s_ij (unshrunk) times games: sigma^2 (v-3) / ((v-1) lambda).

    lambda = E[X12 X12] - 2 E[X12 X13] + E[X12 X34] with X_ij = a_i a_j - b_i b_j, a and b the copies on
    either side.
    """
    if refusal := _too_small(deck):
        return refusal
    v = deck.heroes
    if v < 4 or deck.size < 2:
        return Refusal(TOO_FEW.format(v=v, size=deck.size, what="synergy") + ".", HELP)
    same = 2 * _moment(deck, (2, 2), (0, 0)) - 2 * _moment(deck, (1, 1), (1, 1))
    one = 2 * _moment(deck, (2, 1, 1), (0, 0, 0)) - 2 * _moment(deck, (1, 1, 0), (1, 0, 1))
    none = 2 * _moment(deck, (1, 1, 1, 1), (0,) * 4) - 2 * _moment(deck, (1, 1, 0, 0), (0, 0, 1, 1))
    information = same - 2 * one + none
    if information < 1e-12:
        return Refusal(TOO_FEW.format(v=v, size=deck.size, what="synergy") + ".", HELP)
    return sigma**2 * (v - 3) / ((v - 1) * information)


def counter_variance(deck: Deck, sigma: float = SIGMA) -> float | Refusal:
    """Variance of one counter c_ij (unshrunk) times games: sigma^2 (v-2) / (v lambda).

    lambda = E[Y12 Y12] - 2 E[Y12 Y13] with Y_ij = a_i b_j - a_j b_i.
    """
    if refusal := _too_small(deck):
        return refusal
    v = deck.heroes
    if v < 3:
        return Refusal(TOO_FEW.format(v=v, size=deck.size, what="a counter") + ".", HELP)
    same = 2 * _moment(deck, (2, 0), (0, 2)) - 2 * _moment(deck, (1, 1), (1, 1))
    one = 2 * _moment(deck, (2, 0, 0), (0, 1, 1)) - 2 * _moment(deck, (1, 0, 1), (1, 1, 0))
    information = same - 2 * one
    if information < 1e-12:
        return Refusal(TOO_FEW.format(v=v, size=deck.size, what="counters") + ".", HELP)
    return sigma**2 * (v - 2) / (v * information)


def _too_small(deck: Deck) -> Refusal | None:
    if deck.heroes < 2 or deck.size < 1 or deck.copies < 1:
        return Refusal("Hero effects need at least two heroes and a roster of at least one.")
    if 2 * deck.size > deck.cards:
        return Refusal(
            f"Two rosters of {deck.size} need {2 * deck.size} cards, and the deck has {deck.cards}.",
            "Give more heroes, more copies of each, or smaller rosters.",
        )
    return None


def _moment(deck: Deck, first: tuple[int, ...], second: tuple[int, ...]) -> float:
    """E[prod a_h^p_h b_h^r_h] over distinct heroes h: exponents of the two sides.

    Falling factorials of multivariate hypergeometric counts have the closed moments
    (c)_{p+r} ... (m)_{sum p} (m)_{sum r} / (D)_{sum}.
    """
    total = 0.0
    for p in product(*(range(e + 1) for e in first)):
        for r in product(*(range(e + 1) for e in second)):
            weight = 1.0
            for e, k in (*zip(first, p, strict=True), *zip(second, r, strict=True)):
                weight *= STIRLING[e][k]
            if weight:
                total += weight * _factorial_moment(deck, p, r)
    return total


def _factorial_moment(deck: Deck, p: tuple[int, ...], r: tuple[int, ...]) -> float:
    value = _falling(deck.size, sum(p)) * _falling(deck.size, sum(r)) / _falling(deck.cards, sum(p) + sum(r))
    for one, two in zip(p, r, strict=True):
        value *= _falling(deck.copies, one + two)
    return value


def _falling(x: int, k: int) -> float:
    value = 1.0
    for step in range(k):
        value *= x - step
    return value
