"""Checks a plan against its game: names, teams, matchups, agents; every fault with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from balance.config.agents import SETTINGS_OF, AgentSpec, parse_agent
from balance.config.models import SEATS, Plan
from balance.config.validate import check, in_order
from balance.config.words import did_you_mean, listed
from balance.config.yaml_lines import Document, Path_
from balance.errors import BalanceError, ConfigError, Problem
from balance.games import get_game
from balance.games.game import Game, Mode, Ruleset
from balance.play.matchups import MOST, Matchup, combinations, copies, round_robin
from balance.play.restrict import find_restrictions, forbidding

FIRST_PAIRS = 200  # a cell, in the first look of a run that ends by itself


@dataclass(frozen=True)
class Found:
    """What a plan means; see ``play.plan.LoadedPlan``."""

    plan: Plan
    game: Game
    mode: Mode
    ruleset: Ruleset
    rosters: Mapping[str, tuple[str, ...]]
    arenas: tuple[str, ...]
    matchups: tuple[Matchup, ...]
    levels: tuple[tuple[AgentSpec, ...], ...]
    notes: tuple[str, ...]


class Loader:
    """Checks one plan document against its game; collects problems and raises them together."""

    def __init__(self, document: Document, folder: Path) -> None:
        self.document = document
        self.folder = folder
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self.pruned: set[str] = set()
        self.plan = self.check_shape()

    def load(self) -> Found:
        """What the plan means; ConfigError with every problem found."""
        self.game = self.find_game()
        self.mode = self.find_mode()
        self.ruleset = self.load_ruleset()
        arenas = self.find_arenas()
        levels = self.find_levels()
        self.check_draft()
        rosters = self.find_rosters()
        until = self.find_until()
        self.stop_if_wrong()
        matchups = self.find_matchups(rosters, levels)
        self.stop_if_wrong()
        name = self.plan.name or re.sub(r"[^\w -]", "_", Path(self.document.name).stem.strip("-")) or "plan"
        plan = self.plan.model_copy(update={"name": name, "mode": self.mode.name, **until})
        found = (plan, self.game, self.mode, self.ruleset, rosters, arenas, matchups, levels)
        return Found(*found, notes=tuple(self.notes))

    def check_shape(self) -> Plan:
        """The plan as a model; with faults, of the keys that have none, so that these are checked too."""
        try:
            return check(Plan, self.document)
        except ConfigError as error:
            self.problems = error.problems
            self.pruned = {problem.path.split(".")[0] for problem in error.problems}
            if self.pruned & {"", "game", "mode", "configs"}:
                raise  # without these nothing else can be judged
            rest = {key: value for key, value in self.document.data.items() if key not in self.pruned}
            return check(Plan, replace(self.document, data=rest))

    def wrong(self, path: Path_, message: str, hint: str = "", key: bool = False) -> None:
        """Note a problem at a path of the plan."""
        self.problems.append(self.document.problem(path, message, hint, key=key))

    def unknown(self, path: Path_, what: str, name: str, known: Iterable[str], key: bool = False) -> None:
        """Note a name that does not exist."""
        self.wrong(path, f"unknown {what} '{name}'", did_you_mean(name, known), key=key)

    def stop_if_wrong(self) -> None:
        """Raise what was noted so far."""
        if self.problems:
            raise ConfigError(in_order(self.problems))

    def find_game(self) -> Game:
        """The game of the plan; nothing else can be checked without it."""
        try:
            return get_game(self.plan.game)
        except BalanceError as error:
            raise ConfigError([self.document.problem("game", error.message, error.hint)]) from None

    def find_mode(self) -> Mode:
        """The mode, the game's first when none is named or the name is wrong."""
        names = [mode.name for mode in self.game.modes]
        if self.plan.mode is None or self.plan.mode in names:
            return self.game.mode(self.plan.mode or names[0])
        self.unknown(("mode",), "mode", self.plan.mode, names)
        return self.game.modes[0]

    def load_ruleset(self) -> Ruleset:
        """The game's numbers with the plan's overrides; without them when these are wrong."""
        schema = self.game.part("schema")
        folder = self.config_folder()
        overrides = {"rules": self.plan.rules, "heroes": self.plan.heroes}
        try:
            return schema.load_ruleset(folder, overrides, self.mode.name)
        except ConfigError as error:
            ours = [problem for problem in error.problems if problem.file == schema.OVERRIDES]
            self.problems += [problem for problem in error.problems if problem.file != schema.OVERRIDES]
            for problem in ours:
                at_key = problem.message.startswith("unknown key")
                self.wrong(self.path_of(problem.path), problem.message, problem.hint, key=at_key)
            if not ours:
                self.stop_if_wrong()
        return schema.load_ruleset(folder)

    def path_of(self, dotted: str) -> Path_:
        """A dotted path as the document has it."""
        return next((path for path in self.document.marks if ".".join(map(str, path)) == dotted), ("rules",))

    def config_folder(self) -> Path | None:
        """Where the numbers are read from; None for the shipped ones."""
        if self.plan.configs is None:
            return None
        typed = self.document.mark("configs").file.startswith("--")
        folder = (Path() if typed else self.folder) / self.plan.configs
        try:
            there = folder.is_dir()
        except OSError:  # a name too long, or a folder that we may not enter
            there = False
        if not there:
            hint = f"make one with: balance init {self.game.slug} {self.plan.configs}"
            self.wrong(("configs",), f"there is no folder {folder}", hint)
            self.stop_if_wrong()
        return folder

    def find_arenas(self) -> tuple[str, ...]:
        """The arenas in the plan's order."""
        known, names = self.ruleset.arenas, self.plan.arenas
        if isinstance(names, str):
            return tuple(known)
        if not names:
            self.wrong(("arenas",), "names no arena", "leave the key out to play them all")
        for place, name in enumerate(names):
            if name not in known:
                self.unknown(("arenas", place), "arena", name, known)
            elif name in names[:place]:
                self.wrong(("arenas", place), f"the arena {name} stands twice")
        return names

    def find_levels(self) -> tuple[tuple[AgentSpec, ...], ...]:
        """One agent per player for every skill level, with what the plan forbids it."""
        return forbidding(self.find_agents(), find_restrictions(self))

    def find_agents(self) -> tuple[tuple[AgentSpec, ...], ...]:
        """One agent per player for every skill level, as the plan's ``agents`` names them."""
        agents, seats = self.plan.agents, SEATS[: self.mode.seats]
        if isinstance(agents, Mapping):
            for seat in agents:
                if seat not in seats:
                    self.no_seat(("agents", seat), seat)
            if missing := [seat for seat in seats if seat not in agents]:
                message = f"names no agent for seat {listed(missing)}"
                self.wrong(("agents",), message, "name one for every seat")
                return ()
            return (tuple(self.find_agent(("agents", seat), agents[seat]) for seat in seats),)
        if not agents:
            self.wrong(("agents",), "names no agent", "for example [random, greedy]")
        for place, text in enumerate(agents):
            if text in agents[:place]:
                self.wrong(("agents", place), f"the agent {text} stands twice")
        return tuple(
            (self.find_agent(("agents", place), text),) * len(seats) for place, text in enumerate(agents)
        )

    def find_agent(self, path: Path_, text: str) -> AgentSpec:
        """An agent from its text; what it must not do is something that the game has."""
        spec = parse_agent(text)
        for name in spec.restrict:
            if fault := self.game.restriction_fault(name):
                self.wrong(path, *fault)
        for name, _ in spec.settings:
            known = (*SETTINGS_OF[spec.kind], *self.ruleset.weights)
            if name not in known and spec.kind == "random":
                self.wrong(path, f"the agent random has no setting {name}", "it plays without thinking")
            elif name not in known:
                message = f"unknown setting '{name}' of the agent {spec.kind}"
                self.wrong(path, message, did_you_mean(name, known))
        return spec

    def no_seat(self, path: Path_, seat: str) -> None:
        """Note a seat that the mode does not have, at its key."""
        seats = listed(SEATS[: self.mode.seats])
        self.wrong(path, f"there is no seat {seat} in mode {self.mode.name}", f"seats: {seats}", key=True)

    def check_draft(self) -> None:
        """The draft's format is one that the game has, and nothing asks for teams beside it."""
        plan, formats = self.plan, self.game.drafts[1:]
        if plan.draft is None:
            if plan.teams is None and self.game.roster_size and not self.pruned & {"teams", "draft"}:
                draft = f" or `draft: {{format: {formats[0]}}}`" if formats else ""
                hint = f"add `teams: recommended`{draft}"
                self.wrong((), "the plan names neither teams nor a draft", hint)
            return
        if plan.draft.format == self.game.drafts[0]:
            self.wrong(("draft", "format"), f"{plan.draft.format} is no draft", "give the rosters as teams")
        elif plan.draft.format not in formats:
            self.unknown(("draft", "format"), "draft format", plan.draft.format, formats)
        if plan.matchups != "round_robin":
            self.wrong(("matchups",), "matchups need teams, and this plan drafts", "remove one", key=True)
        if plan.mirror:
            self.wrong(("mirror",), "mirror needs teams, and this plan drafts", "remove one", key=True)

    def find_until(self) -> dict[str, object]:
        """What a run that ends by itself asks, and the pairs of its first look where none are named."""
        until, plan = self.plan.until, self.plan
        if until is None:
            return {}
        usual = "team" if plan.teams else "hero_strength" if plan.draft else "seat"
        metric = until.metric or usual
        if metric in ("team", "matchup") and not plan.teams:
            self.wrong(("until", "metric"), f"the plan has no teams, so there is no {metric} to ask about")
        if metric == "hero_strength" and not self.game.roster_size:
            self.wrong(("until", "metric"), "this game has no heroes", "ask for seat")
        found: dict[str, object] = {"until": until.model_copy(update={"metric": metric})}
        return found if "pairs" in plan.model_fields_set else found | {"pairs": FIRST_PAIRS}

    def find_rosters(self) -> dict[str, tuple[str, ...]]:
        """Heroes by team name."""
        teams, ready = self.plan.teams, self.ruleset.teams
        if teams is None:
            return {}
        if isinstance(teams, Mapping):
            rosters = dict(teams)
        elif isinstance(teams, str):  # the word recommended
            rosters = {name: team.heroes for name, team in ready.items()}
        else:
            rosters = self.ready_made(teams)
        if not rosters:
            self.wrong(("teams",), "names no team", f"ready-made: {listed(ready)}" if ready else "")
        for name, heroes in rosters.items():
            self.check_roster(("teams", name) if isinstance(teams, Mapping) else ("teams",), name, heroes)
        return rosters

    def ready_made(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Rosters of a list of ready-made teams."""
        for place, name in enumerate(names):
            if name not in self.ruleset.teams:
                self.unknown(("teams", place), "ready-made team", name, self.ruleset.teams)
            elif name in names[:place]:
                self.wrong(("teams", place), f"the team {name} stands twice")
        return {name: self.ruleset.teams[name].heroes for name in names if name in self.ruleset.teams}

    def check_roster(self, path: Path_, name: str, heroes: Sequence[str]) -> None:
        """Known heroes, not too many, no more copies than there are."""
        known, most = self.ruleset.heroes, self.roster_size()
        for place, hero in enumerate(heroes):
            if hero not in known:
                self.unknown((*path, place), "hero", hero, known)
            elif heroes[: place + 1].count(hero) == self.game.copies_in_roster + 1:
                self.wrong((*path, place), self.too_often(hero))
        if not 1 <= len(heroes) <= most:
            given = f"has {len(heroes)} heroes" if heroes else "has no heroes"
            limit = f"{self.game.roster_parameter} allows 1 to {most}"
            self.wrong(path, f"the team {name} {given}; {limit}", "remove some" if heroes else "name some")

    def too_often(self, hero: str) -> str:
        """Why a team cannot have one more copy of a hero."""
        if self.game.copies_in_roster == self.game.copies:
            return f"there are only {self.game.copies} copies of {hero}"
        return f"no team holds more than {self.game.copies_in_roster} of {hero}"

    def roster_size(self) -> int:
        """Most heroes of a roster under the plan's rules."""
        return int(self.ruleset.values.get(self.game.roster_parameter, self.game.roster_size))

    def find_matchups(
        self, rosters: Mapping[str, tuple[str, ...]], levels: Sequence[Sequence[AgentSpec]]
    ) -> tuple[Matchup, ...]:
        """Who meets whom."""
        if not rosters:
            return ()
        if not isinstance(self.plan.matchups, str):
            return self.named_matchups(self.plan.matchups, rosters)
        if combinations(len(rosters), self.mode, self.plan.mirror) > MOST:
            self.wrong(("teams",), f"more than {MOST} combinations of teams", "name the matchups to play")
            return ()
        ordered = any(len(set(level)) > 1 for level in levels)
        every = list(round_robin(list(rosters), self.mode, self.plan.mirror, ordered))
        legal = tuple(matchup for matchup in every if not self.too_many(matchup, rosters))
        if len(legal) < len(every):
            reason = f"with more than {self.game.copies} copies of a hero"
            self.notes.append(f"{len(every) - len(legal)} of {len(every)} matchups {reason} are left out")
        if not legal:
            self.no_matchup(rosters, bool(every))
        return legal

    def no_matchup(self, rosters: Mapping[str, tuple[str, ...]], crowded: bool) -> None:
        """Say why a round robin is empty."""
        if crowded:
            message = f"every matchup of these teams has more than {self.game.copies} copies of a hero"
            self.wrong(("teams",), message, "give them different heroes")
            return
        named = f"{len(rosters)} named" if len(rosters) > 1 else "one is named"
        message = f"a round robin in mode {self.mode.name} needs {self.mode.seats} teams; {named}"
        hint = "add teams, or set `mirror: true` so that teams also meet themselves"
        self.wrong(("teams",), message, hint)

    def named_matchups(
        self, matchups: tuple[Matchup, ...], rosters: Mapping[str, tuple[str, ...]]
    ) -> tuple[Matchup, ...]:
        """The matchups that the plan lists, each checked."""
        if not matchups:
            self.wrong(("matchups",), "names no matchup", "leave the key out for a round robin")
        if self.plan.mirror:
            self.wrong(
                ("mirror",), "mirror goes with a round robin only", "list those matchups too", key=True
            )
        for place, matchup in enumerate(matchups):
            self.check_matchup(("matchups", place), matchup, rosters)
            if matchup in matchups[:place]:
                self.wrong(("matchups", place), "this matchup stands twice")
        return matchups

    def check_matchup(self, path: Path_, matchup: Matchup, rosters: Mapping[str, tuple[str, ...]]) -> None:
        """One known team per seat, and no more copies of a hero than there are."""
        unknown = [(seat, team) for seat, team in enumerate(matchup) if team not in rosters]
        for seat, team in unknown:
            self.unknown((*path, seat), "team", team, rosters)
        if len(matchup) != self.mode.seats:
            message = f"names {len(matchup)} teams; mode {self.mode.name} has {self.mode.seats} seats"
            self.wrong(path, message, "name one team per seat")
        elif not unknown and (hero := self.too_many(matchup, rosters)):
            count = copies(matchup, rosters)[hero]
            self.wrong(path, f"has {count} copies of {hero}; there are {self.game.copies} in all")

    def too_many(self, matchup: Matchup, rosters: Mapping[str, tuple[str, ...]]) -> str:
        """The first hero of which a matchup needs more copies than there are, or empty text."""
        counted = copies(matchup, rosters)
        return next((hero for hero, count in counted.items() if count > self.game.copies), "")
