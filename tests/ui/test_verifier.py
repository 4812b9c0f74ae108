"""The page that verifies logs, and the replay that verifies its own, in real browsers."""

import json
import random
import re
import subprocess
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, Final, Protocol

import pytest
from selenium.webdriver.common.keys import Keys

from p2p_shanghaien.app.library import rules_beside
from p2p_shanghaien.fairplay.keys import shown_key
from p2p_shanghaien.fairplay.verify import Report, verify
from p2p_shanghaien.games.api import Reading
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.data import data_name
from p2p_shanghaien.ui import language
from p2p_shanghaien.ui.page import page, proof
from p2p_shanghaien.ui.verdicts import fields, summary
from p2p_shanghaien.ui.verifier import check_blocks, data_block, verifier_page
from p2p_shanghaien.ui.verifier_sentences import WORDS
from p2p_shanghaien.ui.words import raw, say
from tests import needs
from tests.pair import make_pair
from tests.protocol.files import FOLDER, Test, load
from tests.sweeps import sweep
from tests.ui.chrome import Browser
from tests.verifier.node import VERIFIER

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

ROOT: Final = Path(__file__).parents[2]
GAMES: Final = ("sample", "halunken", "macao")
VECTORS: Final = ("logs", "halunken_logs", "macao_logs")
OURS: Final = ("verdict", "exit", "reason", "entry", "seat", "awaiting", "truncated")
"""The fields of a vector that a report has in any case; the others only if the opening record holds."""
OPENED: Final = ("session", "sound", "head", "first", "result")
SCRIPT: Final = "<script>alert(1)</script>"


class Window(Protocol):
    """A window of some browser."""

    def open(self, path: Path, place: str = "") -> None: ...
    def run(self, script: str) -> Any: ...
    def choose(self, selector: str, paths: Sequence[Path]) -> None: ...
    def press(self, *keys: str) -> None: ...
    def complaints(self) -> list[str]: ...


@pytest.fixture(params=["browser", pytest.param("fox", marks=pytest.mark.thorough)])
def window(request: pytest.FixtureRequest) -> Window:
    """Return each of two browsers; a plain run has the first alone."""
    found: Window = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("verifier") / "verify.html"
    path.write_text(verifier_page(), encoding="utf-8")
    return path


def until(window: Window, script: str) -> Any:
    """Return what a script returns as soon as that is something; fail after a minute."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if found := window.run(script):
            return found
        time.sleep(0.02)
    raise AssertionError(f"{script}: {texts(window, 'body')}")


def status(window: Window) -> str:
    """Return what the page says when it has verified everything."""
    return str(until(window, "return document.getElementById('status').textContent"))


def verdicts(window: Window) -> list[str]:
    return list(window.run("return [...document.querySelectorAll('article')].map((each) => each.dataset.verdict)"))


def reports(window: Window) -> list[dict[str, Any]]:
    """Return the reports that the page shows for programs."""
    texts = window.run("return [...document.querySelectorAll('article pre')].map((each) => each.textContent)")
    return [json.loads(text) for text in texts]


def texts(window: Window, selector: str) -> list[str]:
    found = window.run(f"return [...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent)")
    return list(found)


@cache
def vector(name: str, id_: str) -> Test:
    (found,) = (test for test in load(name) if test["id"] == id_)
    return found


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def as_json(report: Report) -> dict[str, Any]:
    """Return what both verifiers must say of a log."""
    found = fields("", report, None)
    del found["file"]
    return dict(json.loads(json.dumps(found)))


def without_file(found: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "file"}


def test_a_game_of_each_kind_and_a_violation(window: Window, path: Path, tmp_path: Path) -> None:
    bad = written(tmp_path, "bad.shlog", bytes.fromhex(vector("logs", "action-illegal")["log"]))
    files = [*(ROOT / "examples" / f"{game}.shlog" for game in GAMES), bad]
    window.open(path)
    window.choose("#files", files)
    assert status(window) == "4 logs verified: 1 VIOLATION, 3 COMPLETE"
    known = [verify(file.read_bytes(), RULES) for file in files]
    assert [without_file(found) for found in reports(window)] == list(map(as_json, known))
    assert texts(window, ".verdict strong")[:3] == list(map(summary, known[:3]))
    *_, violation = texts(window, "article")
    assert known[3].session
    accused = shown_key(known[3].session.keys[0])
    assert f"Proved against Hanna, whose key has the fingerprint {accused}, by entry 3, which Hanna" in violation
    assert '"-5<" is not allowed here' in violation
    assert window.complaints() == []


def test_files_are_dropped_anywhere_on_the_page(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.drop("#limits", [ROOT / "examples" / "sample.shlog"])
    assert status(browser).startswith("COMPLETE (Gustav 14 and Hanna 9)")
    assert browser.complaints() == []
    assert [url for url in browser.requests() if not url.startswith(("data:", "blob:"))] == [path.as_uri()]


def test_a_folder_is_chosen(browser: Browser, path: Path, tmp_path: Path) -> None:
    """Its logs count, and those of folders in it; nothing private beside them is read."""
    games = tmp_path / "games"
    (games / "older").mkdir(parents=True)
    log = (ROOT / "examples" / "sample.shlog").read_bytes()
    for name in ("b.shlog", "a.shlog", "a.private", "older/c.shlog"):
        written(games, name, log)
    browser.open(path)
    browser.drop("#drop", [games])
    assert "If it is a folder, choose it by its button." in str(
        until(browser, "return document.querySelector('article.error')?.textContent")
    )
    browser.find("#clear").click()
    browser.choose("#folder", [games])
    assert status(browser).startswith("3 logs verified: 3 COMPLETE")
    assert texts(browser, "article h3") == ["a.shlog", "b.shlog", "c.shlog"]
    assert browser.complaints() == []


@pytest.mark.thorough
def test_a_drop_without_a_mouse(window: Window, path: Path) -> None:
    """For browsers that cannot be told to drop a file, the event that a drop makes."""
    window.open(path)
    log = b64encode((ROOT / "examples" / "sample.shlog").read_bytes()).decode()
    window.run(
        f"const bytes = Uint8Array.from(atob('{log}'), (character) => character.charCodeAt(0));"
        "const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File([bytes], 'sample.shlog'));"
        "const event = new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer});"
        "document.body.dispatchEvent(event); window.kept = event.defaultPrevented"
    )
    assert status(window).startswith("COMPLETE (Gustav 14 and Hanna 9)")
    assert window.run("return window.kept"), "or the browser would open the file instead"
    assert window.complaints() == []


def test_a_damaged_log_an_unknown_game_and_files_that_are_no_logs(window: Window, path: Path, tmp_path: Path) -> None:
    good = (ROOT / "examples" / "sample.shlog").read_bytes()
    files = [
        written(tmp_path, "changed.shlog", good[:20000] + bytes([good[20000] ^ 1]) + good[20001:]),
        written(tmp_path, "cut.shlog", good[:20000]),
        written(tmp_path, "other.shlog", bytes.fromhex(vector("logs", "game-unknown")["log"])),
        written(tmp_path, "empty.shlog", b""),
        ROOT / "examples" / "sample.shrec",
        written(tmp_path, "long.shlog", bytes(4_212_893)),
    ]
    window.open(path)
    window.choose("#files", files)
    assert status(window) == "5 logs verified: 3 INVALID FILE, 1 UNSUPPORTED, 1 INCOMPLETE"
    changed, cut, other, empty, record, long = texts(window, "article")
    assert "INVALID FILE (entry " in changed
    assert re.search(r"\d+ bytes at the end were not read as a part of the game", changed)
    assert "INCOMPLETE (awaiting " in cut
    assert "bytes at the end are a truncated entry" in cut
    assert "this page does not know the game" in other
    assert "The moves were not checked, so there is no verdict on the game." in other
    assert "0 signed entries hold as far as that can be checked without the rules" in other
    assert "Host: Hanna, key " in other
    assert "it is not a game log" in empty
    assert "This is a text record, which nobody signed" in record
    assert long == "long.shlog is longer than any log."
    assert verdicts(window)[:5] == ["INVALID FILE", "INCOMPLETE", "UNSUPPORTED", "INVALID FILE", "INVALID FILE"]
    assert window.complaints() == []


def test_a_deck_counts_for_logs_that_were_dropped_before_it(window: Window, path: Path, tmp_path: Path) -> None:
    test = vector("macao_logs", "whole-deck")
    (deck,) = map(bytes.fromhex, test["outside"])
    digest = dict(verify(bytes.fromhex(test["log"]), rules(deck)).session.game.settings)["deck"]  # type: ignore[union-attr]
    log = written(tmp_path, "deck.shlog", bytes.fromhex(test["log"]))
    window.open(path)
    window.choose("#files", [log])
    assert status(window).startswith(f"UNSUPPORTED (the game needs data that are not here: add {digest}.shdata")
    window.choose("#files", [written(tmp_path, data_name(digest), deck)])
    until(window, "return document.querySelector('[data-verdict=COMPLETE]') !== null")
    assert status(window).startswith("COMPLETE (")
    assert f"data with the SHA-256 {digest}" in texts(window, "article")[1]


def rules(*outside: bytes) -> Any:
    """Return the rules with data beside a log."""
    kept = {sha256(data).hexdigest(): data for data in outside}
    return Reading(RULES, kept.get)


@pytest.mark.thorough
def test_handshakes_rebut_a_fork(window: Window, path: Path, tmp_path: Path) -> None:
    test = vector("logs", "fork-rebutted")
    log = written(tmp_path, "fork.shlog", bytes.fromhex(test["log"]))
    shown = written(tmp_path, "handshakes.txt", test["handshakes"].encode())
    window.open(path)
    window.choose("#files", [log])
    assert status(window).startswith("VIOLATION (")
    window.choose("#files", [shown])
    until(window, "return document.querySelector('[data-verdict=\"INVALID FILE\"]') !== null")
    assert [found["reason"] for found in reports(window)] == ["fork_rebutted"]


def test_names_and_files_are_only_text(window: Window, path: Path, tmp_path: Path) -> None:
    pair = make_pair(random.Random(3), names=(SCRIPT, "שלום <b>"))
    pair.play(random.Random(4))
    log = written(tmp_path, "<img src=x onerror=alert(1)>\u202ecba.shlog", pair.logs[0])
    window.open(path)
    window.choose("#files", [log])
    assert SCRIPT in status(window)
    assert any(SCRIPT in text for text in texts(window, "article li bdi"))
    assert {SCRIPT, "שלום <b>"} <= set(texts(window, ".verdict strong bdi"))
    assert reports(window)[0]["file"] == log.name
    assert "\u202e" not in texts(window, "body")[0]
    assert window.run("return document.querySelectorAll('script, article img, article b').length") == 3
    assert "require-trusted-types-for" in path.read_text("utf-8")
    assert window.complaints() == []


@pytest.mark.thorough
def test_fifty_files(window: Window, path: Path, tmp_path: Path) -> None:
    """The page stays alive, shows how far it is, and keeps the order."""
    tests = [test for test in load("logs") if test["verdict"] != "UNSUPPORTED" and "handshakes" not in test][:50]
    files = [written(tmp_path, f"{at:02}.shlog", bytes.fromhex(test["log"])) for at, test in enumerate(tests)]
    window.open(path)
    window.run(
        "window.seen = []; new MutationObserver(() => window.seen.push(document.getElementById('count').textContent))"
        ".observe(document.getElementById('count'), {childList: true})"
    )
    window.choose("#files", files)
    assert status(window).startswith("50 logs verified: ")
    assert window.run("return window.seen") == [f"{number} / 50" for number in range(1, 51)]
    assert verdicts(window) == [test["verdict"] for test in tests]
    assert window.run("return document.getElementById('running').hidden")


def test_keyboard_alone(browser: Browser, path: Path) -> None:
    browser.open(path)
    browser.command("Page.enable")
    browser.command("Page.setInterceptFileChooserDialog", enabled=True)
    reached = []
    for _ in range(3):
        press(browser, "Tab", 9)
        reached.append(browser.run("return document.activeElement.id"))
    assert reached == ["language", "files", "folder"]
    browser.run("document.getElementById('files').focus()")
    button = browser.find("#files + .button")
    assert button.value_of_css_property("outline-style") == "solid"
    browser.requests()
    press(browser, "Enter", 13)
    assert until_asked(browser)
    browser.command("Page.setInterceptFileChooserDialog", enabled=False)
    browser.choose("#files", [ROOT / "examples" / "sample.shlog"])
    status(browser)
    press(browser, "Tab", 9)
    press(browser, "Tab", 9)
    assert browser.run("return document.activeElement.id") == "clear"
    browser.press(Keys.TAB, Keys.ENTER)
    assert browser.run("return document.querySelector('article details').open")
    browser.find("#clear").send_keys(Keys.ENTER)
    assert verdicts(browser) == []
    assert browser.run("return document.activeElement.id") == "files"


def press(browser: Browser, key: str, code: int) -> None:
    """Press a key where the focus is: selenium takes those for a file's input as names of files."""
    text = {"text": "\r"} if key == "Enter" else {}
    for kind in ("keyDown", "keyUp"):
        given = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, **text}
        browser.command("Input.dispatchKeyEvent", **given)


def until_asked(browser: Browser) -> bool:
    """Return whether the browser asks for files within a few seconds."""
    for _ in range(100):
        browser.wait(50)
        for entry in browser.driver.get_log("performance"):  # type: ignore[no-untyped-call]
            if json.loads(entry["message"])["message"]["method"] == "Page.fileChooserOpened":
                return True
    return False


def test_the_language_of_the_browser(browser: Browser, path: Path) -> None:
    agent = browser.run("return navigator.userAgent")
    for wanted, code in {"sv,de-CH,fr": "de", "sv": "en"}.items():
        browser.command("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=wanted)
        browser.open(path)
        with language.speaking(code):
            assert texts(browser, "h1") == [say("verifier_title")]
        assert browser.run("return document.getElementById('language').value") == code
    browser.command("Emulation.setUserAgentOverride", userAgent=agent)


@pytest.mark.thorough
def test_a_thread_that_does_not_start_is_told(window: Window, path: Path, tmp_path: Path) -> None:
    broken = path.read_text("utf-8").replace('id="verifier">', 'id="verifier">(')
    window.open(written(tmp_path, "broken.html", broken.encode()))
    for count in (1, 2):
        window.choose("#files", [ROOT / "examples" / "sample.shlog"])
        until(window, f"return document.querySelectorAll('article.error').length === {count}")
    assert texts(window, "article.error")[0].startswith("The page itself failed: ")


@pytest.mark.thorough
def test_the_languages(window: Window, path: Path) -> None:
    log = ROOT / "examples" / "sample.shlog"
    report = verify(log.read_bytes(), RULES)
    window.open(path)
    window.choose("#files", [log])
    for code in ("en", "de", "fr", "it"):
        window.run(
            f"const select = document.getElementById('language'); select.value = '{code}';"
            "select.dispatchEvent(new Event('change'))"
        )
        until(window, "return document.querySelector('[data-verdict=COMPLETE]') !== null")
        with language.speaking(code):
            assert texts(window, "h1") == [say("verifier_title")]
            assert texts(window, ".verdict strong") == [summary(report)]
            assert say("details_entries", count=report.match.number) in texts(window, "article")[0]  # type: ignore[union-attr]
            assert say("verifier_means_complete") in texts(window, "article")[0]
            assert texts(window, "#limits p") == [
                say("verifier_limits"),
                say("verifier_trust"),
                texts(window, "#origin")[0],
            ]
        assert window.run("return document.documentElement.lang") == code


@sweep("scheme,width", product(("light", "dark"), (320, 768, 1280)), every=5)
def test_it_fits_the_width_and_can_be_read(browser: Browser, path: Path, scheme: str, width: int) -> None:
    browser.prefers(prefers_color_scheme=scheme)
    browser.sized(width, 800)
    browser.open(path)
    browser.choose("#files", [ROOT / "examples" / "sample.shlog"])
    status(browser)
    browser.run("document.querySelector('article details').open = true")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    for button in browser.all("select, .button, #clear"):
        assert button.rect["height"] >= 24
    contrast = browser.run(CONTRAST)
    assert min(contrast.values()) >= 4.5, contrast


CONTRAST: Final = """
const light = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (!/, 0\\)$/.test(colour)) return colour;
  }
};
return Object.fromEntries([...document.querySelectorAll("h1, h2, h3, p, .button, .sign, li, summary, pre")]
  .filter((each) => each.offsetHeight)
  .map((each) => {
    const [one, two] = [light(getComputedStyle(each).color), light(ground(each))].sort((a, b) => b - a);
    return [each.tagName + "." + each.className, (one + 0.05) / (two + 0.05)];
  }));
"""


def test_what_a_screen_reader_gets(browser: Browser, path: Path) -> None:
    browser.open(path)
    live = browser.find("#status")
    assert (live.get_attribute("role"), live.get_attribute("aria-live")) == ("status", "polite")
    browser.choose("#files", [ROOT / "examples" / "sample.shlog"])
    status(browser)
    browser.command("Accessibility.enable")
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    named = {
        (node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node.get("ignored")
    }
    for wanted in [
        ("combobox", "Language"), ("button", "Clear the list"), ("heading", "Verdicts"), ("heading", "sample.shlog"),
        ("region", "Verdicts"),
    ]:  # fmt: skip
        assert wanted in named
    assert any(role == "button" and "Choose files" in name for role, name in named)
    assert not any(name == "✓" for _, name in named), "the verdict says it in words"


@pytest.mark.thorough
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
    for attempt in (
        "document.body.innerHTML = '<p>x</p>'",
        "document.body.setAttribute('onclick', 'alert(1)')",
        "trustedTypes.createPolicy('x', {})",
    ):
        assert browser.run(f"try {{ {attempt}; return false }} catch {{ return true }}"), attempt


def test_a_page_that_is_written_twice_is_the_same() -> None:
    assert verifier_page() == verifier_page()
    assert len(verifier_page().encode()) < 200_000


@pytest.mark.thorough
@pytest.mark.parametrize("name", VECTORS)
def test_every_log_of_the_vectors(window: Window, path: Path, tmp_path: Path, name: str) -> None:
    """The page as it is shipped, on each of them: alone if data or handshakes are given with it."""
    tests = load(name)
    alone = [test for test in tests if "outside" in test or "handshakes" in test]
    for batch in ([test for test in tests if test not in alone], *([test] for test in alone)):
        files = [written(tmp_path, f"{test['id']}.shlog", bytes.fromhex(test["log"])) for test in batch]
        for test in batch:
            files += [
                written(tmp_path, f"{at}.shdata", bytes.fromhex(data))
                for at, data in enumerate(test.get("outside", ()))
            ]
            if shown := test.get("handshakes"):
                files.append(written(tmp_path, "handshakes.txt", shown.encode()))
        window.open(path)
        window.choose("#files", files)
        status(window)
        # handshakes of which no line counts are a file like any other
        logs = [report for report in reports(window) if report["file"].endswith(".shlog")]
        found = {report["file"].removesuffix(".shlog"): report for report in logs}
        assert len(found) == len(batch)
        for test in batch:
            names = (*OURS, *(OPENED if "session" in test else ()))
            wanted = {name: test[name] for name in names if name != "reason"}
            assert {name: found[test["id"]][name] for name in wanted} == wanted, test["id"]
    assert window.complaints() == []


@pytest.mark.thorough
def test_every_vector_for_a_verifier(window: Window, tmp_path: Path) -> None:
    """Run in a browser the tests that the sources pass in Node (tests/verifier)."""
    needs.file(str(VERIFIER / "node_modules" / "esbuild"))
    options = ("--bundle", "--format=iife", "--global-name=vectors", f"--outfile={tmp_path / 'runner.js'}")
    esbuild = VERIFIER / "node_modules" / "esbuild" / "bin" / "esbuild"
    subprocess.run([esbuild, "test/runner.js", *options], cwd=VERIFIER, check=True, capture_output=True)
    files = {path.stem: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
    runner = (tmp_path / "runner.js").read_text("utf-8")
    script = (
        f"const files = {data_block(files)}; vectors.runVectors(files).then((found) => {{ window.found = found; }});"
    )
    path = tmp_path / "vectors.html"
    path.write_text(f"<!doctype html><meta charset='utf-8'><script>{runner}</script><script>{script}</script>", "utf-8")
    window.open(path)
    found = until(window, "return window.found")
    assert found["failures"] == []
    assert found["passed"] > 1000


# A replay that verifies its own log.


def replay(file: Path) -> str:
    data = file.read_bytes()
    report = verify(data, rules_beside(file))
    record = report.record()
    return page(record, proof(record, report, file.name, data))


@cache
def sample() -> str:
    return replay(ROOT / "examples" / "sample.shlog")


def checked(window: Window, tmp_path: Path, text: str) -> str:
    """Return the verdict of the check in a page, empty if it failed."""
    path = tmp_path / "replay.html"
    path.write_text(text, encoding="utf-8")
    window.open(path)
    until(window, f"return document.getElementById('verified').textContent !== {json.dumps(say('check_pending'))}")
    return str(window.run("return document.getElementById('verified').dataset.verdict"))


def contradiction(window: Window) -> str:
    """Return what stands above everything else, if anything does."""
    return str(window.run("return document.querySelector('body > [role=alert]:first-child')?.textContent ?? ''"))


@sweep("game", GAMES, every=3)
def test_a_replay_verifies_its_own_log(window: Window, tmp_path: Path, game: str) -> None:
    file = ROOT / "examples" / f"{game}.shlog"
    assert checked(window, tmp_path, replay(file)) == "COMPLETE"
    assert texts(window, "#verified") == ["Verified in this browser."]
    assert contradiction(window) == ""
    assert len(texts(window, "#proof details li")) > 50
    assert window.run("return document.getElementById('save').href").startswith("blob:")
    assert window.run("return document.getElementById('save').download") == file.name
    assert window.complaints() == []


def changed(text: str, at: int) -> str:
    """Return the page with one bit of its log changed."""
    found = re.search(r'id="log">([^<]*)<', text)
    assert found
    log = bytearray(b64decode(found.group(1)))
    log[at] ^= 1
    return text.replace(found.group(1), b64encode(log).decode())


@sweep("at", [4000, 0, 9, 600, 12345, 20001, 33333, 47761], every=8)
def test_a_changed_byte_is_the_loudest_thing_on_the_page(window: Window, tmp_path: Path, at: int) -> None:
    assert checked(window, tmp_path, changed(sample(), at)) not in ("", "COMPLETE")
    assert "This page contradicts the log that it carries." in contradiction(window)
    assert "verdict: the page says" in contradiction(window)
    assert window.complaints() == []


def test_a_log_that_is_no_base64_contradicts_the_page(window: Window, tmp_path: Path) -> None:
    assert checked(window, tmp_path, sample().replace('id="log">', 'id="log">!', 1)) == "INVALID FILE"
    assert "This page contradicts the log" in contradiction(window)


@sweep(
    "shown,instead,what",
    [
        ("<strong>COMPLETE (Gustav 14 and Hanna 9)", "<strong>COMPLETE (Gustav 14 and Hanna 19)", "verdict"),
        ("<h1>Gustav against", "<h1>Carla against", "title"),
        ("(variant standard, tricks p3 b3 r2)</p>", "(variant extra-wild, tricks p3 b3 r2)</p>", "game"),
        ('"result":["over",[9,14],1]', '"result":["over",[19,14],0]', "result"),
    ],
    every=4,
)
def test_a_page_that_shows_something_else_contradicts_its_log(
    window: Window, tmp_path: Path, shown: str, instead: str, what: str
) -> None:
    assert shown in sample()
    checked(window, tmp_path, sample().replace(shown, instead, 1))
    assert f"{what}: the page says" in contradiction(window)


def test_the_verdict_on_a_violation_is_the_same_in_the_browser(window: Window, tmp_path: Path) -> None:
    test = next(test for test in load("logs") if test["verdict"] == "VIOLATION" and test["sound"] > 60)
    log = written(tmp_path, "bad.shlog", bytes.fromhex(test["log"]))
    assert checked(window, tmp_path, replay(log)) == "VIOLATION"
    assert contradiction(window) == ""


@pytest.mark.thorough
def test_a_replay_is_verified_at_once(window: Window, tmp_path: Path) -> None:
    """A game of 189 entries takes less than half a second on an idle core; the limit is for busy machines."""

    def milliseconds() -> float:
        assert checked(window, tmp_path, sample()) == "COMPLETE"
        return float(window.run("return performance.now()"))

    assert min(milliseconds() for _ in range(3)) < 3000


@pytest.mark.thorough
def test_a_replay_carries_the_deck_of_its_game(window: Window, tmp_path: Path) -> None:
    test = vector("macao_logs", "whole-deck")
    report = verify(bytes.fromhex(test["log"]), rules(*map(bytes.fromhex, test["outside"])))
    text = page(report.record(), proof(report.record(), report, "deck.shlog", bytes.fromhex(test["log"])))
    assert checked(window, tmp_path, text) == "COMPLETE"


def test_a_game_that_the_browser_does_not_know_is_no_contradiction(window: Window, tmp_path: Path) -> None:
    """Such as of one that another distribution brings; but no known game can be passed off as one."""
    found = re.search(r'id="log">([^<]*)<', sample())
    assert found
    other = b64encode(bytes.fromhex(vector("logs", "game-unknown")["log"])).decode()
    swapped = sample().replace(found.group(1), other)
    assert checked(window, tmp_path, swapped) == "UNSUPPORTED"
    assert "verdict: the page says COMPLETE, the log in it gives UNSUPPORTED" in contradiction(window)
    digest = sha256(b64decode(other)).hexdigest()
    claimed = re.sub(r'"digest":"\w+"', f'"digest":"{digest}"', swapped)
    claimed = claimed.replace('"game":"shanghaien"', '"game":"unknown"', 1)
    assert checked(window, tmp_path, claimed) == "UNSUPPORTED"
    assert contradiction(window) == ""
    assert "Not verified in this browser, since this page does not know the game" in texts(window, "#verified")[0]


def test_a_page_carries_the_log_and_nothing_else_of_a_file() -> None:
    file = ROOT / "examples" / "sample.shlog"
    report = verify(file.read_bytes(), RULES)
    blocks = dict(re.findall(r'id="(\w+)">(.*?)</script>', sample(), re.DOTALL))
    assert b64decode(blocks["log"]) == file.read_bytes()
    assert json.loads(blocks["outside"]) == []
    assert json.loads(blocks["claimed"]).keys() == {*as_json(report), "digest"}
    assert len(check_blocks(proof(report.record(), report, "", file.read_bytes()).check).encode()) < 200_000  # type: ignore[arg-type]


def test_the_words_of_the_page_can_be_filled_by_its_scripts() -> None:
    """They know places such as {name}, and nothing else of Python's templates."""
    place = re.compile(r"\{[a-z]+\}")
    for code in language.LANGUAGES:
        with language.speaking(code):
            for name, template in WORDS.items():
                counts: Iterator[int | None] = iter([None] if isinstance(template, str) else [1, 2, 1_000_000])
                for count in counts:
                    assert not set(place.sub("", raw(name, count))) & set("{}"), (code, name)
