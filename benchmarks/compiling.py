"""C code of the benchmarks, compiled when first used."""

import ctypes
import os
import subprocess
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

BUILT: Final = Path(__file__).with_name(".built")
COMPILE: Final = ("gcc", "-O3", "-march=native", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


@cache
def compiled(path: Path) -> ctypes.CDLL:
    """Return the compiled C code: compiled once for each state of the source, also when many processes ask at once."""
    source = path.read_bytes()
    place = BUILT / f"{path.stem}-{sha256(source + ' '.join(COMPILE).encode()).hexdigest()[:16]}.so"
    if not place.exists():
        BUILT.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILT) as folder:
            fresh = Path(folder) / place.name
            subprocess.run([*COMPILE, "-o", fresh, path, "-lm"], check=True)
            os.replace(fresh, place)
    return ctypes.CDLL(str(place))
