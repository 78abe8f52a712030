"""Every reader on 1, 2 and 4 devices and in as many shards: the same samples and draws, also after resuming."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import jax
import numpy as np
import pytest
from every_reader import every_source
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from samples import COUNT
from told_samples import Told, told

from jaxdali import Loader, fn, pipeline_def, random
from jaxdali._feed.source.video import FileOfClips
from jaxdali.source import ImageFolder, VideoClips

BATCH, EPOCHS = 4, 2


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return every_source(tmp_path_factory.mktemp("readers") / "all")


def drawn(batch: Any, keys: Any) -> Any:
    return {**batch, "device": random.uniform(keys)}


def sources_of(made: Any, folder: pathlib.Path) -> dict[str, Any]:
    """Returns the sources of `jaxdali.source`, also for the readers' files."""
    files, videos = made["file"].arguments["files"], made["video"].arguments["filenames"]
    (folder / "classes").mkdir()
    (folder / "classes" / "one").symlink_to(files[0].parent)
    clips = [FileOfClips(str(path), label) for label, path in enumerate(videos)]
    mine = {"file": ImageFolder(folder / "classes"), "video": VideoClips(clips, 1)}
    return {name: one.data for name, one in made.items()} | mine


def test_loaders_go_on_on_another_number_of_devices(made, tmp_path):
    data = Told(sources_of(made, tmp_path))

    def loader(parts: int, workers: int = 0) -> Loader:
        sharding = NamedSharding(Mesh(np.array(jax.devices("cpu")[:parts]), ("data",)), PartitionSpec("data"))
        options = {"batch_size": BATCH, "shuffle": True, "seed": 3, "epochs": EPOCHS, "workers": workers}
        return Loader(data, drawn, sharding=sharding, **options)

    straight = [jax.device_get(batch) for batch in loader(1)]
    for name in data.sources:
        passes = [[row.tobytes() for batch in straight[k : k + 3] for row in batch[name]] for k in (0, 3)]
        assert len({*passes[0]}) == COUNT and sorted(passes[0]) == sorted(passes[1]) and passes[0] != passes[1], name
    found, record = [], None
    for parts, workers, count in ((4, 0, 1), (1, 1, 2), (2, 0, 1), (4, 0, 2)):
        with loader(parts, workers) as one:
            if record is not None:
                one.set_state(json.loads(record))
            batches = iter(one)
            for _ in range(count):
                batch = next(batches)
                assert len(batch["host"].devices()) == parts
                found.append(jax.device_get(batch))
            record = json.dumps(one.get_state())
    for name in straight[0]:
        for batch, expected in zip(found, straight, strict=True):
            np.testing.assert_array_equal(batch[name], expected[name], name)


def test_every_sample_comes_once_in_any_number_of_shards_with_the_same_draws(made):
    """Also in the next epoch, when each shard resumes from a checkpoint and reads another shard's part."""
    made, seen = {name: one for name, one in made.items() if one.reader is not None}, {}
    for shards in (1, 2, 4):
        for shard in range(shards):
            record = None
            for epoch in range(2):
                size = COUNT // 4

                @pipeline_def(batch_size=size, py_num_workers=0, seed=4, enable_checkpointing=True)
                def every(shard_id=shard, num_shards=shards):
                    outputs = []
                    for one in made.values():
                        order = {"shard_id": shard_id, "num_shards": num_shards, "random_shuffle": True}
                        given = getattr(fn.readers, one.reader)(**one.arguments, **order)
                        given = list(given.values()) if isinstance(given, dict) else given
                        outputs += given if isinstance(given, list | tuple) else [given]
                    return *outputs, fn.random.uniform()

                with every(**({} if record is None else {"checkpoint": record})) as pipe:
                    for _ in range(COUNT // shards // size):
                        outputs = iter(pipe.run())
                        rows = {name: [next(outputs) for _ in one.data.row(0)] for name, one in made.items()}
                        draws = np.asarray(next(outputs).as_array()).tolist()
                        for name, columns in rows.items():
                            mine = [told(column.at(k) for column in columns) for k in range(size)]
                            seen.setdefault((name, shards, epoch), []).extend(zip(mine, draws, strict=True))
                    record = pipe.checkpoint()
    for name, one in made.items():
        expected = sorted(told(one.data.row(index)) for index in range(COUNT))
        for epoch in range(2):
            alone = sorted(seen[name, 1, epoch])
            assert [sample for sample, _ in alone] == expected, name
            for shards in (2, 4):
                assert sorted(sample for sample, _ in seen[name, shards, epoch]) == expected, name
        assert sorted(seen[name, 2, 0]) == sorted(seen[name, 1, 0]) == sorted(seen[name, 4, 0]), name
