"""What a library raises about bytes of others, as errors that name the file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from jaxdali._base.interruptions import raised_by_handler
from jaxdali.errors import JaxDaliError, SourceDataError

__all__ = ["data_errors", "said"]

# Errors of Python's whose words do not say what is wrong.
_MUTE = (LookupError, ArithmeticError, AssertionError, AttributeError, TypeError)


@contextlib.contextmanager
def data_errors(
    where: str | Callable[[], str], *passing: type[Exception], own: type[Exception] | tuple[()] = ()
) -> Iterator[None]:
    """Makes a SourceDataError of what a library raises about a file. Parsers raise nearly every type of exception, also a
    MemoryError if the file declares too much, and one that passed would be taken for the program's own. Errors of this
    package pass, and so does what a signal's handler raised.

    Example:
        with data_errors(f"{path}, row group {number}"):
            table = file.read_row_group(number)

    Args:
        where: the file, and the place in it; or a function that says so when it is asked.
        passing: other errors that pass, such as OSError where the library reads the file itself.
        own: the library's errors, which do not pass even if they are of these types, too.

    Raises:
        SourceDataError: the library raised something else. Says where, and what.
    """
    try:
        yield
    except JaxDaliError:
        raise
    except Exception as error:
        if raised_by_handler(error) or (isinstance(error, passing) and not isinstance(error, own)):
            raise
        raise SourceDataError(f"{where if isinstance(where, str) else where()}: {said(error)}") from None


def said(error: Exception) -> str:
    """Returns what an error of a library says, with its type where the words alone say nothing."""
    if isinstance(error, MemoryError):
        return "it takes more memory than there is; it is damaged, or made to do that"
    if isinstance(error, RecursionError):
        return "it is nested too deep; it is damaged, or made to be so"
    words = getattr(error, "strerror", None) or getattr(error, "error_string", None) or str(error)
    if words and not (type(error).__module__ == "builtins" and isinstance(error, _MUTE)):
        return str(words)
    return f"it is damaged ({type(error).__name__}{f': {words}' if words else ''})"
