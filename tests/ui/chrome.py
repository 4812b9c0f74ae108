"""A real browser without a window: Debian's Chromium, steered by its own driver; nothing is downloaded."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests import needs

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run")


class Browser:
    """One window of it. What a page asks the network for, and what it complains about, is kept."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def command(self, name: str, **arguments: Any) -> Any:
        """Return a command of the browser's own protocol."""
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, script: str) -> Any:
        """Return what a script returns."""
        return self.driver.execute_script(script)

    def wait(self, milliseconds: int) -> None:
        self.driver.execute_async_script(f"setTimeout(arguments[0], {milliseconds})")

    def sized(self, width: int, height: int) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **size)

    def prefers(self, **features: str) -> None:
        """Media features, `_` for `-`; none to go back to the usual ones."""
        wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.command("Emulation.setEmulatedMedia", media="", features=wanted)

    def prints(self) -> None:
        self.command("Emulation.setEmulatedMedia", media="print", features=[])

    def scripts(self, *, on: bool) -> None:
        self.command("Emulation.setScriptExecutionDisabled", value=not on)

    def open(self, path: Path, place: str = "") -> None:
        """Open a page anew, at a place of it."""
        self.driver.get("about:blank")
        self.complaints()
        self.requests()
        self.driver.get(path.as_uri() + (f"#{place}" if place else ""))

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def style(self, selector: str, name: str) -> str:
        return str(self.find(selector).value_of_css_property(name))

    def press(self, *keys: str) -> None:
        """Type where the focus is."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def choose(self, selector: str, paths: Sequence[Path]) -> None:
        """Choose files where a page asks for them."""
        self.find(selector).send_keys("\n".join(map(str, paths)))

    def drop(self, selector: str, paths: Sequence[Path]) -> None:
        """Drop files on an element, as from a folder."""
        where = self.find(selector).rect
        files = {"items": [], "files": list(map(str, paths)), "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.command("Input.dispatchDragEvent", type=kind, x=where["x"] + 5, y=where["y"] + 5, data=files)

    def complaints(self) -> list[str]:
        """Return the console's errors of scripts and breaches of the content policy since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since this was last asked."""
        entries = self.driver.get_log("performance")  # type: ignore[no-untyped-call]
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, closed at the end."""
    options = webdriver.ChromeOptions()
    options.binary_location = needs.program("chromium")
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(needs.program("chromedriver")))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
