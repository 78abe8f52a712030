"""Retries requests that failed, and names the object in the error when it gives up."""

from __future__ import annotations

import asyncio
import errno
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ..errors import BackendUnavailable, ConfigError
from .urls import spoken

__all__ = ["OutOfRange", "WrongLength", "tried"]

_Value = TypeVar("_Value")

# Eight pauses of 0.1, 0.2, 0.4 ... 4 s outlast an outage of ten seconds, and end before a worker is taken for dead.
TRIES = 9
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 4.0
# Seconds that one try may take, plus one more for every _SLOWEST bytes.
TRY_S, _SLOWEST = 15.0, 1 << 18
# Answers that would be the same the next time.
_FINAL = {400, 401, 403, 404, 405, 410, 414}
_FINAL_NAMES = {"NoCredentialsError", "PartialCredentialsError", "InvalidURL", "InvalidUrlClientError"}


class WrongLength(Exception):
    """An answer is longer or shorter than what was asked for."""


class OutOfRange(Exception):
    """The object does not have these bytes."""


async def tried(what: str, url: str, size: int | None, work: Callable[[], Awaitable[_Value]]) -> _Value:
    """Returns the result of `work`, which is tried at most `TRIES` times.

    Args:
        what: is being read, for the error: "bytes 10 to 20".
        size: expected number of bytes; None if unknown.

    Raises:
        OSError: all tries failed; names the object. May be a FileNotFoundError or PermissionError.
        OutOfRange: `work` or the server said so.
    """
    loop = asyncio.get_running_loop()
    began, pause = loop.time(), _FIRST_PAUSE_S
    for number in range(1, TRIES + 1):
        try:
            async with asyncio.timeout(TRY_S + (size or 0) / _SLOWEST):
                return await work()
        except (OutOfRange, ConfigError, BackendUnavailable):
            raise
        except Exception as error:
            if _status(error) == 416:
                raise OutOfRange from None
            if _is_final(error) or number == TRIES:
                raise _lost(what, url, error, number, loop.time() - began) from None
        await asyncio.sleep(pause * random.uniform(0.75, 1.25))
        pause = min(2 * pause, _LONGEST_PAUSE_S)
    raise AssertionError("the last attempt returns or raises")


def _status(error: BaseException) -> int | None:
    """The HTTP status of an error, or None; fsspec keeps it in the cause."""
    for one in (error, error.__cause__):
        status = getattr(one, "status", None)
        if isinstance(status, int):
            return status
    return None


def _is_final(error: Exception) -> bool:
    if (status := _status(error)) is not None:
        return status in _FINAL
    if isinstance(error, TimeoutError):
        return False
    final = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, ImportError, TypeError)
    return isinstance(error, (*final, NotImplementedError)) or type(error).__name__ in _FINAL_NAMES


def _lost(what: str, url: str, error: Exception, tries: int, seconds: float) -> OSError:
    status = _status(error)
    if status in (404, 410) or (status is None and isinstance(error, FileNotFoundError)):
        return FileNotFoundError(errno.ENOENT, "there is no such object", spoken(url))
    words = "no answer in time" if isinstance(error, TimeoutError) and not str(error) else str(error)
    reason = f"{type(error).__name__}: {words.replace(url, spoken(url))[:300]}"
    if status in (401, 403) or isinstance(error, PermissionError):
        return PermissionError(
            errno.EACCES, f"{what} may not be read ({reason}); credentials come from the environment", spoken(url)
        )
    after = f"after {tries} tries in {seconds:.1f} s" if tries > 1 else "at once"
    return OSError(errno.EIO, f"{what} could not be read, {after}: {reason}", spoken(url))
