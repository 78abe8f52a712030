from ..decoders import image as image
from ..decoders import image_crop as image_crop
from ..decoders import image_random_crop as image_random_crop
from ..decoders import image_slice as image_slice
from ..decoders import video as video
