"""Do the statistics keep their promises? Intervals, p-values, verdicts and power over simulated runs.

Every row is a promise: what was measured, its own noise (two standard errors of the simulation), what is
promised, and whether the measured value lies there within its noise. Seeds are fixed. Leaves with 1 when a
promise is broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import output

COVERED = (0.935, 0.965)
VERDICT_LOOKS = 100
NORTH = {"north": 0.0}


@dataclass(frozen=True)
class Promise:
    """One row: a measured value and the range that it has to lie in."""

    what: str
    value: float
    low: float
    high: float
    runs: int
    noise: float = 0.0
    note: str = ""

    @property
    def kept(self) -> bool:
        """Whether it held, as far as so many runs can tell."""
        return self.low - self.noise <= self.value <= self.high + self.noise

    def row(self) -> dict[str, Any]:
        """As printed."""
        promised = f"{self.low:g} to {self.high:g}" if self.low > 0 else f"at most {self.high:g}"
        if self.high == 1 and self.low > 0:
            promised = f"above {self.low:g}"
        if self.note == SHOWN:
            promised = "-"
        kept = "yes" if self.kept else "NO"
        return {
            "what": self.what,
            "measured": f"{self.value:.4f}",
            "noise": f"{self.noise:.4f}" if self.noise else "",
            "promised": promised,
            "kept": "" if self.note == SHOWN else kept,
            "runs": self.runs,
        }


SHOWN = "no promise"  # a value that is only shown


def noise(share: float, runs: int) -> float:
    """Two standard errors of a share of independent runs."""
    return float(2 * np.sqrt(max(share * (1 - share), 0.0) / runs))


def covered(what: str, hits: Any, runs: int) -> Promise:
    """Share of intervals that held the truth; the runs are independent, the intervals of one run are not."""
    by_run = np.asarray(hits, dtype=float).reshape(runs, -1).mean(axis=1)
    spread = 2 * float(by_run.std()) / np.sqrt(runs)
    return Promise(f"coverage of 95 % intervals: {what}", float(by_run.mean()), *COVERED, runs, spread)


def at_most(what: str, share: float, most: float, runs: int) -> Promise:
    """An error rate."""
    return Promise(what, float(share), 0.0, most, runs, noise(float(share), runs))


def shown(what: str, value: float, runs: int) -> Promise:
    """A value without a promise."""
    return Promise(what, float(value), -np.inf, np.inf, runs, note=SHOWN)


def uniform(what: str, pvalues: Any, runs: int) -> Promise:
    """Kolmogorov and Smirnov's p-value for uniform p-values."""
    from scipy.stats import kstest

    return Promise(
        f"A/A p-values uniform (KS p): {what}", float(kstest(pvalues, "uniform").pvalue), 0.01, 1, runs
    )


def known(estimate: Any, truth: float) -> bool:
    """Whether an interval holds the truth."""
    return bool(estimate.low <= truth <= estimate.high)


def raw_p(estimate: Any, even: float, freedom: float) -> float:
    """Two-sided p-value against `even`, before any adjustment."""
    from balance.stats.estimate import two_sided

    return two_sided(estimate.value - even, estimate.se, freedom)


def heroes_and_seats(runs: int) -> list[Promise]:
    """Coverage with planted effects: strengths, the first seat, draws."""
    from balance.stats.heroes import strengths
    from balance.stats.seats import seat_results
    from tests.stats.planted import Truth, planted_sums

    truth, heroes, seats = Truth(arena=NORTH, draws=0.1, seat=0.04), [], []
    effects = {hero: 0.9 * one for hero, one in zip(truth.heroes, truth.strength, strict=True)}
    for seed in range(runs):
        sums = planted_sums(truth, 200, seed)
        heroes += [known(h.effect, effects[h.hero]) for h in strengths(sums, 0).heroes]
        seats.append(known(seat_results(sums)[0].places[0], 0.5 + 0.9 * truth.seat))
    return [covered("hero strength, 200 pairs", heroes, runs), covered("first seat, 200 pairs", seats, runs)]


def nothing_there(runs: int) -> list[Promise]:
    """A/A runs: uniform p-values, and the family-wise error of Holm's adjustment over the heroes."""
    from balance.stats.heroes import strengths
    from balance.stats.seats import seat_results
    from tests.stats.planted import Truth, planted_sums

    truth = Truth(strength=(0.0,) * 8, arena=NORTH, draws=0.1, seat=0.0)
    heroes, seats, wrong = [], [], []
    for seed in range(runs):
        sums = planted_sums(truth, 400, 10**6 + seed)
        table = strengths(sums, 0)
        heroes.append(raw_p(table.of(truth.heroes[seed % 8]).effect, 0, 400 - 7))
        seats.append(raw_p(seat_results(sums)[0].places[0], 0.5, 399))
        wrong.append(min(hero.p for hero in table.heroes) < 0.05)
    return [
        uniform("hero strength", heroes, runs),
        uniform("first seat", seats, runs),
        at_most("Holm over 8 heroes: any false finding at 5 %", np.mean(wrong), 0.05, runs),
    ]


def drafted(
    random: np.random.Generator, n: int, worth: Callable[[Any], Any], v: int = 10, size: int = 3
) -> Any:
    """Pairs of single-copy drafts; `worth(counts)` is what a roster's side adds to its chance."""
    from balance.stats.rosters import Piece

    order = random.random((n, v)).argsort(axis=1)
    counts = np.zeros((n, 2, v), np.int8)
    rows = np.arange(n)[:, None]
    counts[rows, 0, order[:, :size]] = 1
    counts[rows, 1, order[:, size : 2 * size]] = 1
    chance = np.clip(0.5 + worth(counts[:, 0]) - worth(counts[:, 1]), 0, 1)
    score = (random.random((2, n)) < chance).mean(axis=0)
    return Piece(counts, np.stack([score, 1 - score], axis=1))


def centred(random: np.random.Generator, v: int, tau: float) -> np.ndarray:
    """Symmetric synergies of spread tau whose rows sum to zero."""
    i, j = np.triu_indices(v, 1)
    held = np.zeros((v, v))
    held[i, j] = held[j, i] = random.normal(0, tau, len(i))
    return project(held)


def project(held: np.ndarray) -> np.ndarray:
    """The part of a symmetric matrix without diagonal that no sum of strengths explains."""
    v = len(held)
    rows = held.sum(axis=1)
    base = (rows - rows.sum() / (2 * (v - 1))) / (v - 2)
    found = held - base[:, None] - base[None, :]
    np.fill_diagonal(found, 0)
    return found


def pair_worth(synergy: np.ndarray) -> Callable[[Any], Any]:
    """What a roster's pairs add, half a matrix counted."""
    return lambda counts: np.einsum("ni,nj,ij->n", counts, counts, synergy, optimize=True) / 2


def synergies(runs: int) -> list[Promise]:
    """Synergies before and after shrinkage: all of them, and the one that looks largest."""
    from balance.stats.pair_effects import pair_tables

    names, place = tuple("abcdefghij"), {hero: i for i, hero in enumerate("abcdefghij")}
    raw, shrunk, top, top_shrunk, sizes = [], [], [], [], []
    for seed in range(runs):
        random = np.random.default_rng([3, seed])
        truth = centred(random, 10, 0.02)
        table = pair_tables([drafted(random, 3000, pair_worth(truth))], names)[0]
        held = [(pair, truth[place[pair.first], place[pair.second]]) for pair in table.pairs]
        raw += [known(pair.effect, true) for pair, true in held]
        shrunk += [known(pair.shrunk, true) for pair, true in held]
        largest, true = max(held, key=lambda one: abs(one[0].effect.value))
        top.append(known(largest.effect, true))
        top_shrunk.append(known(largest.shrunk, true))
        sign = np.sign(largest.effect.value)
        sizes.append((sign * largest.effect.value, sign * largest.shrunk.value, sign * true))
    seen, pulled, really = np.mean(sizes, axis=0)
    return [
        covered("synergy, not shrunk, 3000 pairs", raw, runs),
        shown("... shrunk, over all pairs of heroes", np.mean(shrunk), runs),
        shown("... of the synergy that looks largest: not shrunk", np.mean(top), runs),
        shown("... of the synergy that looks largest: shrunk", np.mean(top_shrunk), runs),
        shown("the largest synergy is overstated by a factor of: not shrunk", seen / really, runs),
        shown("the largest synergy is overstated by a factor of: shrunk", pulled / really, runs),
    ]


def differences(random: np.random.Generator, n: int, delta: float, discordance: float = 0.1) -> np.ndarray:
    """Paired differences of two games: each changes with chance `discordance`, up more often by delta."""
    kind = random.random((n, 2))
    up, down = (discordance + delta) / 2, (discordance - delta) / 2
    return ((kind < up).astype(float) - (kind > 1 - down)).mean(axis=1)


def deltas(runs: int) -> list[Promise]:
    """Paired differences: coverage, uniform p-values, false discoveries in a grid of half true nulls."""
    from balance.stats.deltas import paired_delta
    from balance.stats.multiple import benjamini_hochberg

    random, hits, same, false = np.random.default_rng(4), [], [], []
    for _ in range(runs):
        hits.append(known(paired_delta(differences(random, 500, 0.02)).effect, 0.02))
        same.append(paired_delta(differences(random, 5000, 0.0)).p)
    for _ in range(max(runs // 10, 20)):
        true = np.repeat([0.0, 0.02], 50)
        found = (
            benjamini_hochberg(np.array([paired_delta(differences(random, 800, d)).p for d in true])) < 0.05
        )
        false.append(found[:50].sum() / max(found.sum(), 1))
    return [
        covered("what-if delta, 500 pairs", hits, runs),
        uniform("what-if delta", same, runs),
        at_most("Benjamini-Hochberg at q = 5 %: false share of findings", np.mean(false), 0.05, len(false)),
    ]


def verdicts(runs: int) -> list[Promise]:
    """Truth exactly on the margin: wrong verdicts each way, looking once and looking a hundred times."""
    from balance.stats.sequences import sample_of
    from balance.stats.verdicts import FAIL, PASS, fixed_verdict, sequence_verdict

    random, margin, step = np.random.default_rng(5), 0.02, 50
    n = step * VERDICT_LOOKS
    count = dict.fromkeys(("pass", "fail", "once pass", "once fail", "same"), 0)
    for _ in range(runs):
        values, same = differences(random, n, margin), differences(random, n, 0.0)
        spread = n * 0.05  # planned pairs times the variance of a pair that was guessed
        seen = {sequence_verdict(sample, margin, spread).verdict for sample in looks(values, step)}
        none = {sequence_verdict(sample, margin, spread).verdict for sample in looks(same, step)}
        once = fixed_verdict(sample_of(values), margin).verdict
        count["pass"] += PASS in seen
        count["fail"] += FAIL in seen
        count["same"] += FAIL in none
        count["once pass"] += once == PASS
        count["once fail"] += once == FAIL
    many = f"{VERDICT_LOOKS} looks, truth on the margin: ever"
    return [
        at_most(f"{many} PASS (confidence sequence)", count["pass"] / runs, 0.025, runs),
        at_most(f"{many} FAIL (confidence sequence)", count["fail"] / runs, 0.025, runs),
        at_most(f"{VERDICT_LOOKS} looks, nothing changed: ever FAIL", count["same"] / runs, 0.05, runs),
        at_most(
            "one look, truth on the margin: PASS (two one-sided tests)", count["once pass"] / runs, 0.05, runs
        ),
        at_most("one look, truth on the margin: FAIL", count["once fail"] / runs, 0.025, runs),
    ]


def looks(values: np.ndarray, step: int) -> list[Any]:
    """The sample as it grows."""
    from balance.stats.sequences import Sample

    n = np.arange(step, len(values) + 1, step)
    total, square = np.cumsum(values)[n - 1], np.cumsum(values**2)[n - 1]
    return [
        Sample(int(k), float(t / k), float(max(s - t * t / k, 0.0)))
        for k, t, s in zip(n, total, square, strict=True)
    ]


def power(runs: int) -> list[Promise]:
    """Share of runs that find a planted effect, less the share that was predicted: within 3 points."""
    from balance.stats.deltas import paired_delta
    from balance.stats.power import difference_power, normal_power
    from balance.stats.roster_power import Deck, hero_variance, synergy_variance

    random, n = np.random.default_rng(6), 2000
    deck, games = Deck(10, 3, 1), 2 * n
    strength = np.where(np.arange(10) == 0, 0.027, -0.003)
    one = np.zeros((10, 10))
    one[0, 1] = one[1, 0] = 0.08
    pair = project(one)
    found = dict.fromkeys(("hero", "synergy", "seat", "delta"), 0)
    for _ in range(runs):
        found["hero"] += hero_found(drafted(random, n, lambda counts: counts @ strength))
        found["synergy"] += synergy_found(drafted(random, n, pair_worth(pair)))
        seats = (random.random((n, 2)) < 0.52).mean(axis=1)
        found["seat"] += abs(seats.mean() - 0.5) / (seats.std(ddof=1) / np.sqrt(n)) > 1.96
        found["delta"] += paired_delta(differences(random, n, 0.012)).p < 0.05
    predicted = {
        "hero": normal_power(0.027, np.sqrt(hero_variance(deck) / games)),
        "synergy": normal_power(pair[0, 1], np.sqrt(synergy_variance(deck) / games)),
        "seat": normal_power(0.02, np.sqrt(0.25 / games)),
        "delta": difference_power(games, 0.012, np.sqrt(0.1)),
    }
    return [
        Promise(
            f"power, {name}: predicted {predicted[name]:.3f}, seen {found[name] / runs:.3f}; difference",
            abs(found[name] / runs - predicted[name]),
            0.0,
            0.03,
            runs,
            noise(predicted[name], runs),
        )
        for name in found
    ]


def hero_found(piece: Any) -> bool:
    """Whether the first hero differs at 5 %, unadjusted."""
    from balance.stats.estimate import two_sided
    from balance.stats.least_squares import fit

    result = fit([piece])
    return two_sided(float(result.effects[0]), float(np.sqrt(result.covariance[0, 0])), result.freedom) < 0.05


def synergy_found(piece: Any) -> bool:
    """Whether the first pair of heroes differs at 5 %, unadjusted."""
    from balance.stats.estimate import two_sided
    from balance.stats.pair_effects import fit_pairs

    result = fit_pairs([piece], 10)
    error = float(result.synergy_errors[0, 1])
    return two_sided(float(result.synergies[0, 1]), error, result.freedom) < 0.05


def until(runs: int) -> list[Promise]:
    """Runs that end by themselves: any look whose interval missed, with games sent where they help."""
    from balance.stats.allocation import Question, next_round
    from balance.stats.questions import Answer

    random, chances, missed = np.random.default_rng(7), np.array([0.5, 0.9, 0.97]), []
    for _ in range(runs):
        question, pairs, wrong = Question("mean", 0.02), dict.fromkeys(range(3), 100), False
        while pairs:
            held = {cell: (random.random((n, 2)) < chances[cell]).mean(axis=1) for cell, n in pairs.items()}
            mean = float(np.mean([values.mean() for values in held.values()]))
            squares = {c: max(float(x.var(ddof=1)), 0.25 / len(x)) / 9 for c, x in held.items()}
            question.add(Answer("mean", mean, squares), pairs)
            wrong |= not known(question.estimate(), chances.mean())
            pairs = next_round([question], dict.fromkeys(range(3), 20), 10**6, 50)
        missed.append(wrong)
    return [at_most("until an interval is narrow: some look missed the truth", np.mean(missed), 0.05, runs)]


PARTS: dict[str, tuple[Callable[[int], list[Promise]], int]] = {
    "heroes": (heroes_and_seats, 1500),
    "nothing": (nothing_there, 1500),
    "synergy": (synergies, 400),
    "delta": (deltas, 4000),
    "verdict": (verdicts, 2000),
    "power": (power, 2000),
    "until": (until, 2000),
}


def main(arguments: list[str]) -> int:
    """Simulate and print."""
    parser = output.parser("calibration", __doc__)
    parser.add_argument("--only", choices=list(PARTS), nargs="+", default=list(PARTS))
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the usual number of simulated runs"
    )
    options = parser.parse_args(arguments)
    promises = []
    for name in options.only:
        function, runs = PARTS[name]
        promises += function(max(int(runs * options.scale), 20))
    output.show("calibration", [promise.row() for promise in promises])
    return 0 if all(promise.kept for promise in promises) else 1
