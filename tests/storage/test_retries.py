"""How often and how long a read is tried, by a clock that passes only in pauses."""

from __future__ import annotations

import asyncio
import datetime
import email.utils
import errno
import types

import pytest

from jaxdali import SourceDataError
from jaxdali._feed.storage import retries
from jaxdali._feed.storage.object_identity import BadAnswer
from jaxdali._feed.storage.retries import retry

URL = "http://host/x?secret"


class Refused(Exception):
    """An answer with headers, as aiohttp raises it, or as botocore does."""

    def __init__(self, status: int, headers: dict[str, str], of_botocore: bool = False):
        super().__init__("refused")
        if of_botocore:
            headers = {name.lower(): value for name, value in headers.items()}
            self.response = {"ResponseMetadata": {"HTTPStatusCode": status, "HTTPHeaders": headers}}
        else:
            self.status, self.headers = status, headers


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time goes on by itself when nothing is left to do but wait."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._selector.select = types.MethodType(self._select, self._selector.select)

    def _select(self, select, timeout):
        self.now += max(timeout or 0, 0)
        return select(0)

    def time(self) -> float:
        return self.now


def run(work, size=None):
    """Returns what came of a read, how many tries it took, and how many seconds."""
    tries = []

    async def one(limit):
        tries.append(limit)
        return await work(len(tries), limit)

    with asyncio.Runner(loop_factory=Clock) as runner:
        try:
            found = runner.run(retry("the object", URL, size, one))
        except Exception as error:
            found = error
        return found, len(tries), runner.get_loop().time()


async def refuse(error):
    raise error


@pytest.mark.parametrize("of_botocore", [False, True])
@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_to_wait_is_asked_again_after_that(status, of_botocore):
    error = Refused(status, {"Retry-After": "12"}, of_botocore)

    async def work(number, _):
        return "well" if number == 2 else await refuse(error)

    found, tries, seconds = run(work)
    assert (found, tries) == ("well", 2) and 12 <= seconds <= 15


def test_a_date_to_wait_for_is_waited_for():
    there = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=12)
    error = Refused(503, {"Retry-After": email.utils.format_datetime(there, usegmt=True)})

    async def work(number, _):
        return "well" if number == 2 else await refuse(error)

    found, tries, seconds = run(work)
    assert (found, tries) == ("well", 2) and 10 <= seconds <= 15


def test_a_server_that_asks_for_more_time_than_there_is_is_left_at_once():
    found, tries, seconds = run(lambda *_: refuse(Refused(503, {"Retry-After": "3600"})))
    assert isinstance(found, OSError) and (tries, seconds) == (1, 0)
    assert "the server asks to wait 3600 s, and a read may take 30 s in all" in str(found) and "secret" not in str(
        found
    )


@pytest.mark.parametrize("told", ["", "-1", "soon", "²", "1" * 5000, "Mon, 99 Foo 2024", "\udcff"])
def test_nonsense_in_a_header_breaks_nothing(told):
    found, _, seconds = run(lambda *_: refuse(Refused(503, {"Retry-After": told})))
    assert isinstance(found, OSError) and seconds < 30


@pytest.mark.parametrize("size, most", [(None, 30), (1000, 30.1), (10 << 18, 40)])
def test_a_read_has_one_limit_of_time(size, most):
    """Whether a server says nothing, or breaks off late."""

    async def hangs(*_):
        await asyncio.sleep(10**6)

    async def breaks_off(*_):
        await asyncio.sleep(9)
        raise ConnectionError("broken")

    for work in (hangs, breaks_off):
        found, _, seconds = run(work, size)
        assert isinstance(found, OSError) and found.errno == errno.EIO and most - 10 <= seconds <= most


def test_a_large_object_has_more_time_when_its_size_is_known():
    async def slow(_, limit):
        limit.expect(40 << 18)
        await asyncio.sleep(50)
        return "all"

    assert run(slow) == ("all", 1, 50)


def test_quick_faults_are_repeated_for_ten_seconds_and_more():
    found, tries, seconds = run(lambda *_: refuse(ConnectionError("down")))
    assert isinstance(found, OSError) and tries == 9 and 12 <= seconds <= 20


def test_what_memory_does_not_hold_is_not_repeated():
    found, tries, _ = run(lambda *_: refuse(MemoryError("1 TB")))
    assert isinstance(found, OSError) and found.errno == errno.ENOMEM and tries == 1


def test_what_never_fits_is_the_objects_fault(monkeypatch):
    monkeypatch.setattr(retries, "TRIES", 2)
    found, tries, _ = run(lambda *_: refuse(BadAnswer("got other bytes")))
    assert isinstance(found, SourceDataError) and tries == 2
    assert str(found).startswith(
        "http://host/x?...: the object could not be read, after 2 tries"
    ) and "other bytes" in str(found)
