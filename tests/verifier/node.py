"""Run the verifier in JavaScript (protocol/verifier) by Node."""

import subprocess
from pathlib import Path
from typing import Final

from tests.needs import file, program

VERIFIER: Final = Path(__file__).parents[2] / "protocol" / "verifier"


def node(script: str, *arguments: str | Path, timeout: float = 280) -> subprocess.CompletedProcess[str]:
    """Run one of the verifier's programs, and return what it printed.

    Without Node, or without the packages that `npm ci` installs in its folder, the running test is skipped.
    """
    executable = program("node")
    file(str(VERIFIER / "node_modules" / "@noble"))
    return subprocess.run(
        [executable, VERIFIER / script, *arguments],
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=timeout,
    )
