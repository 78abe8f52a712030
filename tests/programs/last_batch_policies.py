"""The last batch of an epoch: dropped or filled, with and without padded shards."""

from nvidia.dali import fn, pipeline_def
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def(batch_size=4, num_threads=1, device_id=None)
def labels_only(root, pad):
    _, labels = fn.readers.file(file_root=root, pad_last_batch=pad, num_shards=2, shard_id=0, name="Reader")
    return labels


def main(data):
    for policy in (LastBatchPolicy.FILL, LastBatchPolicy.DROP):
        for pad in (False, True):
            loader = DALIGenericIterator(
                [labels_only(data + "/train", pad)], ["label"], reader_name="Reader", last_batch_policy=policy
            )
            yield policy.name, pad, len(loader)
            for epoch in range(3):
                for batch in loader:
                    yield batch
                loader.reset()
