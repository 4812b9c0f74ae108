"""Debian's Firefox without a window, steered by WebDriver BiDi, which it speaks itself; nothing is downloaded."""

import json
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

from tests import needs

ADDRESS: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
SECONDS: Final = 60

WATCHED: Final = """() => {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(`Content Security Policy: ${event.violatedDirective} ${event.blockedURI}`));
}"""
"""Keeps the breaches of a page's content policy, which are no errors of scripts."""


class Firefox:
    """One tab of it, by the methods of `tests.ui.chrome.Browser` that these tests need."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._count = 0
        self._errors: list[str] = []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded"])
        self.command("script.addPreloadScript", functionDeclaration=WATCHED)
        self._tab = self.command("browsingContext.getTree")["contexts"][0]["context"]

    def command(self, method: str, **parameters: Any) -> Any:
        """Return the result of a command; events that come before it are kept."""
        self._count += 1
        self._connection.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._connection.recv(SECONDS))
            if message.get("id") == self._count:
                assert message["type"] == "success", message
                return message["result"]
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                self._errors.append(str(message["params"]["text"]))

    def open(self, path: Path, place: str = "") -> None:
        """Open a page anew, at a place of it."""
        self.command("browsingContext.navigate", context=self._tab, url="about:blank", wait="complete")
        self._errors.clear()
        url = path.as_uri() + (f"#{place}" if place else "")
        self.command("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def run(self, script: str) -> Any:
        """Return what a script returns."""
        return self._call(f"() => JSON.stringify((() => {{ {script} }})() ?? null)")

    def choose(self, selector: str, paths: Sequence[Path]) -> None:
        """Choose files where a page asks for them."""
        node = self._evaluate(f"() => document.querySelector({json.dumps(selector)})")
        files = list(map(str, paths))
        self.command("input.setFiles", context=self._tab, element={"sharedId": node["sharedId"]}, files=files)

    def press(self, *keys: str) -> None:
        """Type where the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        typed = [{"type": "key", "id": "keyboard", "actions": actions}]
        self.command("input.performActions", context=self._tab, actions=typed)

    def sized(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.command("browsingContext.setViewport", context=self._tab, viewport=size)

    def complaints(self) -> list[str]:
        """Return the errors of scripts and breaches of the content policy since the page was opened."""
        found = self.run("return window.violations ?? []")
        return [*self._errors, *found]

    def _call(self, function: str) -> Any:
        return json.loads(self._evaluate(function)["value"])

    def _evaluate(self, function: str) -> Any:
        target = {"context": self._tab}
        done = self.command("script.callFunction", functionDeclaration=function, target=target, awaitPromise=True)
        assert done["type"] == "success", done
        return done["result"]


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """A browser with an empty profile, closed at the end."""
    program = needs.program("firefox-esr")
    profile.mkdir()
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with (profile / "output").open("w+b") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=profile)
        try:
            with connect(f"{_address(profile / 'output')}/session", max_size=None) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()
            process.wait(SECONDS)


def _address(output: Path) -> str:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if found := ADDRESS.search(output.read_text(encoding="utf-8", errors="replace")):
            return found.group(1)
        time.sleep(0.1)
    raise AssertionError(output.read_text(encoding="utf-8", errors="replace"))
