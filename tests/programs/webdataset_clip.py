"""WebDataset shards for CLIP, images with captions: index files for the reader, and an iterator that gets its name."""

from nvidia.dali import fn, pipeline_def, types
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def clip_pipeline(shards, indices, rank, world):
    img_raw, caption = fn.readers.webdataset(
        paths=shards,
        index_paths=indices,
        ext=["jpg;jpeg;png", "txt"],
        missing_component_behavior="skip",
        shard_id=rank,
        num_shards=world,
        pad_last_batch=True,
        name="Reader",
    )
    img = fn.decoders.image(img_raw, device="cpu", output_type=types.RGB)
    output = fn.crop_mirror_normalize(
        img,
        dtype=types.FLOAT,
        output_layout="HWC",
        crop=(32, 32),
        mean=[0.48145466 * 255, 0.4578275 * 255, 0.40821073 * 255],
        std=[0.26862954 * 255, 0.26130258 * 255, 0.27577711 * 255],
    )
    return output, fn.pad(caption, fill_value=0, shape=[16])


def main(data):
    shards = [f"{data}/webdataset/train-{k}.tar" for k in range(2)]
    indices = [f"{data}/webdataset/train-{k}.idx" for k in range(2)]
    for rank in range(2):
        pipe = clip_pipeline(shards, indices, rank, 2)
        pipe.build()
        yield pipe.epoch_size("Reader")
        iterator = DALIGenericIterator(
            [pipe], ["images", "captions"], reader_name="Reader", last_batch_policy=LastBatchPolicy.DROP
        )
        for batch in iterator:
            yield batch
