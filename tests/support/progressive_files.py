"""Writes progressive JPEG files with any script of scans, which Pillow's encoder does not."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Iterator, Sequence

__all__ = ["SAMPLINGS", "ProgressiveFile", "Scan", "random_script"]

SAMPLINGS = {"4:4:4": (1, 1), "4:2:2": (2, 1), "4:4:0": (1, 2), "4:2:0": (2, 2), "4:1:1": (4, 1)}

_LONGEST_RUN = 0x7FFF  # blocks


@dataclasses.dataclass(frozen=True)
class Scan:
    """A scan: the coefficients from `first` to `last`, from bit `high` (0: all bits above) down to bit `low`."""

    components: tuple[int, ...]
    first: int
    last: int
    high: int
    low: int
    restart: int = 0  # MCUs between restart markers


class _Bits:
    """Bits of entropy-coded data, with the bytes that stuff them."""

    def __init__(self) -> None:
        self._bits: list[str] = []

    def put(self, value: int, count: int) -> None:
        if count:
            self._bits.append(format(value & (1 << count) - 1, f"0{count}b"))

    def data(self) -> bytes:
        text = "".join(self._bits)
        text += "1" * (-len(text) % 8)
        return int(text or "0", 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\x00")


class _Table:
    """A table with a code for every symbol, some of one to ten bits and others of up to 16, in an order of its own."""

    def __init__(self, symbols: Sequence[int], draws: random.Random):
        self.symbols = draws.sample(list(symbols), len(symbols))
        short = draws.randint(0, 9)
        self.counts = [0] * 16
        self.codes: dict[int, tuple[int, int]] = {}
        code, length = 0, 1
        for place, symbol in enumerate(self.symbols):
            wanted = place + 2 if place < short else max(9, short + 9) if short < 7 else 16
            code <<= wanted - length
            length = wanted
            self.codes[symbol] = (code, length)
            self.counts[length - 1] += 1
            code += 1

    def segment(self, number: int) -> bytes:
        body = bytes([number, *self.counts, *self.symbols])
        return b"\xff\xc4" + (len(body) + 2).to_bytes(2, "big") + body


@dataclasses.dataclass
class ProgressiveFile:
    """A picture of random coefficients, which `encoded` writes by a script."""

    height: int
    width: int
    sampling: tuple[int, int] | None  # None: gray
    seed: int
    density: float = 0.2  # of coefficients that are not zero
    scale: int = 1  # which they are multiples of

    def __post_init__(self) -> None:
        self._draws = random.Random(self.seed)
        self._factors = [(1, 1)] if self.sampling is None else [self.sampling, (1, 1), (1, 1)]
        across, down = self._factors[0]
        self._mcus = -(-self.height // (8 * down)), -(-self.width // (8 * across))
        self._blocks = [self._drawn(component) for component in range(len(self._factors))]

    def _drawn(self, component: int) -> list[list[list[int]]]:
        draws, (h, v) = self._draws, self._factors[component]
        rows, columns = self._mcus[0] * v, self._mcus[1] * h
        return [[self._block(draws) for _ in range(columns)] for _ in range(rows)]

    def _block(self, draws: random.Random) -> list[int]:
        block = [draws.randint(-200, 200)] + [0] * 63
        if draws.random() < 0.7:
            for k in range(1, 64):
                if draws.random() < self.density:
                    most = draws.choice((1, 1, 2, 3, 20, 200))
                    block[k] = draws.randint(-most, most) * self.scale
        return block

    def _raster(self, component: int) -> Iterator[list[int]]:
        """The blocks of a component that hold pixels."""
        (h, v), (across, down) = self._factors[component], self._factors[0]
        for row in self._blocks[component][: -(-self.height * v // (8 * down))]:
            yield from row[: -(-self.width * h // (8 * across))]

    def _mcus_of(self, scan: Scan) -> list[list[tuple[int, list[int]]]]:
        """The scan's MCUs, each a list of components and their blocks."""
        if len(scan.components) == 1:
            return [[(scan.components[0], block)] for block in self._raster(scan.components[0])]
        found = []
        for y in range(self._mcus[0]):
            for x in range(self._mcus[1]):
                found.append(
                    [
                        (c, self._blocks[c][y * v + j][x * h + i])
                        for c in scan.components
                        for h, v in [self._factors[c]]
                        for j in range(v)
                        for i in range(h)
                    ]
                )
        return found

    def header(self) -> bytes:
        quantizer = bytes([255, 219, 0, 67, 0, *(self._draws.randint(1, 30) for _ in range(64))])
        count = len(self._factors)
        frame = bytes([8]) + self.height.to_bytes(2, "big") + self.width.to_bytes(2, "big") + bytes([count])
        for number, (h, v) in enumerate(self._factors):
            frame += bytes([number + 1, h << 4 | v, 0])
        return b"\xff\xd8" + quantizer + b"\xff\xc2" + (len(frame) + 2).to_bytes(2, "big") + frame

    def scan(self, scan: Scan) -> bytes:
        """The markers and data of a scan."""
        is_dc = scan.first == 0
        numbers = [self._draws.randrange(2) for _ in scan.components]
        symbols = range(12) if is_dc else [run << 4 | size for run in range(16) for size in range(11)]
        tables = {number: _Table(symbols, self._draws) for number in set(numbers)}
        text = b"".join(table.segment(number | (0 if is_dc else 16)) for number, table in tables.items())
        text += b"\xff\xdd\x00\x04" + scan.restart.to_bytes(2, "big")
        body = bytes([len(scan.components)])
        for component, number in zip(scan.components, numbers, strict=True):
            body += bytes([component + 1, number << 4 if is_dc else number])
        body += bytes([scan.first, scan.last, scan.high << 4 | scan.low])
        text += b"\xff\xda" + (len(body) + 2).to_bytes(2, "big") + body
        mcus = self._mcus_of(scan)
        each = scan.restart or len(mcus)
        of_component = dict(zip(scan.components, (tables[number] for number in numbers), strict=True))
        segments = [self._segment(scan, mcus[at : at + each], of_component) for at in range(0, len(mcus), each)]
        text += segments[0]
        for number, segment in enumerate(segments[1:]):
            text += bytes([0xFF, 0xD0 + number % 8]) + segment
        return text

    def _segment(self, scan: Scan, mcus: list[list[tuple[int, list[int]]]], tables: dict[int, _Table]) -> bytes:
        bits = _Bits()
        if scan.first > 0:
            band = _Band(bits, tables[scan.components[0]], scan, self._draws.choice((1, 3, _LONGEST_RUN)))
            for ((_, block),) in mcus:
                band.put(block)
            band.end()
            return bits.data()
        before = dict.fromkeys(scan.components, 0)
        for component, block in (item for mcu in mcus for item in mcu):
            value = block[0] >> scan.low
            if scan.high:
                bits.put(value, 1)
                continue
            difference, before[component] = value - before[component], value
            size = abs(difference).bit_length()
            bits.put(*tables[component].codes[size])
            bits.put(difference if difference >= 0 else difference - 1, size)
        return bits.data()

    def encoded(self, script: Sequence[Scan]) -> bytes:
        return self.header() + b"".join(map(self.scan, script)) + b"\xff\xd9"


class _Band:
    """Codes AC coefficients of blocks, as libjpeg's jcphuff.c does."""

    def __init__(self, bits: _Bits, table: _Table, scan: Scan, longest: int):
        self._bits, self._table, self._scan, self._longest = bits, table, scan, longest
        self._run = 0  # blocks that have ended
        self._corrections: list[int] = []  # of these

    def end(self) -> None:
        """Writes the run of blocks that have ended."""
        if self._run:
            size = self._run.bit_length() - 1
            self._symbol(size << 4)
            self._bits.put(self._run, size)
            self._correct(self._corrections)
        self._run, self._corrections = 0, []

    def _symbol(self, symbol: int) -> None:
        self._bits.put(*self._table.codes[symbol])

    def _correct(self, corrections: list[int]) -> None:
        for bit in corrections:
            self._bits.put(bit, 1)

    def put(self, block: list[int]) -> None:
        scan = self._scan
        magnitudes = {k: abs(block[k]) >> scan.low for k in range(scan.first, scan.last + 1)}
        new = [k for k, magnitude in magnitudes.items() if (magnitude == 1 if scan.high else magnitude)]
        zeros, corrections = 0, []
        for k, magnitude in magnitudes.items():
            if magnitude == 0:
                zeros += 1
                continue
            while zeros > 15 and new and k <= new[-1]:
                self.end()
                self._symbol(0xF0)
                self._correct(corrections)
                zeros, corrections = zeros - 16, []
            if k not in new:
                corrections.append(magnitude & 1)
                continue
            self.end()
            size = 1 if scan.high else magnitude.bit_length()
            self._symbol(zeros << 4 | size)
            if scan.high:
                self._bits.put(block[k] > 0, 1)
            else:
                self._bits.put(magnitude if block[k] > 0 else ~magnitude, size)
            self._correct(corrections)
            zeros, corrections = 0, []
        if zeros or corrections:
            self._run += 1
            self._corrections += corrections
            if self._run == self._longest:
                self.end()


def random_script(draws: random.Random, components: int, restarts: bool = False) -> list[Scan]:
    """Draws a script that gives every bit of every coefficient."""

    def restart() -> int:
        return draws.choice((0, 0, 1, 2, 7)) if restarts else 0

    def groups() -> Iterator[tuple[int, ...]]:
        left = list(range(components))
        while left:
            size = draws.randint(1, len(left))
            yield tuple(left[:size])
            left = left[size:]

    low = draws.randint(0, 3)
    script = [Scan(group, 0, 0, 0, low, restart()) for group in groups()]
    chains = [[Scan(group, 0, 0, bit, bit - 1, restart()) for bit in range(low, 0, -1) for group in groups()]]
    for component in range(components):
        cuts = [1, *sorted(draws.sample(range(2, 64), draws.choice((0, 1, 2, 5)))), 64]
        for begin, end in itertools.pairwise(cuts):
            low = draws.choice((0, 0, 1, 2, 4))
            chain = [Scan((component,), begin, end - 1, 0, low, restart())]
            for bit in range(low, 0, -1):
                middle = draws.randint(begin, end - 1)
                parts = [(begin, middle), (middle, end)] if begin < middle and draws.random() < 0.3 else [(begin, end)]
                chain += [Scan((component,), first, last - 1, bit, bit - 1, restart()) for first, last in parts]
            chains.append(chain)
    while chains := [chain for chain in chains if chain]:
        script.append(draws.choice(chains).pop(0))
    return script
