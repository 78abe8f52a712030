"""Pages of folders, which others write: what they may link to, and that no page takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from object_server import object_thread

from jaxdali import ConfigError
from jaxdali._feed.storage import listings
from jaxdali._feed.storage.filesystems import Filesystem
from jaxdali._feed.storage.listings import names_in
from jaxdali._feed.storage.remote_objects import list_folders
from jaxdali.source import ImageFolder

HERE = "http://host:1/d d/"


@pytest.mark.parametrize(
    "link, name",
    [
        *(
            (link, "a.jpg")
            for link in ("a.jpg", "./a.jpg", "/d%20d/a.jpg", "http://host:1/d%20d/a.jpg", "//host:1/d d/a.jpg")
        ),
        *((link, "b/") for link in ("b/", "/d d/b/", "https://host:1/d d/b/", "//host:1/d d/b/")),
        *[
            ("a%20b.jpg#top", "a b.jpg"),
            ("100%25.jpg", "100%25.jpg"),
            ("q%3f.jpg", "q%3F.jpg"),
            ("10:30.jpg", "10:30.jpg"),
        ],
        *(
            (link, None)
            for link in ("../a.jpg", "..%2fa.jpg", "%2e%2e/", "b/c.jpg", "b%2fc.jpg", ".", "/", "#", "%00.jpg")
        ),
        *(
            (link, None)
            for link in ("http://other/d d/a.jpg", "//other/d d/a.jpg", "file:///d d/a.jpg", "mailto:a", "?C=N")
        ),
        *((link, None) for link in ("/a.jpg", "/d d", "/d d/", "/d d/e/a.jpg", "http://host:1/d dd/a.jpg")),
    ],
)
def test_links_of_a_page(link, name):
    folders, files = names_in(f'<A class="x" HREF="{link}">', HERE)
    assert [f"{one}/" for one in folders] + [*files] == ([] if name is None else [name])


def test_urls_in_the_text_of_a_page_are_links():
    assert names_in("see http://host:1/d/a.jpg and http://host:1/d/b/", "http://host:1/d/") == ({"b"}, {"a.jpg"})


@given(
    st.lists(
        st.sampled_from(["<a", "<A ", " ", "hre", "href", "=", '"', "'", "http", "://", "host:1/d d/", "%", "/", ">"])
    )
)
@settings(max_examples=200, deadline=None)
def test_any_page_has_names_that_lie_in_its_folder(parts):
    for name in set.union(*names_in("".join(parts), HERE)):
        assert name and "/" not in name and name not in (".", "..")


REPEATED = [
    *[("<a ", " "), ("", "<a "), ("", '<a href="'), ("<a ", " href"), ("<a ", " href="), ("", "http"), ("", "http://")],
    *[
        ('<a href="', "x"),
        ("", "<a href='b'"),
        ("", "%2e/"),
        ("", "'"),
        ("<a ", "hre"),
        ('<a href="', "/"),
        ("", "&amp;"),
    ],
]


@pytest.mark.parametrize("start, part", REPEATED)
def test_the_time_of_a_page_grows_with_its_length(start, part):
    def seconds(count: int) -> float:
        began = time.process_time()
        names_in(start + part * count, HERE)
        return time.process_time() - began

    assert seconds(20_000) <= 3 * seconds(10_000) + 0.05


def test_a_page_without_end_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(listings, "MOST_BYTES", 1000)
    (tmp_path / "a").mkdir()
    for number in range(100):
        (tmp_path / "a" / f"{number}.jpg").touch()
    with object_thread(tmp_path) as server:
        with pytest.raises(
            OSError, match=r"at once: .* the page of the folder has more than 1000 bytes; list its files"
        ):
            list_folders([f"{server.url}/a"])


@pytest.mark.parametrize("files", [0, 1])
@pytest.mark.parametrize("links", [1, 3])
def test_a_folder_that_lists_itself_is_refused(tmp_path, files, links):
    (top := tmp_path / "0").mkdir()
    for number in range(files):
        (top / f"{number}.jpg").touch()
    for number in range(links):
        (top / str(number)).symlink_to(top)
    with object_thread(tmp_path) as server:
        with pytest.raises(
            OSError, match=r"it lists the same as the . folders above it, so it seems to lead to itself"
        ):
            ImageFolder(server.url)
        assert server.told()["requests"] < 4 + 3**7


def test_a_folder_without_end_is_refused(monkeypatch):
    """Each page lists a folder of another name."""
    asked = []

    async def ls(_, path, detail):
        asked.append(path)
        return [{"name": f"{path}/{len(asked)}", "type": "directory"}]

    async def called(self, name, *given, **named):
        return await ls(self, *given, **named)

    monkeypatch.setattr(Filesystem, "_call", called)
    with pytest.raises(OSError, match="more than 64 folders within each other: one may list itself"):
        ImageFolder("memory://root")
    assert 50 < len(asked) < 70


def test_folders_named_by_digits_are_listed(tmp_path):
    """Each lists what the one above it does."""
    (at := tmp_path / "class" / "0/1/0/1/0").mkdir(parents=True)
    for folder in [at, *at.parents[:5]]:
        for name in "01":
            (folder / name).mkdir(exist_ok=True)
    (at / "1" / "x.jpg").touch()
    with object_thread(tmp_path) as server:
        assert len(ImageFolder(server.url)) == 1


def test_an_empty_folder_is_named(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.jpg").touch()
    with object_thread(tmp_path) as server:
        with pytest.raises(ConfigError, match="no file below"):
            ImageFolder(server.url, extensions=(".gif",))
