"""Draws with Python's integers, with which the fast functions are compared.

Threefry-2x32 with 20 rounds, after Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
as 1, 2, 3" (SC 2011); the rotations and the parity constant are theirs.
"""

from __future__ import annotations

import math
from fractions import Fraction

__all__ = ["draw_bits", "resized_crop_window", "sample_key", "threefry2x32"]

_MASK = 0xFFFFFFFF
_PARITY = 0x1BD11BDA
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def threefry2x32(key: tuple[int, int], counter: tuple[int, int]) -> tuple[int, int]:
    """Computes two 32-bit words from two words of key and two of counter."""
    words = (key[0], key[1], key[0] ^ key[1] ^ _PARITY)
    a, b = (counter[0] + words[0]) & _MASK, (counter[1] + words[1]) & _MASK
    for block in range(5):
        for rotation in _ROTATIONS[block % 2]:
            a = (a + b) & _MASK
            b = ((b << rotation | b >> (32 - rotation)) & _MASK) ^ a
        a = (a + words[(block + 1) % 3]) & _MASK
        b = (b + words[(block + 2) % 3] + block + 1) & _MASK
    return a, b


def sample_key(seed: int, operator: int, epoch: int, index: int) -> tuple[int, int]:
    """The two words of `jaxdali.random.sample_keys(seed, operator, epoch, [index])[0]`."""
    key = (seed >> 32, seed & _MASK)
    for number in (operator, epoch, index):
        for word in (number >> 32, number & _MASK):
            key = threefry2x32(key, (0, word))
    return key


def draw_bits(key: tuple[int, int], stream: int, count: int) -> list[int]:
    """The words of one key's draw of `count` elements; `uniform` is stream 1, `coin_flip` 2,
    `resized_crop_window` 3, `normal` 4.
    """
    key = threefry2x32(key, (0, stream))
    return [threefry2x32(key, (0, i))[0] for i in range(count)]


def resized_crop_window(
    words: list[int],
    height: int,
    width: int,
    area: tuple[float, float] = (0.08, 1.0),
    aspect_ratio: tuple[float, float] = (3 / 4, 4 / 3),
) -> tuple[int, int, int, int]:
    """`jaxdali.random.resized_crop_window` for one image: top, left, height, width.

    Args:
        words: two for the position, and two for each attempt.
    """
    least, most = (min(round(Fraction(bound) * 2**30), 2**32 - 2) for bound in area)
    pixels = height * width
    lowest, highest = (Fraction(ratio).limit_denominator(4095 // math.ceil(ratio)) for ratio in aspect_ratio)
    h, w = _largest_window(height, width, most, lowest, highest)
    for area_word, ratio_word in zip(words[2::2], words[3::2], strict=True):
        fraction = least + ((most - least + 1) * area_word >> 32)
        root = math.isqrt(fraction * pixels >> 6)
        # Logarithms in double precision are good enough, because no table entry is close to a half.
        low, high = (math.log(ratio) for ratio in aspect_ratio)
        factor = math.exp((low + (high - low) * ((ratio_word >> 20) + 0.5) / 4096) / 2)
        tried = [max(1, (root * round(f * 2**16) + 2**27) >> 28) for f in (1 / factor, factor)]
        if tried[0] <= height and tried[1] <= width and lowest <= Fraction(tried[1], tried[0]) <= highest:
            h, w = tried
            break
    return (words[0] * (height - h + 1) >> 32, words[1] * (width - w + 1) >> 32, h, w)


def _largest_window(height: int, width: int, most: int, lowest: Fraction, highest: Fraction) -> tuple[int, int]:
    w = max(1, min(width, math.floor(height * highest)))
    h = max(1, min(height, math.floor(width / lowest)))
    whole, wanted = math.isqrt(h * w << 24), math.isqrt(most * height * width >> 6)
    shrunk = min(2**16, wanted * 2**16 // whole)
    return max(1, h * shrunk >> 16), max(1, w * shrunk >> 16)
