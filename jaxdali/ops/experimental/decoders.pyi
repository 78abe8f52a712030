from ..decoders import Image as Image
from ..decoders import ImageCrop as ImageCrop
from ..decoders import ImageRandomCrop as ImageRandomCrop
from ..decoders import ImageSlice as ImageSlice
from ..decoders import Video as Video
