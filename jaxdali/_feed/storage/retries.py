"""Retries requests that failed, and names the object in the error when it gives up."""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import errno
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from jaxdali.errors import BackendUnavailable, ConfigError, SourceDataError
from .object_identity import BadAnswer, Changed, OutOfRange
from .urls import printable_url

__all__ = ["Limit", "retry", "status_of"]

_Value = TypeVar("_Value")

# Eight pauses of 0.1, 0.2, 0.4 ... 4 s outlast an outage of ten seconds, and end before a worker is taken for dead.
TRIES = 9
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 4.0
# Seconds that all tries and pauses may take, and one try; each plus one more for every _SLOWEST bytes.
LIMIT_S, TRY_S, _SLOWEST = 30.0, 15.0, 1 << 18
# Answers that would be the same the next time.
_FINAL = {400, 401, 403, 404, 405, 410, 414}
_FINAL_NAMES = {"NoCredentialsError", "PartialCredentialsError", "InvalidURL", "InvalidUrlClientError", "TooLarge"}


class Limit:
    """When a read ends, and its present try.

    Args:
        size: how many bytes it is expected to have.
    """

    __slots__ = ("_loop", "_size", "_timeout", "_try_began", "began")
    _timeout: asyncio.Timeout

    def __init__(self, size: int):
        self._loop = asyncio.get_running_loop()
        self.began = self._try_began = self._loop.time()
        self._size = size

    @property
    def left(self) -> float:
        """Seconds until the read ends."""
        return self.began + LIMIT_S + self._size / _SLOWEST - self._loop.time()

    def one_try(self) -> asyncio.Timeout:
        """Begins a try, for the duration of the block."""
        self._try_began = self._loop.time()
        self._timeout = asyncio.timeout_at(self._end())
        return self._timeout

    def expect(self, size: int) -> None:
        """Says how many bytes come, when that becomes known: more of them may take longer."""
        if size > self._size + _SLOWEST:
            self._size = size
            self._timeout.reschedule(self._end())

    def _end(self) -> float:
        more = self._size / _SLOWEST
        return min(self.began + LIMIT_S, self._try_began + TRY_S) + more


async def retry(what: str, url: str, size: int | None, work: Callable[[Limit], Awaitable[_Value]]) -> _Value:
    """Returns the result of `work`, which is tried at most `TRIES` times, until the limit of time.

    Args:
        what: is being read, for the error: "bytes 10 to 20".
        size: expected number of bytes; None if unknown.

    Raises:
        OSError: all tries failed; names the object. May be a FileNotFoundError or PermissionError.
        SourceDataError: what came was never what was asked for; names the object and the difference.
        OutOfRange, Changed: `work` said so.
    """
    limit, pause = Limit(size or 0), _FIRST_PAUSE_S
    for number in range(1, TRIES + 1):
        try:
            async with limit.one_try():
                return await work(limit)
        except (OutOfRange, Changed, ConfigError, BackendUnavailable, SourceDataError):
            raise
        except Exception as error:
            pause_s = max(pause, asked := _retry_after(error)) * random.uniform(1, 1.25)
            if _is_final(error) or number == TRIES or pause_s >= limit.left:
                raise _lost(what, url, error, number, limit, asked) from None
        await asyncio.sleep(pause_s)
        pause = min(2 * pause, _LONGEST_PAUSE_S)
    raise AssertionError("the last attempt returns or raises")


def status_of(error: BaseException) -> int | None:
    """The HTTP status of an error, or None; fsspec keeps it in the cause."""
    for one in (error, error.__cause__):
        status = getattr(one, "status", None)
        if status is None:
            status = _meta(one).get("HTTPStatusCode")
        if isinstance(status, int):
            return status
    return None


def _meta(error: BaseException | None) -> Mapping[str, Any]:
    """What botocore says of the answer that an error is about."""
    response = getattr(error, "response", None)
    return response.get("ResponseMetadata", {}) if isinstance(response, dict) else {}


def _retry_after(error: BaseException) -> float:
    """Returns how many seconds the server asked to wait before the next request; 0 if it did not."""
    for one in (error, error.__cause__):
        headers = getattr(one, "headers", None) or _meta(one).get("HTTPHeaders") or {}
        told = headers.get("Retry-After") or headers.get("retry-after") or ""
        if told.isascii() and told.isdecimal():
            return float(told[:9])
        with contextlib.suppress(ValueError, TypeError, OverflowError, IndexError):
            return max(email.utils.parsedate_to_datetime(told[:64]).timestamp() - time.time(), 0)
    return 0.0


def _is_final(error: Exception) -> bool:
    if isinstance(error, TimeoutError):
        return False
    if (status := status_of(error)) is not None:
        return status in _FINAL
    final = (
        FileNotFoundError,
        PermissionError,
        IsADirectoryError,
        NotADirectoryError,
        ImportError,
        TypeError,
        MemoryError,
    )
    return isinstance(error, (*final, NotImplementedError)) or type(error).__name__ in _FINAL_NAMES


def _lost(what: str, url: str, error: Exception, tries: int, limit: Limit, asked: float) -> Exception:
    status = status_of(error)
    if status in (404, 410) or (status is None and isinstance(error, FileNotFoundError)):
        return FileNotFoundError(errno.ENOENT, "there is no such object", printable_url(url))
    words = str(error)
    if isinstance(error, TimeoutError) and not words:
        words = "no answer in time"
    reason = f"{type(error).__name__}: {words.replace(url, printable_url(url))[:300]}"
    if status in (401, 403) or isinstance(error, PermissionError):
        return PermissionError(
            errno.EACCES,
            f"{what} may not be read ({reason}); credentials come from the environment",
            printable_url(url),
        )
    seconds = asyncio.get_running_loop().time() - limit.began
    after = f"after {tries} tries in {seconds:.1f} s" if tries > 1 else "at once"
    if asked:
        reason += f"; the server asks to wait {asked:.0f} s, and a read may take {seconds + limit.left:.0f} s in all"
    if isinstance(error, BadAnswer):
        return SourceDataError(f"{printable_url(url)}: {what} could not be read, {after}: {words[:300]}")
    code = errno.ENOMEM if isinstance(error, MemoryError) else errno.EIO
    return OSError(code, f"{what} could not be read, {after}: {reason}", printable_url(url))
