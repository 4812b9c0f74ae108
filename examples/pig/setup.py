"""One step of the build besides what pyproject.toml says: Babel compiles the translations."""

from setuptools import setup
from setuptools.command.build import build

build.sub_commands = [("compile_catalog", None), *build.sub_commands]
setup()
