"""Exceptions in full-screen mode are raised where it is run; nothing is printed over the terminal."""

from collections.abc import Callable, Sequence

import pytest
from rich.text import Text
from textual.app import ComposeResult
from textual.screen import Screen

from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.failing import FailingApp


class Failing(FailingApp[None]):
    """Fails once it is there, by `fail`."""

    def __init__(self, fail: Callable[["Failing"], None]) -> None:
        super().__init__()
        self._fail = fail
        self.drawing = False

    def compose(self) -> ComposeResult:
        yield CanvasWidget(self._draw)

    def _draw(self, width: int) -> Sequence[Text]:
        if self.drawing:
            raise ZeroDivisionError
        return ()

    def on_mount(self) -> None:
        self.call_after_refresh(self._fail, self)


def in_a_handler(app: Failing) -> None:
    raise ZeroDivisionError


async def divide() -> None:
    raise ZeroDivisionError


def in_a_worker(app: Failing) -> None:
    app.run_worker(divide())


def in_a_timer(app: Failing) -> None:
    app.set_timer(0.01, divide)


def while_drawing(app: Failing) -> None:
    app.drawing = True
    app.query_one(CanvasWidget).redraw()


@pytest.mark.parametrize("fail", [in_a_handler, in_a_worker, in_a_timer, while_drawing])
async def test_it_is_raised(fail: Callable[[Failing], None], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        await Failing(fail).run_async(headless=True)
    assert capfd.readouterr() == ("", "")


async def test_an_app_that_is_left_raises_nothing() -> None:
    await Failing(lambda app: app.exit()).run_async(headless=True)


def leave_and_open(app: Failing) -> None:
    app.exit()
    app.push_screen(Opening())


def open_and_leave(app: Failing) -> None:
    app.push_screen(Opening())
    app.exit()


class Opening(Screen[None]):
    """Looks for its parts as soon as it opens."""

    def compose(self) -> ComposeResult:
        yield CanvasWidget(lambda _: ())

    def on_mount(self) -> None:
        self.query_one(CanvasWidget)


@pytest.mark.parametrize("leave", [leave_and_open, open_and_leave])
async def test_a_screen_that_opens_while_the_app_is_left_fails_nothing(leave: Callable[[Failing], None]) -> None:
    await Failing(leave).run_async(headless=True)


def leave_and_fail(app: Failing) -> None:
    app.exit()
    raise ZeroDivisionError


async def test_an_error_of_ours_is_raised_even_while_the_app_is_left() -> None:
    with pytest.raises(ZeroDivisionError):
        await Failing(leave_and_fail).run_async(headless=True)
