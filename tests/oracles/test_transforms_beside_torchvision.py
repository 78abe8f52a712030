"""The guide from torchvision says by how much pixels differ; here both are computed.

Not part of any extra: `pip install torch torchvision`.
"""

from __future__ import annotations

import io
import re

import guide_tables
import house_rules
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from PIL import Image

from jaxdali import augment, boxes, image, random

torch = pytest.importorskip("torch", reason="torchvision is not installed")
v2 = pytest.importorskip("torchvision.transforms.v2", reason="torchvision is not installed")
F = v2.functional
NEAREST, BILINEAR = v2.InterpolationMode.NEAREST, v2.InterpolationMode.BILINEAR

N, H, W = 4, 60, 80
ROWS, COLUMNS = np.mgrid[:H, :W]
_RNG = np.random.default_rng(0)
WAVES = [40 * np.sin(COLUMNS / (3 + k) + ROWS / 7)[..., None] + _RNG.normal(0, 12, (H, W, 3)) for k in range(N)]
X = np.stack([(_RNG.uniform(40, 200, 3) + waves).clip(0, 255) for waves in WAVES]).astype(np.uint8)
T = torch.from_numpy(X).permute(0, 3, 1, 2)
KEYS = jax.random.split(jax.random.key(0), N)
PAGE = guide_tables.namespace()
MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


def last(tensor):
    """Channels last, as an array."""
    return tensor.permute(0, 2, 3, 1).numpy()


def differences(transform, ours):
    theirs = transform(T)
    theirs = last(theirs) if isinstance(theirs, torch.Tensor) else theirs
    ours = np.asarray(ours)
    assert theirs.shape == ours.shape
    return np.abs(theirs.astype(float) - ours)


def windows(*window):
    return np.array([window] * N, np.int32)


EQUAL = {
    "center crop": lambda: (v2.CenterCrop(33), image.open(X).center_crop(33, 33).array()),
    "nearest exact": lambda: (
        v2.Resize((45, 61), interpolation=v2.InterpolationMode.NEAREST_EXACT),
        image.open(X).resize(size=(45, 61), filter="nearest").array(),
    ),
    "crop": lambda: (lambda t: F.crop(t, 5, 7, 24, 30), image.open(X).cut(windows(5, 7, 24, 30), (24, 30)).array()),
    "padded crop": lambda: (
        lambda t: F.crop(F.pad(t, 4), 2, 50, 24, 30),
        image.open(X).pad_cut(windows(2, 50, 24, 30) - [4, 4, 0, 0], (24, 30)).array(),
    ),
    "five crops": lambda: (
        lambda t: np.stack([last(crop) for crop in v2.FiveCrop(24)(t)], axis=1),
        jnp.stack([image.open(X).crop(24, 24, position=place).array() for place in PAGE["CORNERS"]], axis=1),
    ),
    "ten crops": lambda: (
        lambda t: np.stack([last(crop) for crop in v2.TenCrop(24)(t)], axis=1),
        jnp.stack(
            [image.open(X).flip(f).crop(24, 24, position=p).array() for f in (0, 1) for p in PAGE["CORNERS"]], axis=1
        ),
    ),
    **{
        f"pad {mode}": lambda mode=mode: (
            v2.Pad(5, padding_mode=mode),
            jnp.pad(X, ((0, 0), (5, 5), (5, 5), (0, 0)), mode=mode),
        )
        for mode in ("constant", "edge", "reflect", "symmetric")
    },
    "zoom out": lambda: (
        lambda t: F.pad(t, [5, 9, 5, 11], fill=[1.0, 2.0, 3.0]),
        image.open(X).pad_cut(windows(-9, -5, 80, 90), (80, 90), fill=np.float32([1, 2, 3])).array(),
    ),
    "mirror": lambda: (v2.RandomHorizontalFlip(1), image.flip(X, 1, 0)),
    "upside down": lambda: (v2.RandomVerticalFlip(1), image.flip(X, 0, 1)),
    "turn": lambda: (lambda t: F.rotate(t, 20), image.rotate(X, 20, fill=0, filter="nearest")),
    "turn and expand": lambda: (
        lambda t: F.rotate(t, 20, expand=True),
        image.rotate(X, 20, tuple(image.rotated_extents(20, np.array([[H, W]]))[0].tolist()), fill=0, filter="nearest"),
    ),
    "invert": lambda: (v2.RandomInvert(1), 255 - X),
    "posterize": lambda: (v2.RandomPosterize(3, 1), X & np.uint8(256 - 2 ** (8 - 3))),
    "solarize": lambda: (v2.RandomSolarize(128, 1), jnp.where(X >= 128, 255 - X, X)),
    "sharpen": lambda: (v2.RandomAdjustSharpness(2.0, 1), PAGE["sharpened"](jnp.asarray(X), 2.0)),
    "soften": lambda: (v2.RandomAdjustSharpness(0.5, 1), PAGE["sharpened"](jnp.asarray(X), 0.5)),
    "equalize": lambda: (v2.RandomEqualize(1), PAGE["equalized"](jnp.asarray(X))),
    "blur": lambda: (v2.GaussianBlur(5, (1.3, 1.3)), image.gaussian_blur(X, 1.3, 5)),
    "JPEG": lambda: (lambda t: torch.stack([v2.JPEG(60)(one) for one in t]), image.jpeg_distortion(X, 60)),
    "channels": lambda: (
        lambda t: np.stack([one[..., order] for one, order in zip(X, _channel_orders(), strict=True)]),
        PAGE["shuffled_channels"](KEYS, X),
    ),
    "boxes": lambda: (
        lambda t: F.horizontal_flip_bounding_boxes(
            torch.tensor([[4.0, 6.0, 40.0, 30.0]]), v2.functional._meta.tv_tensors.BoundingBoxFormat.XYXY, (H, W)
        ).numpy(),
        boxes.flip_boxes(np.float32([[[4 / W, 6 / H, 40 / W, 30 / H]]]), ltrb=True)[0] * np.float32([W, H, W, H]),
    ),
    "clips": lambda: (
        lambda t: v2.UniformTemporalSubsample(5)(torch.arange(13.0).reshape(13, 1, 1, 1)).ravel().numpy(),
        np.arange(13.0)[np.linspace(0, 12, 5).astype(int)],
    ),
}


def _channel_orders():
    return np.argsort(np.asarray(random.uniform(KEYS, (3,))), axis=1)


@pytest.mark.filterwarnings("ignore:The image decoding and encoding:DeprecationWarning")
@pytest.mark.parametrize("case", EQUAL)
def test_pixels_are_torchvisions(case):
    assert differences(*EQUAL[case]()).max() < 1e-5


def jitter(name, factor):
    return v2.ColorJitter(**{name: (factor, factor)}), augment.color_jitter(X, KEYS, **{name: (factor, factor)})


# The largest difference, and how many of the values may differ by more than 1.
CLOSE = {
    "brightness": (lambda: jitter("brightness", 1.4), 1, 0),
    "contrast": (lambda: jitter("contrast", 0.6), 1, 0),
    "saturation": (lambda: jitter("saturation", 0.6), 2, 0.001),
    "hue": (lambda: (v2.ColorJitter(hue=(-0.2, -0.2)), PAGE["adjust_hue"](X, -0.2)), 1, 0),
    "gray": (lambda: (v2.Grayscale(3), image.hsv(X, saturation=0)), 2, 0.005),
    "one gray channel": (lambda: (v2.Grayscale(1), image.convert_color_space(X, "RGB", "GRAY")), 1, 0),
    "autocontrast": (lambda: (v2.RandomAutocontrast(1), PAGE["stretched"](X)), 1, 0),
    "types": (lambda: (v2.ToDtype(torch.float32, scale=True), X / np.float32(255)), 6e-8, 0),
    "normalize": (
        lambda: (
            v2.Compose([v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, STD)]),
            image.normalize(X, PAGE["MEAN"], PAGE["STD"]),
        ),
        1e-6,
        0,
    ),
    "linear turn": (
        lambda: (lambda t: F.rotate(t, 20, interpolation=BILINEAR), image.rotate(X, 20, fill=0)),
        1,
        0,
    ),
    "linear, larger": (lambda: (v2.Resize((90, 100)), image.resize(X, (90, 100))), 1, 0),
    "linear, smaller": (lambda: (v2.Resize((30, 40)), image.resize(X, (30, 40))), 5, 0.02),
    "cubic": (
        lambda: (
            v2.Resize((45, 61), interpolation=v2.InterpolationMode.BICUBIC),
            image.resize(X, (45, 61), min_filter="cubic"),
        ),
        3,
        0.002,
    ),
    "crop and resize": (
        lambda: (
            lambda t: F.resized_crop(t, 5, 7, 30, 41, [24, 24], antialias=True),
            image.open(X).resized_crop(windows(5, 7, 30, 41), (24, 24)).array(),
        ),
        5,
        0.02,
    ),
}


@pytest.mark.parametrize("case", CLOSE)
def test_pixels_are_close_to_torchvisions(case):
    make, largest, share = CLOSE[case]
    found = differences(*make())
    assert found.max() <= largest and (found > 1).mean() <= share


def test_resized_pixels_differ_by_more_than_a_level_at_the_edges_only():
    for size in ((30, 40), (60, 33), (12, 16)):
        found = differences(v2.Resize(size), image.resize(X, size))
        assert found[:, 1:-1, 1:-1].max() <= 1 < found.max() <= 6


def test_hues_of_color_jitter_are_others():
    assert differences(*jitter("hue", 0.1)).mean() > 10


def test_affine_maps_are_torchvisions():
    matrices = np.asarray(PAGE["random_affine"](KEYS, X.shape))
    angle, move, factor, slant = random.split(KEYS, 4)
    drawn = [
        np.asarray(random.uniform(angle, minval=-20, maxval=20)),
        np.asarray(random.uniform(move, (2,), minval=-0.1, maxval=0.1)) * [W, H],
        np.asarray(random.uniform(factor, (1,), minval=0.8, maxval=1.2))[:, 0],
        np.asarray(random.uniform(slant, (1,), minval=-10, maxval=10))[:, 0],
    ]
    for filter, mode, share in (("nearest", NEAREST, 3e-4), ("linear", BILINEAR, 1e-3)):
        ours = np.asarray(image.warp_affine(X, matrices, fill=0, filter=filter, inverse_map=False))
        for row, degrees, offset, scale, shear in zip(range(N), *drawn, strict=True):
            options = {"translate": offset.tolist(), "scale": float(scale), "shear": [float(shear), 0.0]}
            theirs = last(F.affine(T[row : row + 1], float(degrees), interpolation=mode, **options))[0]
            assert (np.abs(theirs.astype(int) - ours[row]) > 0).mean() <= share


def test_perspective_maps_are_torchvisions():
    corners = [[0, 0], [W - 1, 0], [W - 1, H - 1], [0, H - 1]]
    ends = [[4, 6], [70, 3], [75, 50], [8, 58]]
    matrix = PAGE["perspective"](np.float32([corners] * N), np.float32([ends] * N))
    for filter, mode, share in (("nearest", NEAREST, 0), ("linear", BILINEAR, 2e-4)):
        theirs = last(F.perspective(T, corners, ends, interpolation=mode)).astype(int)
        ours = image.warp_perspective(X, matrix, fill=0, filter=filter)
        assert (np.abs(theirs - np.asarray(ours)) > 0).mean() <= share
    drawn = np.asarray(PAGE["random_perspective"](KEYS, X.shape))
    assert drawn.shape == (N, 3, 3) and np.isfinite(drawn).all() and np.ptp(drawn, axis=0).max() > 1


def test_elastic_moves_are_torchvisions():
    ours = np.asarray(PAGE["elastic"](KEYS, X, 50.0, 5.0))
    noise = np.asarray(random.uniform(KEYS, (H, W, 2), minval=-1, maxval=1))
    for row in range(N):
        blurred = F.gaussian_blur(torch.from_numpy(noise[row].transpose(2, 0, 1).copy()), [41, 41], [5.0, 5.0])
        moves = blurred.permute(1, 2, 0)[None] * 50.0 / torch.tensor([W, H])
        theirs = last(F.elastic(T[row : row + 1], moves))[0].astype(int)
        assert (np.abs(theirs - ours[row]) > 0).mean() < 1e-3


# (largest difference, mean difference) of each operation at RandAugment's magnitude 9.
OPERATIONS = {
    "Identity": ("identity", 0, 0),
    "ShearX": ("shear_x", 0, 0),
    "ShearY": ("shear_y", 0, 0),
    "TranslateY": ("translate_y", 0, 0),
    "Rotate": ("rotate", 0, 0),
    "Posterize": ("posterize", 0, 0),
    "Brightness": ("brightness", 1, 1),
    "Contrast": ("contrast", 1, 1),
    "Color": ("color", 1, 1),
    "AutoContrast": ("auto_contrast", 1, 1),
    "Sharpness": ("sharpness", 9, 1),
    "Equalize": ("equalize", 14, 5),
    "Solarize": ("solarize", 255, 0.6),
    "TranslateX": ("translate_x", 255, 20),  # by 10.9 pixels, which is 10 there and 11 here
}


def test_operations_of_rand_augment_are_as_strong():
    transform = v2.RandAugment(2, 9)
    assert {*OPERATIONS} == {*transform._AUGMENTATION_SPACE}
    ours_of = {ours for ours, *_ in OPERATIONS.values()}
    for name, (ours, largest, mean) in OPERATIONS.items():
        magnitudes, signed = transform._AUGMENTATION_SPACE[name]
        strength = 0.0 if magnitudes(31, H, W) is None else float(magnitudes(31, H, W)[9])
        options = {"max_translate_rel": 150 / 331, "fill": 0, "filter": "nearest"}
        found = np.asarray(augment.rand_augment(X, KEYS, 1, 9, excluded=[*(ours_of - {ours})], **options))
        either = [
            differences(
                lambda t, sign=sign, name=name, strength=strength: transform._apply_image_or_video_transform(
                    t, name, sign * strength, interpolation=NEAREST, fill=transform._fill
                ),
                found,
            )
            for sign in ((1, -1) if signed else (1,))
        ]
        each = np.stack([one.reshape(N, -1) for one in either])
        closest = np.take_along_axis(each, each.mean(axis=2).argmin(axis=0)[None, :, None], axis=0)
        assert closest.max() <= largest and closest.mean() <= mean, (name, closest.max(), closest.mean())


def recipe(name):
    """A function of the recipes for samples of images, with what it uses."""
    text = (house_rules.ROOT / "docs/image_recipes.md").read_text()
    (source,) = re.findall(rf"^def {name}\(.*?(?=^\S)", text.replace("```", "\n#"), re.MULTILINE | re.DOTALL)
    defined = {"io": io, "image": image, "jnp": jnp, "np": np, "Image": Image}
    exec(source, defined)
    return defined[name]


def test_the_recipe_of_the_evaluation_transform_is_torchvisions():
    transform = v2.Compose([v2.Resize(256), v2.CenterCrop(224)])
    evaluation_pixels, as_torchvision = recipe("evaluation_pixels"), recipe("as_torchvision")
    rng = np.random.default_rng(1)
    for height, width in [
        (300, 400),
        (500, 333),
        (256, 257),
        (259, 256),
        (299, 301),
        (641, 230),
        (231, 700),
        (400, 225),
    ]:
        file = io.BytesIO()
        Image.fromarray(rng.integers(0, 256, (height, width, 3), dtype=np.uint8)).save(file, "JPEG", quality=90)
        expected = np.asarray(transform(Image.open(io.BytesIO(file.getvalue()))))
        ours = np.asarray(evaluation_pixels(image.EncodedBatch.from_encoded([file.getvalue()]))[0])
        assert np.abs(ours.astype(int) - expected).max() <= 1
        by_pillow = as_torchvision({"image": file.getvalue(), "label": 0})["pixels"]
        np.testing.assert_array_equal(by_pillow, expected)


def test_every_transform_has_a_row():
    left_out = {"Transform", "InterpolationMode", "AutoAugmentPolicy"}
    assert {name for name in dir(v2) if name[0].isupper()} - left_out <= guide_tables.names()
