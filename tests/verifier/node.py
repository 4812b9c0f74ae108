"""Run the verifier in JavaScript (protocol/verifier) by Node."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.needs import file, program

VERIFIER: Final = Path(__file__).parents[2] / "protocol" / "verifier"


def node(
    script: str, *arguments: str | Path, given: str = "", timeout: float = 280
) -> subprocess.CompletedProcess[str]:
    """Run one of the verifier's programs, with a text on its standard input, and return what it printed.

    Without Node, or without the packages that `npm ci` installs in its folder, the running test is skipped.
    """
    executable = program("node")
    file(str(VERIFIER / "node_modules" / "@noble"))
    return subprocess.run(
        [executable, VERIFIER / script, *arguments],
        capture_output=True,
        check=False,
        input=given,
        encoding="utf-8",
        timeout=timeout,
    )


def answers(requests: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return what `test/lines.js` answers to each request, all in one process."""
    lines = [json.dumps(request) for request in requests]
    done = node("test/lines.js", given="\n".join(lines))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, len(found)) == (0, len(lines)), done.stderr
    return found


def in_hexadecimal(data: Mapping[str, bytes]) -> dict[str, str]:
    """Return data from outside, by digest, as a request has them."""
    return {digest: content.hex() for digest, content in data.items()}
