"""A replay in a real Chromium: buttons, keys, slider, playing, print, no script, accessibility, widths."""

import dataclasses

import pytest

from balance.play.executors.serial import Serial
from balance.play.plan import load_plan_text
from balance.play.run import run
from balance.report import page as pages
from balance.report.replay_page import replay_html
from balance.study.replay import GameId, Replayer
from tests.report.conftest import HOSTILE
from tests.report.test_browser import browser, opened, pytestmark  # noqa: F401

PLAN = (
    "{game: jump_masters, arenas: [pillars], teams: [starters, big_hitters], "
    "agents: ['greedy:0.1'], pairs: 12}"
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("moving") / "run"
    run(load_plan_text(PLAN), folder, Serial())
    pages.write_report(folder)
    return folder


@pytest.fixture(scope="module")
def alone(played, tmp_path_factory):
    """A page of one game, with names that want to be markup."""
    game = Replayer(played).play(GameId(0, 3, 1))
    ruleset = game.start.ruleset
    heroes = {slug: dataclasses.replace(hero, title=HOSTILE) for slug, hero in ruleset.heroes.items()}
    start = dataclasses.replace(game.start, ruleset=dataclasses.replace(ruleset, heroes=heroes))
    folder = tmp_path_factory.mktemp("alone")
    (folder / "report.html").write_text(replay_html(dataclasses.replace(game, start=start), "run"))
    return folder


class Screen:
    """The first replay of a page."""

    def __init__(self, page):
        self.page, self.root = page, page.locator(".replay").first
        self.root.wait_for()
        self.last = int(self.root.locator("input[type=range]").get_attribute("max"))

    @property
    def at(self):
        return int(self.root.get_attribute("data-at"))

    @property
    def said(self):
        return self.root.locator(".what").inner_text()

    def do(self, name):
        self.root.locator(f"button[data-do={name}]").click()
        return self.at

    def press(self, key):
        self.root.locator(".stage").focus()
        self.page.keyboard.press(key)
        return self.at

    def places(self):
        style = "all => all.map(one => [one.getAttribute('class'), one.style.transform, one.textContent])"
        return self.root.locator(".piece").evaluate_all(style)


def test_buttons_and_keys_do_the_same(played, opened):  # noqa: F811
    screen = Screen(opened(played))
    begun = screen.at
    assert 0 < begun < screen.last, "it stands where the first turn begins"
    assert screen.do("on") == begun + 1 and screen.press("ArrowRight") == begun + 2
    assert screen.do("back") == begun + 1 and screen.press("ArrowLeft") == begun
    assert screen.do("end") == screen.last and screen.press("Home") == 0
    assert screen.press("End") == screen.last and screen.do("start") == 0
    assert screen.press("ArrowDown") == begun and screen.press("ArrowUp") == 0


def test_jumps_stop_where_pieces_leave_the_board(played, opened):  # noqa: F811
    screen = Screen(opened(played))
    screen.do("start")
    stops = []
    while screen.do("later") < screen.last:
        assert "leaves the board" in screen.said
        stops.append(screen.at)
    assert stops and stops == sorted(set(stops))
    back = []
    while screen.press("p") > 0:
        back.append(screen.at)
    assert back == stops[::-1] and screen.press("N") == stops[0]


def test_going_back_shows_what_stood_there(played, opened):  # noqa: F811
    screen = Screen(opened(played))
    there = [screen.places() for _ in range(6) if screen.do("on")]
    again = [screen.places() for _ in range(6) if screen.do("back")]
    assert again[:5] == there[4::-1]
    assert len({str(place) for place in there}) > 3


def test_the_slider_steps_by_its_own_keys(played, opened):  # noqa: F811
    screen = Screen(opened(played))
    slider = screen.root.locator("input[type=range]")
    slider.focus()
    begun = screen.at
    screen.page.keyboard.press("ArrowRight")
    assert screen.at == begun + 1
    screen.page.keyboard.press("End")
    assert screen.at == screen.last
    slider.fill("5")
    assert screen.at == 5 and "5 of" in slider.get_attribute("aria-valuetext")
    assert screen.said.removeprefix("A: ").removeprefix("B: ") in slider.get_attribute("aria-valuetext")


def test_it_plays_and_pauses_and_ends_by_itself(played, opened):  # noqa: F811
    screen = Screen(opened(played))
    play = screen.root.locator("button[data-do=play]")
    for _ in range(5):
        screen.press("+")
    begun = screen.at
    screen.press(" ")
    assert play.get_attribute("aria-label") == "Pause"
    assert screen.root.locator(".what").get_attribute("aria-live") == "off"
    screen.page.wait_for_function(f"Number(document.querySelector('.replay').dataset.at) > {begun + 2}")
    play.click()
    stood = screen.at
    screen.page.wait_for_timeout(400)
    assert screen.at == stood and play.get_attribute("aria-label") == "Play"
    screen.root.locator("input[type=range]").fill(str(screen.last - 2))
    play.click()
    screen.page.wait_for_function(f"document.querySelector('.replay').dataset.at === '{screen.last}'")
    assert play.get_attribute("aria-label") == "Play"
    assert " wins (" in screen.root.locator(".when").inner_text()


def test_a_button_under_focus_keeps_its_space(played, opened):  # noqa: F811
    screen = Screen(opened(played))
    begun = screen.at
    screen.root.locator("button[data-do=on]").focus()
    screen.page.keyboard.press(" ")
    assert screen.at == begun + 1
    assert screen.root.locator("button[data-do=play]").get_attribute("aria-label") == "Play"


def test_three_games_move_apart(played, opened):  # noqa: F811
    page = opened(played)
    assert page.locator(".replay").count() == 3
    before = page.locator(".replay").nth(1).get_attribute("data-at")
    page.locator(".replay").nth(0).locator("[data-do=end]").click()
    assert page.locator(".replay").nth(1).get_attribute("data-at") == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["played", "alone"])
def test_axe_finds_nothing(which, scheme, request, opened, browser):  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visit(opened, browser, request.getfixturevalue(which), which, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.locator("button[data-do=later]").first.click()
    found = axe.Axe().run(page)
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found.response["violations"]] == []


def visit(opened, browser, folder, which, **options):  # noqa: F811
    """A report, or a page of one game, which is ready as soon as its replay is."""
    if which == "played":
        return opened(folder, **options)
    page = browser.new_context(viewport={"width": 1280, "height": 900}, **options).new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto((folder / "report.html").as_uri())
    page.wait_for_selector(".replay[data-at]")
    return page


@pytest.mark.parametrize("which", ["played", "alone"])
def test_nothing_is_wider_than_the_screen(which, request, opened, browser):  # noqa: F811
    page = visit(opened, browser, request.getfixturevalue(which), which)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    for width in (1280, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(f"document.documentElement.scrollWidth <= {width}", timeout=5000)


def test_names_stay_text(alone, opened, browser):  # noqa: F811
    page = visit(opened, browser, alone, "alone")
    assert HOSTILE in page.locator(".heroes").first.inner_text()
    page.locator("[data-do=later]").click()
    assert HOSTILE in page.locator(".what").inner_text()
    assert page.locator("main script").count() == 0


def test_without_scripts_the_end_and_all_actions_stand_there(played, opened):  # noqa: F811
    page = opened(played, scripts=False)
    root = page.locator(".replay").first
    assert root.locator(".controls").is_hidden() and root.locator("details[open] .ply").count() > 20
    assert " wins (" in root.locator(".when").inner_text()
    assert root.locator(".piece:not(.off)").count() > 0
    assert root.locator(".points b").first.inner_text().isdigit()


def test_paper_shows_the_last_position(played, opened):  # noqa: F811
    screen = Screen(opened(played))
    begun = screen.at
    screen.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert screen.at == screen.last
    screen.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert screen.at == begun
