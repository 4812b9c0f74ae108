"""Settings outlive the program, and no broken one takes the others with it."""

import json
import os
import stat
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.settings import CHOICES, Settings, command_words
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.settings import Loaded, keep, load, save
from p2p_shanghaien.ui.words import describe

UNUSUAL = Settings(
    language="de",
    game="toy",
    theme="dark",
    ascii=True,
    bell=False,
    speed="fast",
    tutor_loss=2.5,
    plain=True,
    on_turn="notify-send Go",
)
BROKEN = ["", "[]", "7", "{", "\xff", '"x"', "[" * 100_000]

settings = st.builds(
    Settings,
    language=st.none() | st.sampled_from(["en", "fr", "it", "de"]),
    game=st.none() | st.sampled_from(["shanghaien", "a-game-2"]),
    tutor_loss=st.integers(0, 100) | st.floats(0, 100),
    on_turn=st.none() | st.sampled_from(["true", "notify-send 'Your turn' {opponent}"]),
    **{name: st.sampled_from(values) for name, values in CHOICES.items()},
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.json"


def written(path: Path, content: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="latin-1")
    return path


def test_without_a_file_everything_is_as_usual(path: Path) -> None:
    assert load(path) == Loaded(Settings())
    assert not path.parent.exists()


def test_every_setting_with_few_values_has_its_default_among_them() -> None:
    assert {field.name for field in fields(Settings)} == {*CHOICES, "language", "game", "tutor_loss", "on_turn"}
    assert all(getattr(Settings(), name) in values for name, values in CHOICES.items())


@given(first=settings, second=settings)
def test_what_is_kept_last_is_found_again(tmp_path_factory: pytest.TempPathFactory, first: Any, second: Any) -> None:
    path = tmp_path_factory.mktemp("home") / "settings.json"
    save(path, first)
    save(path, second)
    assert load(path) == Loaded(second)


def test_the_file_is_for_its_owner_alone(path: Path) -> None:
    save(path, UNUSUAL)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == ["settings.json"]


@pytest.mark.parametrize("name", [field.name for field in fields(Settings) if field.name != "tutor_loss"])
@pytest.mark.parametrize("value", [1, 0, 1.5, "", "no such 'thing", [], {}, [True], "\ud800"], ids=repr)
def test_a_broken_setting_has_its_default_and_costs_no_other(path: Path, name: str, value: object) -> None:
    loaded = load(written(path, {**asdict(UNUSUAL), name: value}))
    assert asdict(loaded.settings) == {**asdict(UNUSUAL), name: getattr(Settings(), name)}
    (error,) = loaded.errors
    assert error.code == "bad_kept_setting"
    assert name in describe(error)


@pytest.mark.parametrize("value", [-1, 100.5, 1e9, "2", "", True, False, None, [], {}], ids=repr)
def test_a_loss_is_a_percentage(path: Path, value: object) -> None:
    loaded = load(written(path, {**asdict(UNUSUAL), "tutor_loss": value}))
    assert loaded.settings.tutor_loss == 2
    assert [error.code for error in loaded.errors] == ["bad_kept_setting"]
    for text in ("NaN", "Infinity", "-Infinity"):
        assert load(written(path, f'{{"tutor_loss": {text}}}')).settings == Settings()


def test_what_a_newer_program_keeps_is_left_alone(path: Path) -> None:
    save(written(path, {"name": "Ada", "future": [1], "bell": 7}), Settings(plain=True))
    assert json.loads(path.read_text()) == {"name": "Ada", "future": [1], "plain": True}


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_file_is_reported_and_can_be_written_anew(path: Path, content: str) -> None:
    loaded = load(written(path, content))
    assert loaded.settings == Settings()
    assert [error.code for error in loaded.errors] == ["bad_settings_file"]
    assert path.read_text(encoding="latin-1") == content
    save(path, UNUSUAL)
    assert load(path) == Loaded(UNUSUAL)
    aside = path.with_name("settings.json.old-1")
    assert aside.read_text(encoding="latin-1") == content, "what stood there is not lost"


def test_a_file_that_cannot_be_read_is_explained_and_not_replaced(path: Path) -> None:
    path.mkdir(parents=True)
    loaded = load(path)
    assert loaded.settings == Settings()
    assert [error.code for error in loaded.errors] == ["not_a_file"]
    with pytest.raises(LocalError, match="not_a_file"):
        save(path, UNUSUAL)
    with pytest.raises(LocalError, match="not_a_file"):
        keep(path, {"name": "Ada"})
    assert path.is_dir()


def test_the_name_and_the_settings_share_a_file(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.keep_settings(UNUSUAL)
    home.keep_own_name("Ada")
    assert (home.own_name, home.settings().settings) == ("Ada", UNUSUAL)
    home.keep_settings(Settings())
    assert (home.own_name, home.settings().settings) == ("Ada", Settings())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("notify-send Turn", ("notify-send", "Turn")),
        ("notify-send 'Your turn' {opponent}", ("notify-send", "Your turn", "{opponent}")),
        ('say "Your turn, \\"Ada\\""', ("say", 'Your turn, "Ada"')),
        ("a ''", ("a", "")),
        ("echo $HOME; rm *", ("echo", "$HOME;", "rm", "*")),
    ],
)
def test_a_command_is_split_as_by_a_shell_and_nothing_else_of_a_shell_happens(text: str, words: tuple[str]) -> None:
    assert command_words(text) == words


@pytest.mark.parametrize(
    "text", ["", "  ", "''", "'open", 'a "b', "a\\", "{opponent} x", "./{opponent}", "a \0", "\ud800"], ids=repr
)
def test_what_is_no_command_is_named_as_any_other_fault(path: Path, text: str) -> None:
    assert command_words(text) == ()
    loaded = load(written(path, json.dumps({"on_turn": text, "plain": True})))
    assert loaded.settings == Settings(plain=True)
    (error,) = loaded.errors
    assert "on_turn cannot be" in describe(error)
    assert "so the default is used" in describe(error)


def test_practice_is_kept_beside_the_games(tmp_path: Path) -> None:
    assert Home(tmp_path).practice == tmp_path / "practice"
