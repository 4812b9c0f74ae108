"""One step of the build besides what pyproject.toml says: the catalogues of other languages are compiled."""

import sys
from pathlib import Path

from setuptools import Command, setup
from setuptools.command.build import build

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))

from tools.compiling import compile_catalogue, sources  # noqa: E402


class BuildCatalogues(Command):
    """Writes each .mo into the build, or beside its .po where the sources themselves are installed."""

    description = "compile the catalogues of other languages"
    user_options = ()

    def initialize_options(self) -> None:
        self.build_lib: str | None = None
        self.editable_mode = False

    def finalize_options(self) -> None:
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def run(self) -> None:
        for target, source in self.get_output_mapping().items():
            compile_catalogue(Path(source), Path(target))

    def get_source_files(self) -> list[str]:
        tools = [ROOT / "tools" / name for name in ("__init__.py", "compiling.py")]
        return [str(path.relative_to(ROOT)) for path in (*sources(), *tools)]

    def get_outputs(self) -> list[str]:
        return list(self.get_output_mapping())

    def get_output_mapping(self) -> dict[str, str]:
        assert self.build_lib is not None
        folder = ROOT if self.editable_mode else Path(self.build_lib)
        return {str(folder / path.relative_to(ROOT).with_suffix(".mo")): str(path) for path in sources()}


build.sub_commands = [*build.sub_commands, ("build_catalogues", None)]
setup(cmdclass={"build_catalogues": BuildCatalogues})
