"""An app that leaves the screen when something in it fails, and raises that where it is run.

The library would print a traceback over the terminal instead, and go on as if the app had been left. All that we need
of an app's private parts stands here, and `tests/ui/full/test_failing.py` notices when they change.
"""

from typing import Any, Final, TypeVar

from textual.app import App, ScreenStackError
from textual.css.query import NoMatches
from textual.widget import MountError
from textual.worker import WorkerFailed

_T = TypeVar("_T")

UNBUILT: Final = (MountError, NoMatches, ScreenStackError)
"""Errors of what is not there: not yet, or no more."""


class FailingApp(App[_T]):
    """Raises from `run_async` whatever is raised in handlers, workers, timers, or while something is drawn.

    Once the app is left, a screen that was about to open may never get its parts: that they are missing is no failure.
    """

    _failure: Exception | None = None
    _left = False

    def exit(self, *arguments: Any, **options: Any) -> None:
        self._left = True
        super().exit(*arguments, **options)

    async def run_async(self, **options: Any) -> _T | None:
        result = await super().run_async(**options)
        if self._failure:
            raise self._failure
        return result

    def send(self, sequence: str) -> None:
        """Send the terminal what changes nothing on the screen, such as its bell or a notification."""
        if not self.is_headless and self._driver is not None:
            self._driver.write(sequence)

    def _handle_exception(self, error: Exception) -> None:
        """Take note of the first error, for tests as well (`_exception`), and end."""
        failure = error.error if isinstance(error, WorkerFailed) else error
        if self._left and isinstance(failure, UNBUILT):
            return
        if self._failure is None and isinstance(failure, Exception):
            self._failure = self._exception = failure
            self._exception_event.set()
        self._return_code = 1
        self._close_messages_no_wait()
