"""The page that replays a game, in a real browser."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.page import Proof, drawn, page
from p2p_shanghaien.ui.palette import DARK, LIGHT, PRINT
from p2p_shanghaien.ui.snapshots import closing, snapshots, until
from p2p_shanghaien.ui.view import table_of, viewpoint
from tests.sweeps import sweep
from tests.ui.chrome import Browser
from tests.ui.ledger import RECORDS, load
from tests.ui.test_picture import HOSTILE
from tests.ui.test_snapshots import part

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

TABLE = table_of("shanghaien")
WRITTEN = load(RECORDS[6])
STOPS = tuple(snapshots(WRITTEN))
LAST = STOPS[-1].place
PROOF = Proof("COMPLETE (Ada 26 and Ben 27)", ("Every signature was checked.", "Run: shanghaien verify game.shlog"))
WATCHING = viewpoint(WRITTEN.names, None)
ON, BACK = Keys.SHIFT + Keys.ARROW_RIGHT + Keys.NULL, Keys.SHIFT + Keys.ARROW_LEFT + Keys.NULL
TOLD = [" ".join(map(str, TABLE.news(snapshot.before, snapshot.step, snapshot.after, WATCHING))) for snapshot in STOPS]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(page(WRITTEN, PROOF), encoding="utf-8")
    return path


def place(browser: Browser) -> str:
    return browser.find("#place").text


def test_nothing_is_asked_of_any_network(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.press(Keys.ARROW_RIGHT, Keys.END)
    assert [url for url in browser.requests() if not url.startswith("data:")] == [path.as_uri()]
    assert browser.complaints() == []


def test_the_policy_lets_nothing_in_and_no_text_become_markup(browser: Browser, path: Path) -> None:
    browser.open(path)
    for attempt in (
        "fetch('https://example.org/')",
        "new Image().src = 'https://example.org/x.png'",
        "document.body.append(Object.assign(document.createElement('iframe'), {src: 'https://example.org/'}))",
    ):
        browser.run(f"{attempt}; document.body.offsetHeight")
        browser.wait(200)
        assert any("Content Security Policy" in complaint for complaint in browser.complaints()), attempt
    refused = "try { document.body.innerHTML = '<p>x</p>'; return false } catch { return true }"
    assert browser.run(refused)


@pytest.mark.thorough
def test_every_step_by_keys(browser: Browser, path: Path) -> None:
    browser.open(path)
    for index, snapshot in enumerate(STOPS[:40]):
        assert place(browser) == str(snapshot.place)
        assert browser.find("#told").text == TOLD[index]
        browser.press(Keys.ARROW_RIGHT)
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert place(browser) == str(STOPS[38].place)


def test_by_rounds_and_to_the_ends(browser: Browser, path: Path) -> None:
    browser.open(path)
    for key, at in [
        (Keys.ARROW_LEFT, "1"), (ON, "2"), (ON, "3"), (Keys.ARROW_RIGHT, "3.1.1"),
        (BACK, "3"), (BACK, "2"), (Keys.END, str(LAST)),
        (ON, str(LAST)), (BACK, "8"), (Keys.HOME, "1"),
    ]:  # fmt: skip
        browser.press(key)
        assert place(browser) == at


def test_the_page_still_scrolls(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.press(Keys.PAGE_DOWN)
    browser.wait(400)
    assert browser.run("return scrollY") > 100
    assert place(browser) == "1"


def test_the_end_says_how_the_game_ended(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.press(Keys.END)
    assert browser.find("#told").text == f"{TOLD[-1]} {closing(WRITTEN, WATCHING)}"
    assert "no rival: scores its own strength" in browser.find("#panels").text


def test_every_button(browser: Browser, path: Path) -> None:
    browser.open(path)
    for button, at in [
        ("next", "1.1.1"), ("next", "1.1.2"), ("back", "1.1.1"), ("next-stage", "2"), ("next-stage", "3"),
        ("back-stage", "2"), ("end", str(LAST)), ("next", str(LAST)), ("start", "1"), ("back", "1"),
    ]:  # fmt: skip
        browser.find(f"#{button}").click()
        assert place(browser) == at
    browser.find("nav a[href='#5']").click()
    assert place(browser) == "5"
    assert [link.text for link in browser.all("nav a[aria-current]")] == ["5"]
    browser.find("#moves a[href='#3.2.1']").click()
    assert place(browser) == "3.2.1"


def test_the_slider(browser: Browser, path: Path) -> None:
    browser.open(path)
    slider = browser.find("#step")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert place(browser) == "1.1.1"
    assert slider.get_attribute("aria-valuetext") == f"1.1.1: {TOLD[1]}"


def test_it_plays_by_itself_at_the_speed_that_is_asked_for(browser: Browser, path: Path) -> None:
    """The page's clock is driven by hand, so that no busy machine changes what is seen."""
    browser.open(path)
    assert browser.find("#play").text == "Play"
    browser.find("#speed option[value='600']").click()
    browser.run(
        "window.clocks = new Map();"
        "window.setInterval = (tick, pause) => { clocks.set(clocks.size + 1, [tick, pause]); return clocks.size; };"
        "window.clearInterval = (id) => clocks.delete(id);"
        "document.activeElement.blur()"
    )
    browser.press(" ")
    assert browser.find("#play").text == "Pause"
    assert browser.run("return [...clocks.values()].map(([, pause]) => pause)") == [600]
    for snapshot in STOPS[1:4]:
        browser.run("for (const [tick] of [...clocks.values()]) tick()")
        assert place(browser) == str(snapshot.place)
    browser.press(" ")
    assert browser.find("#play").text == "Play"
    assert browser.run("return clocks.size") == 0


def test_playing_stops_at_the_end_and_begins_anew(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.press(Keys.END)
    browser.find("#play").click()
    assert place(browser) == "1"
    browser.press(Keys.END)
    assert browser.find("#play").text == "Play"


@pytest.mark.parametrize(("wanted", "at"), [("3.4.1", "3.4.1"), ("3.4", "3.4.2"), ("7", "7"), ("nonsense", "1")])
def test_a_link_leads_to_its_place(browser: Browser, path: Path, wanted: str, at: str) -> None:
    browser.open(path, wanted)
    assert place(browser) == at


def test_the_picture_is_that_of_the_position(browser: Browser, path: Path) -> None:
    for index in (0, 30, len(STOPS) - 1):
        browser.open(path, str(STOPS[index].place))
        picture = TABLE.picture(STOPS[index].after, WATCHING, STOPS[index].before)
        shown = browser.run("return [...document.querySelectorAll('#panels text')].map(text => text.textContent)")
        wanted = [
            t
            for panel in picture.panels
            for p in panel.parts
            for t in re.findall(r">([^<]+)</text>", unescape(p.markup))
        ]
        assert shown == wanted
        browser.find("#spoken summary").click()
        said = [item.text for item in browser.all("#words li")]
        assert said == [p.words for panel in picture.panels for p in panel.parts if p.words]


def test_what_a_screen_reader_gets(browser: Browser, path: Path) -> None:
    browser.open(path)
    assert browser.find("html").get_attribute("lang") == "en"
    told = browser.find("#told")
    assert told.get_attribute("aria-live") == "polite"
    browser.command("Accessibility.enable")
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    named: dict[str, list[str]] = {}
    for node in nodes:
        role = node.get("role", {}).get("value")
        if role in {"button", "slider", "combobox", "image", "link", "navigation", "img"}:
            name = node.get("name", {}).get("value", "")
            assert re.search("[A-Za-z]{2}", name), node
            named.setdefault(role, []).append(name)
    steps = {"To the start", "Previous round", "Previous step", "Next step", "Next round", "To the end"}
    assert set(named["button"]) == {*steps, "Play"}
    assert named["combobox"] == ["Speed"]
    assert named["slider"] == ["Step"]
    assert "Round 3" in named["link"]
    headings = [heading.tag_name for heading in browser.all("h1, h2, h3")]
    assert headings[0] == "h1"
    assert headings.count("h3") == 8


def test_focus_can_be_seen_and_reaches_everything(browser: Browser, path: Path) -> None:
    browser.open(path)
    reached = []
    for _ in range(14):
        browser.press(Keys.TAB)
        active = browser.driver.switch_to.active_element
        reached.append(active.get_attribute("id") or active.get_attribute("href"))
        assert active.value_of_css_property("outline-style") == "solid"
        assert float(active.value_of_css_property("outline-width").removesuffix("px")) >= 2
    wanted = ["start", "back-stage", "back", "next", "next-stage", "end", "play", "speed", "step"]
    assert [name for name in reached if name in wanted] == wanted


@sweep("width", [320, 360, 390, 768, 1024, 1280, 2560], every=3)
def test_it_fits_the_width(browser: Browser, path: Path, width: int) -> None:
    browser.sized(width, 800)
    browser.open(path, "3.4.1")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    for button in browser.all("button, nav a"):
        assert button.rect["width"] >= 24
        assert button.rect["height"] >= 24
        assert 0 <= button.rect["x"] <= width - button.rect["width"]
    beside = len({round(panel.rect["y"]) for panel in browser.all("#panels svg")}) == 1
    assert beside == (width >= 992)


def test_light_and_dark(browser: Browser, path: Path) -> None:
    grounds = {}
    for scheme in ("light", "dark"):
        browser.prefers(prefers_color_scheme=scheme)
        browser.open(path)
        red = int(browser.style("body", "background-color").split("(")[1].split(",")[0])
        text_styles = int(browser.style("body", "color").split("(")[1].split(",")[0])
        grounds[scheme] = red
        assert abs(red - text_styles) > 150
    assert grounds["light"] > 200
    assert grounds["dark"] < 50


@pytest.mark.parametrize("kind", ["html", "svg"])
def test_a_picture_follows_the_scheme_and_the_printer(browser: Browser, path: Path, kind: str) -> None:
    """In the page and alone."""
    shown = path.with_suffix(f".{kind}")
    if kind == "svg":
        shown.write_text(drawn(WRITTEN, until(STOPS, "3.2", "shanghaien"), "COMPLETE"), encoding="utf-8")
    for palette, media in ((LIGHT, "light"), (DARK, "dark"), (PRINT, "print")):
        browser.open(shown, "3.2")
        if media == "print":
            browser.prints()
        else:
            browser.prefers(prefers_color_scheme=media)
        for selector, name, colour in (
            (".side", "fill", "cloth"),
            (".side", "stroke", "rule"),
            (".plate", "fill", "brass"),
            (".faint", "fill", "faint"),
            (".face-dark", "fill", "dark"),
            ("svg[role=img] > text.strong:not([fill]), svg[role=img] > g > text.strong:not([fill])", "fill", "ink"),
        ):
            red, green, blue = (int(palette[colour][at : at + 2], 16) for at in (1, 3, 5))
            assert browser.style(selector, name) == f"rgb({red}, {green}, {blue})", (media, selector)


def test_nothing_moves_where_that_is_unwanted(browser: Browser, path: Path) -> None:
    for wish, moves in (("no-preference", "appear"), ("reduce", "none")):
        browser.prefers(prefers_reduced_motion=wish)
        browser.open(path)
        browser.press(Keys.ARROW_RIGHT)
        assert browser.style("#panels .new", "animation-name") == moves


@pytest.mark.thorough
def test_without_scripts_all_moves_are_there(browser: Browser, path: Path) -> None:
    browser.scripts(on=False)
    browser.open(path)
    assert [link.text for link in browser.all("#moves a")] == TOLD
    assert browser.find("#moves .closing").text == str(closing(WRITTEN, WATCHING))
    assert "Without JavaScript" in browser.find("noscript").text
    assert not browser.find("#controls").is_displayed()
    assert "Total" in browser.find("#panels").text
    assert browser.find("header .verdict strong").text == PROOF.verdict


def test_printed(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.prints()
    assert not browser.find("#controls").is_displayed()
    assert browser.find("#moves").is_displayed()
    assert browser.find("#proof").is_displayed()
    assert browser.style("body", "background-color") == "rgba(255, 255, 255, 1)"
    printed = browser.command("Page.printToPDF", printBackground=False)
    assert len(printed["data"]) > 10_000


def test_it_says_what_was_verified(browser: Browser, path: Path) -> None:
    browser.open(path)
    assert browser.find("header .verdict strong").text == PROOF.verdict
    assert [paragraph.text for paragraph in browser.all("#proof p")] == list(PROOF.paragraphs)


@sweep("name", HOSTILE, every=4)
def test_names_are_only_names(browser: Browser, tmp_path: Path, name: str) -> None:
    record = replace(part("1. F3 I2 A4 C2 F3 S2 56-5< 36-3"), names=(name, "Ben"))
    path = tmp_path / "page.html"
    path.write_text(page(record, Proof(name, (name,))), encoding="utf-8")
    browser.driver.get("about:blank")
    browser.open(path)
    browser.press(Keys.ARROW_RIGHT)
    assert browser.complaints() == []
    assert len(browser.all("script")) == 2
    assert browser.all("img, iframe, [onload], [onerror]") == []
    title = browser.find("h1").get_attribute("textContent") or ""
    assert title.startswith(printable(name)[:20])
    assert browser.find("#proof p").get_attribute("textContent") == printable(name)
    assert browser.find("#place").text == "1.1.1"


@pytest.mark.parametrize("moves", ["", "1.", "1. F3 I2 A4 C2 F3 S2", "1. F3 I2 A4 C2 F3 S2 roll"])
def test_a_game_that_has_hardly_begun(browser: Browser, tmp_path: Path, moves: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(part(moves), PROOF), encoding="utf-8")
    browser.open(path)
    assert browser.complaints() == []
    assert "The record ends here" in browser.find("#told").text
    assert len(browser.all("#panels svg")) == 2


@sweep("record", RECORDS, every=12, ids=lambda path: path.stem)
def test_a_page_is_small(record: Path) -> None:
    assert len(page(load(record), PROOF).encode()) < 600_000


@pytest.mark.thorough
def test_a_page_is_made_the_same_each_time() -> None:
    assert page(WRITTEN, PROOF) == page(WRITTEN, PROOF)
