"""The operators, each a record that is declared in a file of its own. Importing this loads none of them, and no jax: the
file of an operator is imported when somebody asks for it by name.
"""

from ..graph.declared import declare_later

__all__ = ["FUNCTIONS"]

# The file that declares each operator of `fn`, by its name there.
FUNCTIONS = {
    "brightness": "image.brightness_contrast",
    "brightness_contrast": "image.brightness_contrast",
    "cast": "image.cast",
    "cast_like": "tensor.copies",
    "cat": "tensor.join",
    "color_space_conversion": "image.color_space_conversion",
    "color_twist": "image.color_twist",
    "constant": "constant",
    "contrast": "image.brightness_contrast",
    "coord_transform": "transforms.combine",
    "copy": "tensor.copies",
    "crop": "image.crop",
    "crop_mirror_normalize": "image.crop_mirror_normalize",
    "decoders.image": "decoders.image",
    "decoders.image_crop": "decoders.image_crop",
    "decoders.image_random_crop": "decoders.image_random_crop",
    "decoders.image_slice": "decoders.image_slice",
    "element_extract": "tensor.element_extract",
    "erase": "image.erase",
    "expand_dims": "tensor.squeeze",
    "external_source": "sources.external_source",
    "flip": "image.flip",
    "full": "tensor.filled",
    "full_like": "tensor.filled",
    "gaussian_blur": "image.gaussian_blur",
    "hsv": "image.color_twist",
    "hue": "image.color_twist",
    "lookup_table": "tensor.one_hot",
    "noise.gaussian": "noise.gaussian",
    "noise.salt_and_pepper": "noise.gaussian",
    "one_hot": "tensor.one_hot",
    "ones": "tensor.filled",
    "ones_like": "tensor.filled",
    "pad": "tensor.pad",
    "paste": "image.paste",
    "random.coin_flip": "random.coin_flip",
    "random.normal": "random.normal",
    "random.uniform": "random.uniform",
    "random_resized_crop": "image.random_resized_crop",
    "readers.file": "sources.file_reader",
    "reinterpret": "tensor.reinterpret",
    "reshape": "tensor.reshape",
    "resize": "image.resize",
    "rotate": "image.rotate",
    "saturation": "image.color_twist",
    "slice": "tensor.slice",
    "squeeze": "tensor.squeeze",
    "stack": "tensor.join",
    "transforms.combine": "transforms.combine",
    "transforms.crop": "transforms.crop",
    "transforms.rotation": "transforms.rotation",
    "transforms.scale": "transforms.translation",
    "transforms.shear": "transforms.shear",
    "transforms.translation": "transforms.translation",
    "transpose": "tensor.transpose",
    "warp_affine": "image.warp_affine",
    "zeros": "tensor.filled",
    "zeros_like": "tensor.filled",
}
# Of those that are written in other ways; "math.*" are all of that room.
_OTHERS = {
    "external_source.gpu": "sources.external_source",
    "auto_aug.levels": "auto_aug.levels",
    "auto_aug.sharpen": "auto_aug.levels",
    "logical": "control.logical",
    "math.*": "arithmetic.operations",
    "select": "control.select",
    "shape": "tensor.shape",
    "subscript": "tensor.subscript",
}

declare_later({name: f"{__name__}.{file}" for name, file in {**FUNCTIONS, **_OTHERS}.items()})
