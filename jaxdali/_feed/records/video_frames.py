"""Which frames a video has: their numbers, when they are shown, and from which key frames they are decoded."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np

__all__ = ["Frames", "Packet", "doubtful_packets", "frames_of"]

# So many packets are decoded to see whether their stamps say when frames are shown: more than decoders keep back.
_ENOUGH = 40
_NONE = np.zeros(0, np.int64)


@dataclasses.dataclass(frozen=True)
class Packet:
    """What a file says about a frame before it is decoded.

    Attributes:
        stamp: when it is shown; None: unknown.
        is_key: whether decoding can begin with it.
        is_discarded: the file says that it is decoded, but not shown.
        place: where it begins in the file, in bytes; -1: unknown.
    """

    stamp: int | None
    is_key: bool
    is_discarded: bool
    place: int


@dataclasses.dataclass(frozen=True, eq=False)
class Frames:
    """The frames of a file, in the order in which they are shown.

    Attributes:
        stamps: `int64[frames]`: when each is shown, in units of `unit_s`. Empty if the file does not say.
        count: the number of frames.
        unit_s: the unit of `stamps`, in seconds.
        rate: frames per second, as the file says.
        keys: `int64[keys]`: the stamps of key frames, from which decoding can begin, in order. Those before the first frame
            are decoded but not shown. Empty: decoded frames do not say their numbers, and are counted from the beginning.
        places: `int64[keys]`: where their packets begin, in bytes; empty if FFmpeg finds them by their stamps.
    """

    stamps: np.ndarray
    count: int
    unit_s: float
    rate: float
    keys: np.ndarray = dataclasses.field(default_factory=lambda: _NONE)
    places: np.ndarray = dataclasses.field(default_factory=lambda: _NONE)

    @property
    def times(self) -> np.ndarray:
        """`float64[frames]`: seconds."""
        return self.stamps * self.unit_s if len(self.stamps) else np.arange(self.count) / self.rate

    @property
    def is_even(self) -> bool:
        """Whether frames are equally spaced in time, apart from rounding."""
        return len(self.stamps) < 3 or int(np.ptp(np.diff(self.stamps))) <= max(
            1, int(np.diff(self.stamps).mean() * 0.1)
        )

    def key_before(self, number: int) -> int:
        """Returns the last key frame from which frame `number` is decoded, as an index of `keys`; -1: the beginning."""
        if not 0 <= number < len(self.stamps):
            return -1
        return int(np.searchsorted(self.keys, self.stamps[number], side="right")) - 1

    def number_of_key(self, key: int) -> int:
        """Returns the number of the first frame that is shown from key frame `key` on."""
        return int(np.searchsorted(self.stamps, self.keys[key]))

    def number_of(self, stamp: int | None, following: int | None) -> int | None:
        """Returns the number of a decoded frame; None: it is none of the file's.

        Args:
            stamp: when it is shown, as the decoder says.
            following: the number of the frame that comes if frames are counted; None: unknown.
        """
        if not len(self.keys) or stamp is None:
            return following
        number = int(np.searchsorted(self.stamps, stamp))
        return number if number < len(self.stamps) and self.stamps[number] == stamp else None


def doubtful_packets(packets: Sequence[Packet], reorders: bool) -> int:
    """Returns how many packets from the first one have to be decoded before the frames of a file are known; mostly 0.

    Two kinds of files need it. In one that was cut out of a longer one, the first frames lack the key frame that they
    need. In one whose format stores when packets are decoded, but not when frames are shown, stamps increase although
    frames come in another order.

    Args:
        reorders: whether the decoder gives frames in another order.
    """
    first = _first_key(packets)
    if first < len(packets) and (stamp := packets[first].stamp) is not None:
        lead = [
            place
            for place, one in enumerate(packets)
            if not one.is_discarded and (place < first or (one.stamp is not None and one.stamp < stamp))
        ]
        if lead:
            return max(lead[-1], first) + _ENOUGH
    return _ENOUGH if reorders and _increase([one.stamp for one in packets]) else 0


def frames_of(
    packets: Sequence[Packet],
    decoded: Sequence[int | None],
    doubtful: int,
    unit_s: float,
    rate: float,
    by_place: bool,
) -> Frames:
    """Returns the frames of a file.

    Args:
        packets: all packets of its video, in their order.
        decoded: the stamps of the frames that the first ones give, in the order in which they come.
        doubtful: see `doubtful_packets`.
        unit_s, rate: see `Frames`.
        by_place: whether key frames are found by where their packets begin.
    """
    first = _first_key(packets)
    shown = [one.stamp for one in packets if not one.is_discarded]
    stamps = [stamp for stamp in shown if stamp is not None]
    if len(set(stamps)) < len(shown):  # a missing one, or two equal ones
        lost = 0 if first == len(packets) else sum(not one.is_discarded for one in packets[:first])
        return Frames(_NONE, len(shown) - lost, unit_s, rate)
    keys = sorted((one.stamp, one.place) for one in packets if one.is_key and one.stamp is not None)
    if doubtful:
        if not _increase(decoded):
            return Frames(np.sort(np.array(stamps, np.int64)), len(stamps), unit_s, rate)
        if keys:
            begun, came = packets[first].stamp, {*decoded}
            stamps = [one for one in stamps if begun is None or one >= begun or one in came]
    places = [place for _, place in keys] if by_place else []
    return Frames(
        np.sort(np.array(stamps, np.int64)),
        len(stamps),
        unit_s,
        rate,
        np.array([stamp for stamp, _ in keys], np.int64),
        _NONE if -1 in places else np.array(places, np.int64),
    )


def _first_key(packets: Sequence[Packet]) -> int:
    return next((place for place, one in enumerate(packets) if one.is_key), len(packets))


def _increase(stamps: Sequence[int | None]) -> bool:
    return all(one is not None and two is not None and one < two for one, two in itertools.pairwise(stamps))
