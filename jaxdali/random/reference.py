"""The bits behind every draw, in Python's integers: what the fast functions are compared with.

Threefry-2x32 with 20 rounds, after Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
as 1, 2, 3" (SC 2011); the rotations and the parity constant are theirs.
"""

from __future__ import annotations

__all__ = ["draw_bits", "sample_key", "threefry2x32"]

_MASK = 0xFFFFFFFF
_PARITY = 0x1BD11BDA
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def threefry2x32(key: tuple[int, int], counter: tuple[int, int]) -> tuple[int, int]:
    """Two words of 32 bits out of two words of key and two of counter."""
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
    """The words of one key's draw of `count` elements; `uniform` is stream 1, `coin_flip` 2."""
    key = threefry2x32(key, (0, stream))
    return [threefry2x32(key, (0, i))[0] for i in range(count)]
