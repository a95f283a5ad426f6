"""The page in a real Chromium: charts, themes, widths, print, keyboard, no script, accessibility."""

import csv
import io
import shutil

import pytest

from tests.report.conftest import HOSTILE, NASTY

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def page_of(folder):
    """The page in a folder, whatever kind it is."""
    names = ("report.html", "compare.html", "sweep.html")
    return next(folder / name for name in names if (folder / name).exists())


@pytest.fixture
def opened(browser):
    """Opens a report; fails the test on any outside request, error or dialogue."""
    contexts = []

    def visit(folder, width=1280, scripts=True, at="#everything", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, java_script_enabled=scripts, **options
        )
        page = context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(f"dialog {dialog.message}") or dialog.dismiss())
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on(
            "request",
            lambda call: (
                None if call.url.startswith(("file:", "data:", "blob:")) else faults.append(call.url)
            ),
        )
        page.goto(page_of(folder).as_uri() + at)
        if scripts:
            page.wait_for_selector("html[data-ready]", timeout=30_000)
        contexts.append((context, faults))
        return page

    yield visit
    for context, faults in contexts:
        context.close()
        assert faults == []


RUNS = ["drafted", "teams", "hostile", "hostile_drafted", "bare", "ladder", "torn"]
RUNS += ["comparison", "hostile_comparison", "sweep"]


@pytest.mark.parametrize("run", RUNS)
def test_every_chart_is_drawn_without_fault(run, request, opened):
    page = opened(request.getfixturevalue(run))
    charts = page.locator(".chart").count()
    assert charts and page.locator(".chart .main-svg").count() >= charts
    assert page.locator("#no-charts").is_hidden()


def test_hostile_names_are_shown_as_they_stand(hostile, hostile_drafted, hostile_comparison, opened):
    for folder in (hostile, hostile_drafted, hostile_comparison):
        page = opened(folder)
        shown = " ".join(page.locator(".chart text").all_text_contents())
        assert "<script>alert(1)</script>" in shown
        assert page.locator("main script, footer script").count() == 0


@pytest.mark.parametrize(
    ("run", "scheme"),
    [
        ("drafted", "light"),
        ("drafted", "dark"),
        ("teams", "light"),
        ("bare", "dark"),
        ("ladder", "light"),
        ("torn", "dark"),
        ("comparison", "light"),
        ("hostile_comparison", "dark"),
        ("sweep", "light"),
        ("sweep", "dark"),
    ],
)
def test_axe_finds_nothing(run, scheme, request, opened):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(request.getfixturevalue(run), color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    found = axe.Axe().run(page)
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found.response["violations"]] == []


@pytest.mark.parametrize(
    "run", ["drafted", "hostile", "ladder", "torn", "comparison", "hostile_comparison", "sweep"]
)
def test_the_page_never_scrolls_sideways(run, request, opened):
    page = opened(request.getfixturevalue(run))
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    for width in (1280, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(f"document.documentElement.scrollWidth <= {width}", timeout=5000)


def test_a_name_without_blanks_never_widens_the_page(drafted, opened):
    page = opened(drafted, width=390)
    named = "document.querySelectorAll('.behind > summary, h2, h3, figcaption')"
    page.evaluate(f"{named}.forEach(place => {{ place.textContent = 'A'.repeat(80); }})")
    page.wait_for_function("document.documentElement.scrollWidth <= 390", timeout=5000)


@pytest.mark.parametrize("run", ["drafted", "comparison", "sweep"])
def test_without_scripts_every_table_is_open(run, request, opened):
    page = opened(request.getfixturevalue(run), scripts=False)
    assert page.locator("details.behind").count() > 0
    assert page.locator("details.behind:not([open])").count() == 0
    assert "need JavaScript" in page.locator("main noscript p").inner_text()
    assert page.locator(".chart:visible").count() == 0


def test_without_unpacking_every_table_is_open(drafted, browser):
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto((drafted / "report.html").as_uri())
    assert page.get_by_text("cannot unpack the charts").is_visible()
    assert page.locator("details.behind:not([open])").count() == 0
    context.close()


def test_the_theme_button_goes_round_by_keyboard_and_repaints(drafted, opened):
    page = opened(drafted, color_scheme="light")

    ground = "getComputedStyle(document.body).backgroundColor"
    ink = "document.querySelector('.chart').layout.font.color"

    def paint():
        return page.evaluate(f"[{ground}, {ink}]")

    light = paint()
    page.locator("#theme").focus()
    page.keyboard.press("Enter")
    assert page.locator("#theme").inner_text() == "Colours: light" and paint() == light
    page.keyboard.press("Enter")
    page.wait_for_function(f"document.querySelector('.chart').layout.font.color !== '{light[1]}'")
    assert paint()[0] != light[0]
    page.keyboard.press("Enter")
    assert page.locator("#theme").inner_text() == "Colours: system"


def test_the_first_stop_of_the_keyboard_is_the_skip_link(drafted, opened):
    page = opened(drafted)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"


@pytest.mark.parametrize("run", ["drafted", "comparison", "sweep"])
def test_paper_is_light_and_complete(run, request, opened):
    page = opened(request.getfixturevalue(run), color_scheme="dark")
    ink = "getComputedStyle(document.documentElement).getPropertyValue('--ink').trim()"
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(ink) == "#1d2329"
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(ink) != "#1d2329"
    paper = page.pdf(format="A4", print_background=True)
    assert paper.startswith(b"%PDF") and len(paper) > 50_000


def shown(page):
    """The pages that can be seen."""
    return page.evaluate(
        "[...document.querySelectorAll('.sheet')].filter(s => s.offsetParent).map(s => s.id)"
    )


def current(page):
    return page.locator("nav [aria-current=page]").all_inner_texts()


def test_one_page_is_shown_at_a_time_and_links_turn_them(drafted, opened):
    page = opened(drafted, at="")
    assert shown(page) == ["page-findings"] and current(page) == ["Findings"]
    for link in page.locator("nav > ol > li > a[data-page]").all()[:-1]:
        link.click()
        page.wait_for_function("document.querySelector('nav [aria-current=page]').href === location.href")
        assert shown(page) == [link.get_attribute("href")[1:]]
        charts = "[...document.querySelectorAll('.chart')].filter(c => c.offsetParent)"
        page.wait_for_function(f"{charts}.every(c => c.querySelector('.main-svg'))")
    page.go_back()
    page.wait_for_function("document.querySelector('nav [aria-current=page]').textContent !== 'Method'")
    assert len(shown(page)) == 1 and current(page) != ["Method"]
    page.get_by_role("link", name="All on one page").click()
    page.wait_for_function("location.hash === '#everything'")
    assert len(shown(page)) == page.locator(".sheet").count() > 5


def test_a_link_to_a_section_turns_up_its_page(drafted, opened):
    page = opened(drafted, at="#deeds")
    assert shown(page) == ["page-strength"] and current(page) == ["Heroes"]
    assert abs(page.evaluate("document.getElementById('deeds').getBoundingClientRect().top")) < 100
    page.goto(page.url.split("#")[0] + "#no-such-thing")
    assert len(shown(page)) == 1
    page.get_by_role("link", name="Findings", exact=True).click()
    page.locator(".findings .see").first.click()
    page.wait_for_function("document.querySelector('nav [aria-current=page]').textContent !== 'Findings'")
    assert len(shown(page)) == 1


def test_paper_holds_every_page(drafted, opened):
    page = opened(drafted, at="#page-rosters")
    page.emulate_media(media="print")
    assert len(shown(page)) == page.locator(".sheet").count()
    page.emulate_media(media="screen")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".chart .main-svg").count() >= page.locator(".chart").count()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert shown(page) == ["page-rosters"]


def test_numbers_are_taken_away_as_csv(hostile_drafted, drafted, opened):
    page = opened(drafted)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    with page.expect_download() as found:
        page.get_by_role("button", name="Numbers as CSV: Strength of each hero").click()
    assert found.value.suggested_filename == "strength-of-each-hero.csv"
    text = found.value.path().read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][:5] == ["Hero", "Skill", "Strength (pp)", "95 % interval low", "95 % interval high"]
    for row in rows[1:]:
        low, value, high = float(row[3]), float(row[2]), float(row[4])
        assert low <= value <= high
    hostile = opened(hostile_drafted)
    hostile.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    with hostile.expect_download() as found:
        hostile.get_by_role("button", name="Numbers as CSV: Strength of each hero").click()
    names = [row[0] for row in csv.reader(io.StringIO(found.value.path().read_text(encoding="utf-8-sig")))]
    assert HOSTILE in names and NASTY[0] in names


def test_a_cell_that_begins_like_a_formula_stays_a_name(drafted, opened):
    page = opened(drafted)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.evaluate("document.querySelector('#heroes table tbody th').textContent = '=1+1'")
    with page.expect_download() as found:
        page.get_by_role("button", name="Numbers as CSV: Strength of each hero").click()
    assert "\r\n'=1+1," in found.value.path().read_bytes().decode()


def test_charts_follow_the_window_and_the_paper_without_covering_text(drafted, opened):
    page = opened(drafted)
    sizes = """[...document.querySelectorAll('.chart')].map(function (place) {
        var box = place.querySelector('.main-svg').getBoundingClientRect();
        return [Math.round(box.width) - place.clientWidth, Math.round(box.height) - place.clientHeight];
    }).flat().every(function (gap) { return gap === 0; })"""
    wide = "document.querySelector('.chart .main-svg').getBoundingClientRect().width > 800"
    page.wait_for_function(f"{wide} && {sizes}", timeout=5000)
    page.pdf()
    page.wait_for_function(f"{wide} && {sizes}", timeout=5000)
    page.set_viewport_size({"width": 600, "height": 900})
    page.wait_for_function(f"!({wide}) && {sizes}", timeout=5000)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function(f"{wide} && {sizes}", timeout=5000)


def test_tables_are_read_with_their_heads(drafted, opened):
    page = opened(drafted)
    heads = page.locator("table").first.locator("thead th")
    assert heads.count() > 3
    assert page.locator("table th:not([scope])").count() == 0
    assert page.locator("table").count() == page.locator("table caption").count()
