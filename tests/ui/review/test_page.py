"""The analysis on the page that replays a game, in a real browser."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from p2p_shanghaien.ui.page import Proof, page
from p2p_shanghaien.ui.review.page import section
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.snapshots import move_numbers, snapshots
from p2p_shanghaien.ui.view import viewpoint
from tests.sweeps import sweep
from tests.ui.chrome import Browser
from tests.ui.ledger import RECORDS
from tests.ui.review.samples import Marked, analysed, marked, recorded
from tests.ui.test_picture import HOSTILE

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

WRITTEN = recorded(RECORDS[5])
PROOF = Proof("not signed", ("Nothing was verified.",))
WHERE = list(move_numbers(WRITTEN))


def graded() -> list[Marked]:
    return marked(analysed(RECORDS[5]))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "game.html"
    found = section(Review.of(WRITTEN, analysed(RECORDS[5]), viewpoint(WRITTEN.names, None)))
    path.write_text(page(WRITTEN, PROOF, found), encoding="utf-8")
    return path


def place(browser: Browser) -> str:
    return browser.find("#place").text


def test_nothing_is_asked_of_any_network_and_nothing_breaks_the_policy(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.press(Keys.ARROW_RIGHT, Keys.END)
    assert [url for url in browser.requests() if not url.startswith("data:")] == [path.as_uri()]
    assert browser.complaints() == []


def test_the_curve_has_every_position(browser: Browser, path: Path) -> None:
    browser.open(path)
    points = str(browser.find(".chart .curve").get_attribute("points")).split()
    xs, ys = zip(*(map(float, point.split(",")) for point in points), strict=True)
    assert len(xs) == len(WRITTEN.steps) + 1
    assert list(xs) == sorted(xs)
    assert ys == pytest.approx([260 * (1 - chance / 1_000_000) for chance in analysed(RECORDS[5]).chances(0)], abs=0.06)


def test_each_mark_leads_to_its_place_by_mouse_and_by_keys(browser: Browser, path: Path) -> None:
    browser.open(path)
    marks = browser.all(".chart a")
    assert len(marks) == len(graded()) > 5
    wanted = {str(WHERE[step]) for step, _ in graded()}
    assert {str(mark.get_dom_attribute("href")).lstrip("#") for mark in marks} == wanted
    for mark in marks[-3:]:
        goal = str(mark.get_dom_attribute("href")).lstrip("#")
        mark.click()
        assert place(browser) == goal
        browser.press(Keys.HOME)
        browser.driver.execute_script("arguments[0].focus()", mark)
        browser.press(Keys.ENTER)
        assert place(browser) == goal
    browser.find("#analysis li a").click()
    assert place(browser) == str(WHERE[graded()[0].step])


def test_the_line_in_the_curve_goes_along(browser: Browser, path: Path) -> None:
    browser.open(path)
    seen = list(snapshots(WRITTEN))
    for index in (0, 1, 5, len(seen) - 1):
        browser.open(path, str(seen[index].place))
        step = max(step for step, where in enumerate(WHERE) if where == seen[index].place)
        at = float(str(browser.find("#now").get_attribute("x1")))
        assert at == pytest.approx(1000 * (step + 1) / len(WRITTEN.steps), abs=0.06)


def test_grades_and_players_differ_without_colour(browser: Browser, path: Path) -> None:
    browser.open(path)
    sizes: dict[str, float] = {}
    for grade in ("blunder", "mistake", "inaccuracy"):
        for shape, player in (("rect", 0), ("circle", 1)):
            drawn = browser.all(f".chart {shape}.{grade}")
            assert len(drawn) == sum(each.grade == grade and each.player == player for _, each in graded())
            sizes[grade] = max([mark.rect["width"] for mark in drawn] + [sizes.get(grade, 0)])
    assert sizes["blunder"] > sizes["mistake"] > sizes["inaccuracy"]


def test_what_a_screen_reader_gets(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.find("#analysis summary").click()
    browser.command("Accessibility.enable")
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    links = [n["name"]["value"] for n in nodes if n.get("role", {}).get("value") == "link" and n.get("name")]
    sentences = [item.text for item in browser.all("#analysis li a")]
    assert len(sentences) == len(graded())
    assert all("it cost" in sentence for sentence in sentences)
    for sentence in sentences:
        assert links.count(sentence) == 2, "in the curve and in the list"
    tables = browser.all("#analysis table")
    assert len(tables) == 2
    rounds = [row.text.split() for row in tables[1].find_elements("css selector", "tbody tr")]
    assert [row[0] for row in rounds] == list("12345678")
    for _, near, far in rounds:
        assert float(near.rstrip("%")) + float(far.rstrip("%")) == pytest.approx(100)
    assert all(head.get_attribute("scope") for head in browser.all("#analysis th"))


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_it_fits_the_width(browser: Browser, path: Path, width: int) -> None:
    browser.sized(width, 800)
    browser.open(path)
    assert browser.run("return document.documentElement.scrollWidth") <= width


def test_without_scripts_the_curve_and_the_list_are_there(browser: Browser, path: Path) -> None:
    browser.scripts(on=False)
    browser.open(path)
    assert browser.find(".chart .curve").is_displayed()
    assert len(browser.all("#analysis li a")) == len(graded())


@sweep("name", HOSTILE, every=4)
def test_names_are_only_names(browser: Browser, tmp_path: Path, name: str) -> None:
    record = replace(WRITTEN, names=(name, "Ben"))
    path = tmp_path / "page.html"
    found = section(Review.of(record, analysed(RECORDS[5]), viewpoint(record.names, None)))
    path.write_text(page(record, PROOF, found), encoding="utf-8")
    browser.open(path)
    assert browser.complaints() == []
    assert len(browser.all("script")) == 2
    assert browser.all("img, iframe, [onload], [onerror]") == []


def test_a_page_without_analysis_has_none_of_it() -> None:
    assert not re.search('id="(analysis|now)"', page(WRITTEN, PROOF))
