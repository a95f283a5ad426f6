"""A replayed game as frozen data for a picture that moves: who stands where, and what each ply changes.

Only changes are kept, so that three replays cost a page little. Nothing here knows a game: pieces, points
and chance are what its notation offers (``games.game``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from balance.games.piece import NONE, Piece
from balance.games.position import Position
from balance.report.portraits import portraits
from balance.report.sections_arenas import clean_rows, node_grid
from balance.report.words import listed, plural, title
from balance.study.replay import Replay as Played
from balance.study.stepping import SEATS, estimates, pieces_of, points_of, tiles_of

REMOVED, COUNTED = 2, 1  # marks of a frame: a piece left the board; points changed


@dataclass(frozen=True)
class Figure:
    """A piece as it is drawn.

    Attributes
    ----------
    seat, side : int
    name : str
        For people; empty for pieces that nobody tells apart.
    letters : str
        Its portrait: initials, else the letter of its seat.
    """

    seat: int
    side: int
    name: str
    letters: str


@dataclass(frozen=True)
class Frame:
    """What one ply changes.

    Attributes
    ----------
    turn : int
    seat : str
        Letter of the seat that decided.
    text, chance : str
    moves : tuple of (int, int, str)
        Figure, node (NONE off the board), number that it carries.
    points : tuple of int
        Of each side, when they changed; else empty.
    marks : int
        REMOVED, COUNTED or 0.
    tiles : tuple of (int, int, str)
        Node, side (NONE for nobody's) and word of each tile that changed; no side and no word: it is gone.
    """

    turn: int
    seat: str
    text: str
    chance: str
    moves: tuple[tuple[int, int, str], ...]
    points: tuple[int, ...]
    marks: int
    tiles: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True)
class Seat:
    """Who sat where: letter, side, agent, team and heroes in words; figures listed beside the board."""

    letter: str
    side: int
    agent: str
    team: str
    heroes: str
    figures: tuple[int, ...]


@dataclass(frozen=True)
class Replay:
    """One game as a picture that moves.

    Attributes
    ----------
    game, title, ending, command : str
        Id, where it was played, how it ended, the command that prints it.
    rows : tuple of str
        Legend characters of the arena, top row first; empty when there is no board to draw.
    looks : dict of str to str
        Legend character to look.
    nodes : tuple of str
        Node names.
    spots : tuple of (int, int)
        Column and row of each node, from the left and from the top.
    sides : tuple of str
        Seat letters of each side.
    seats : tuple of Seat
    figures : tuple of Figure
    start : tuple of (int, str)
        Node and number of each figure before the first ply.
    tiles : tuple of (int, int, str)
        Node, side and word of each tile before the first ply.
    points : tuple of int
        Of each side before the first ply; empty when nothing is counted.
    points_name : str
    frames : tuple of Frame
    line : tuple of (int, tuple of float)
        Ply and the game's own estimate for each side, at the end of every turn; the result at the end.
    notes : tuple of str
        Differences from the stored rows, and what else must be said.
    """

    game: str
    title: str
    ending: str
    command: str
    rows: tuple[str, ...]
    looks: dict[str, str]
    nodes: tuple[str, ...]
    spots: tuple[tuple[int, int], ...]
    sides: tuple[str, ...]
    seats: tuple[Seat, ...]
    figures: tuple[Figure, ...]
    start: tuple[tuple[int, str], ...]
    tiles: tuple[tuple[int, int, str], ...]
    points: tuple[int, ...]
    points_name: str
    frames: tuple[Frame, ...]
    line: tuple[tuple[int, tuple[float, ...]], ...]
    notes: tuple[str, ...]

    @property
    def final(self) -> tuple[tuple[int, str], ...]:
        """Node and number of each figure after the last ply."""
        places = list(self.start)
        for frame in self.frames:
            for figure, node, text in frame.moves:
                places[figure] = (node, text)
        return tuple(places)

    @property
    def final_tiles(self) -> dict[int, tuple[int, str]]:
        """Side and word of what lies on each node after the last ply, or lay there before."""
        laid = [*self.tiles, *(tile for frame in self.frames for tile in frame.tiles)]
        return {node: (side, text) for node, side, text in laid}

    @property
    def final_points(self) -> tuple[int, ...]:
        """Of each side after the last ply."""
        return next((frame.points for frame in reversed(self.frames) if frame.points), self.points)

    def standing(self, seat: int) -> int:
        """How many of a seat's figures are on the board after the last ply."""
        places = zip(self.figures, self.final, strict=True)
        return sum(figure.seat == seat and place[0] != NONE for figure, place in places)

    @property
    def mark(self) -> int:
        """The strongest mark that any frame carries: what the jump buttons jump to."""
        return max((frame.marks for frame in self.frames), default=0)

    def turns(self) -> list[tuple[int, list[tuple[int, Frame]]]]:
        """Number of each turn, and its frames with their ply numbers; 0 before the first."""
        found: list[tuple[int, list[tuple[int, Frame]]]] = []
        for number, frame in enumerate(self.frames, 1):
            if not found or found[-1][0] != frame.turn:
                found.append((frame.turn, []))
            found[-1][1].append((number, frame))
        return found


@dataclass
class Cast:
    """Who takes part: pieces of one position after another, each kept apart from those of the same name."""

    keys: list[tuple[int, str]] = field(default_factory=list)
    places: list[tuple[int, str]] = field(default_factory=list)

    def follow(self, pieces: Iterable[Piece]) -> tuple[tuple[int, int, str], ...]:
        """Move to the next position; returns the figures that changed, with node and number.

        A piece on a node where one of its name stood is that one; those left over take over from the others
        of their name, first from those on the board. Who has no piece any more is off the board.
        """
        wanted: dict[tuple[int, str], list[Piece]] = {}
        for piece in pieces:
            wanted.setdefault((piece.seat, piece.name), []).append(piece)
        now: dict[int, tuple[int, str]] = {}
        for key, group in wanted.items():
            now |= self._matched(key, group)
        moves = []
        for figure in range(len(self.keys)):
            place = now.get(figure, (NONE, ""))
            if place != self.places[figure]:
                moves.append((figure, *place))
                self.places[figure] = place
        return tuple(moves)

    def _matched(self, key: tuple[int, str], group: Sequence[Piece]) -> dict[int, tuple[int, str]]:
        free = [figure for figure, known in enumerate(self.keys) if known == key]
        found, left = {}, []
        for piece in group:
            same = next((figure for figure in free if self.places[figure][0] == piece.node), None)
            if same is None:
                left.append(piece)
            else:
                found[same] = (piece.node, piece.text)
                free.remove(same)
        free.sort(key=lambda figure: (self.places[figure][0] == NONE, figure))
        for piece in left:
            figure = free.pop(0) if free else self._new(key)
            found[figure] = (piece.node, piece.text)
        return found

    def _new(self, key: tuple[int, str]) -> int:
        self.keys.append(key)
        self.places.append((NONE, ""))
        return len(self.keys) - 1


def replay_view(played: Played, folder: str = "RUN") -> Replay:
    """The picture of a game; `folder` is the run as commands name it."""
    game, start, cast = played.plan.game, played.start, Cast()
    notation = game.part("notation")
    cast.follow(pieces_of(start))
    first = list(cast.places)
    frames = tuple(_frames(played, cast))
    first += [(NONE, "")] * (len(cast.keys) - len(first))
    rows = clean_rows(start.arena.rows)
    nodes = tuple(notation.node_names(start.ruleset, start.arena.slug))
    grid = node_grid(rows, nodes) or {}
    spots = {index: (column, row) for (row, column), index in grid.items()}
    figures = _figures(played, cast.keys)
    return Replay(
        str(played.id),
        f"{title_of(played, 'arenas', start.arena.slug)}, {played.mode.name}",
        ending(played),
        f"balance replay {folder} {played.id}",
        rows if len(spots) == len(nodes) and figures else (),
        {char: look for char, (_, look) in getattr(notation, "LEGEND", {}).items()},
        nodes,
        tuple(spots[index] for index in range(len(nodes))) if len(spots) == len(nodes) else (),
        tuple(played.mode.side_name(side) for side in range(played.mode.sides)),
        _seats(played, figures),
        figures,
        tuple(first),
        tuple((node, *tile) for node, tile in laid(start).items()),
        points_of(start),
        str(getattr(notation, "POINTS", "points")),
        frames,
        tuple(_line(played)),
        (*played.differences, *played.notes),
    )


def laid(position: Position) -> dict[int, tuple[int, str]]:
    """What lies on nodes: side (NONE for nobody's), and a word or the letter of the seat."""
    sides = position.mode.side_of_seat
    return {
        tile.node: (NONE if tile.seat == NONE else sides[tile.seat], tile.text or SEATS[tile.seat])
        for tile in tiles_of(position)
    }


def _changed(
    before: Mapping[int, tuple[int, str]], now: Mapping[int, tuple[int, str]]
) -> tuple[tuple[int, int, str], ...]:
    nodes = sorted({*before, *now})
    pairs = ((node, now.get(node, (NONE, ""))) for node in nodes)
    return tuple((node, *tile) for node, tile in pairs if tile != before.get(node, (NONE, "")))


def _frames(played: Played, cast: Cast) -> Iterable[Frame]:
    points, tiles = points_of(played.start), laid(played.start)
    for ply in played.plies:
        before = list(cast.places)
        moves = cast.follow(pieces_of(ply.after))
        gone = any(
            node == NONE and figure < len(before) and before[figure][0] != NONE for figure, node, _ in moves
        )
        counted = ply.points != points
        yield Frame(
            ply.turn,
            SEATS[ply.seat],
            ply.text,
            ply.chance,
            moves,
            ply.points if counted else (),
            REMOVED if gone else COUNTED if counted else 0,
            _changed(tiles, now := laid(ply.after)),
        )
        points, tiles = ply.points, now


def _line(played: Played) -> Iterable[tuple[int, tuple[float, ...]]]:
    yield 0, estimates(played.start)
    for _, plies in played.turns():
        yield plies[-1] + 1, tuple(round(share, 3) for share in estimates(played.plies[plies[-1]].after))


def _figures(played: Played, keys: Sequence[tuple[int, str]]) -> tuple[Figure, ...]:
    heroes = played.start.ruleset.heroes
    slugs = sorted({name.partition(".")[0] for _, name in keys})
    titles = {slug: heroes[slug].title if slug in heroes else title(slug) for slug in slugs}
    faces = portraits({slug: hero.title for slug, hero in heroes.items()})
    figures = []
    for seat, name in keys:
        slug, _, copy = name.partition(".")
        alike = keys.count((seat, name)) > 1 or slug not in heroes
        portrait = SEATS[seat] if alike else faces[titles[slug]].initials[: 1 if copy else 2] + copy
        shown = "" if alike else f"{titles[slug]} {copy}".strip()
        figures.append(Figure(seat, played.mode.side_of_seat[seat], shown, portrait))
    return tuple(figures)


def _seats(played: Played, figures: Sequence[Figure]) -> tuple[Seat, ...]:
    seats = []
    for number, player in enumerate(played.players):
        own = tuple(index for index, figure in enumerate(figures) if figure.seat == number and figure.name)
        heroes = listed([title_of(played, "heroes", hero) for hero in player.heroes])
        team = title_of(played, "teams", player.team) if player.team else ""
        seats.append(Seat(player.seat, player.side, player.agent, team, heroes, own))
    return tuple(seats)


def title_of(played: Played, kind: str, slug: str) -> str:
    """Title of a hero, arena or team as the run's configuration has it, else made of its slug."""
    found: Any = getattr(played.start.ruleset, kind).get(slug)
    return str(found.title) if found else title(slug)


def ending(played: Played) -> str:
    """How the game ended, in a sentence."""
    game, result = played.plan.game, played.result
    label = game.terminations[result["termination"]]
    by = game.termination_words.get(label, label)
    sides = [played.mode.side_name(side) for side in range(played.mode.sides)]
    winner = result["winner"]
    who = f"{sides[winner]} wins" if 0 <= winner < len(sides) else "Nobody wins"
    name = str(getattr(game.part("notation"), "POINTS", "points"))
    points = [f"{side} {value}" for side, value in zip(sides, points_of(played.end), strict=False)]
    counted = f"; {name} {', '.join(points)}" if points else ""
    turns = f"{plural(result['turns'], 'turn')} and {plural(result['plies'], 'decision')}"
    return f"{who} ({by}{counted}) after {turns}."


def replay_data(replay: Replay) -> dict[str, Any]:
    """What the page's script needs beside the texts, which it reads from the table of actions."""
    return {
        "game": replay.game,
        "sides": list(replay.sides),
        "seats": [[seat.letter, seat.side] for seat in replay.seats],
        "spots": [list(spot) for spot in replay.spots],
        "nodes": list(replay.nodes),
        "start": [list(place) for place in replay.start],
        "tiles": [list(tile) for tile in replay.tiles],
        "points": list(replay.points),
        "pointsName": replay.points_name,
        "names": [figure.name for figure in replay.figures],
        "owners": [figure.seat for figure in replay.figures],
        "mark": replay.mark,
        "frames": [
            [frame.turn, frame.seat, frame.marks, _flat(frame.moves), *_rest(frame)]
            for frame in replay.frames
        ],
    }


def _flat(rows: Iterable[Iterable[Any]]) -> list[Any]:
    return [part for row in rows for part in row]


def _rest(frame: Frame) -> list[Any]:
    """What few frames have: points, then tiles."""
    points = list(frame.points) if frame.points else None
    if frame.tiles:
        return [points, _flat(frame.tiles)]
    return [points] if points else []
