"""The same module run elsewhere: under other interpreters, options, hash seeds and locales."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def printed_by(module: str, interpreter: str, *options: str, **environment: str) -> list[str]:
    """Return the lines that `module` prints when it is run by `interpreter`, in `environment` and no other."""
    command = [interpreter, *options, "-m", module]
    env = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True, timeout=120)
    return done.stdout.decode().splitlines()


def interpreters(*needed: str) -> list[str]:
    """This interpreter, and every other that the package supports, that answers when called and has what is needed."""
    found = [sys.executable]
    probe = "".join(f"import {module}; " for module in needed) + "import sys; print(*sys.version_info[:2], sep='.')"
    for minor in range(11, 16):
        path = shutil.which(f"python3.{minor}")
        if path and sys.version_info[1] != minor:
            answer = subprocess.run([path, "-c", probe], capture_output=True, text=True, check=False)
            if answer.stdout.strip() == f"3.{minor}":
                found.append(path)
    return found
