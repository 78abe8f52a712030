"""NeMo's manifest: the sounds and transcripts of a shard, padded to the same length, and at two other speeds."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


def main(data):
    pipe = Pipeline(batch_size=2, num_threads=1, device_id=None, seed=1)
    with pipe:
        audio, rate, text, index = fn.readers.nemo_asr(
            manifest_filepaths=[f"{data}/sounds/manifest.json"],
            max_duration=0.4,
            read_idxs=True,
            shard_id=1,
            num_shards=2,
            stick_to_shard=True,
            pad_last_batch=True,
            name="reader",
        )
        faster = fn.audio_resample(audio, in_rate=rate, out_rate=rate * 0.9)
        slower = fn.audio_resample(audio, scale=1.1)
        audio_len = audio.shape(dtype=types.INT32)
        audio = fn.pad(audio, axes=(0,), align=100)
        text_len = text.shape(dtype=types.INT32)
        text = fn.pad(text, axes=(0,), shape=(20,), fill_value=32)
        pipe.set_outputs(audio, audio_len, text, text_len, index, faster.shape(), slower.shape())
    pipe.build()
    meta = pipe.reader_meta("reader")
    yield meta["epoch_size"], meta["epoch_size_padded"]
    for _ in range(2):
        yield pipe.run()
