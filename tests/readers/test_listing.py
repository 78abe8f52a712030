"""Which files a reader finds, and their labels; the rules are DALI's."""

import os

import pytest

from jaxdali import ConfigError
from jaxdali._dali.readers.listing import FILE_FILTERS, LabelledFiles


@pytest.fixture
def root(tmp_path):
    names = ["b/1.jpg", "b/0.JPG", "b/x.txt", "a/z.png", "a/sub/q.jpg", "c/.hidden.jpg", "d/n.txt", "e e/s p.jpg"]
    for name in [*names, "top.jpg", ".f/k.jpg"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "g").symlink_to(tmp_path / "b")
    return str(tmp_path)


def listed(files, root):
    return [(os.path.relpath(files.path(k), root), int(files.labels[k])) for k in range(len(files))]


def found(root, file_filters=FILE_FILTERS, dir_filters=None, case_sensitive=False):
    return listed(LabelledFiles.from_folder(root, file_filters, dir_filters, case_sensitive), root)


def test_a_folder_is_a_class_with_or_without_files(root):
    assert found(root) == [
        (".f/k.jpg", 0),
        ("a/z.png", 1),
        ("b/0.JPG", 2),
        ("b/1.jpg", 2),
        ("c/.hidden.jpg", 3),
        ("e e/s p.jpg", 5),
        ("g/0.JPG", 6),
        ("g/1.jpg", 6),
    ]


def test_filters_choose_files_and_folders(root):
    assert found(root, case_sensitive=True)[2:4] == [("b/1.jpg", 2), ("c/.hidden.jpg", 3)]
    assert found(root, ["*.txt"]) == [("b/x.txt", 2), ("d/n.txt", 4), ("g/x.txt", 6)]
    assert found(root, dir_filters=["a", "E*"]) == [("a/z.png", 0), ("e e/s p.jpg", 1)]
    assert found(root, ["*.txt", "*.jpg"], ["[bd]"]) == [("b/0.JPG", 0), ("b/1.jpg", 0), ("b/x.txt", 0), ("d/n.txt", 1)]


def test_what_is_no_file_is_left_out_with_a_word(root, caplog):
    expected = found(root)
    for name in ("b/loop.jpg", "loop"):
        os.symlink(os.path.basename(name), os.path.join(root, name))
    os.symlink("nowhere", os.path.join(root, "b", "gone.jpg"))
    os.symlink("nowhere", os.path.join(root, "b", "gone.txt"))
    os.mkfifo(os.path.join(root, "b", "fifo.jpg"))
    os.mkdir(os.path.join(root, "b", "folder.jpg"))
    assert found(root) == expected
    # Three of them are in "b", and again in "g", which is a link to it.
    _, text, _ = (record.getMessage() for record in caplog.records)
    assert text.startswith("7 entries left out that are not files, or are links that lead nowhere: ") and root in text


def test_what_lies_elsewhere_than_files_that_count_is_told(root, caplog):
    found(root, ["*.txt"], ["b"])
    assert not caplog.records  # of folders that do not count nothing is said
    os.makedirs(os.path.join(root, "a", ".hidden"))
    found(root)
    found(root, ["*.png"])
    texts = [record.getMessage() for record in caplog.records]
    assert [text.partition(" ")[0] for text in texts] == ["2", "1"]
    words = (
        f"entries left out, because files count that lie directly in the folders of {root}, one folder for each class"
    )
    assert texts[0].startswith(f"2 {words}: {root}/top.jpg ...") and texts[1].startswith(f"1 {words}: {root}/a/sub ...")


def test_a_folder_without_files_is_refused(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(ConfigError, match="No files found in"):
        found(str(tmp_path))
    with pytest.raises(FileNotFoundError):
        found(str(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"file_filters": ["*.avi"]}, r"its 7 folders have none that file_filters=\['\*.avi'\] match"),
        ({"dir_filters": ["x*"]}, r"none that file_filters=.* and dir_filters=\['x\*'\] match. Give other filters"),
    ],
)
def test_filters_that_nothing_matches_are_named(filters, words, root):
    with pytest.raises(ConfigError, match=words):
        found(root, **filters)


def test_a_list_has_a_path_and_a_label_in_every_line(root):
    path = os.path.join(root, "list.txt")
    with open(path, "w") as file:
        file.write("b/1.jpg 7\n\na/z.png\t3 \ne e/s p.jpg 9")
    expected = [("b/1.jpg", 7), ("a/z.png", 3), ("e e/s p.jpg", 9)]
    assert listed(LabelledFiles.from_list(path, None), root) == expected
    assert listed(LabelledFiles.from_list(path, "/else"), "/else") == expected


LONG = pytest.param("b/1.jpg " + "7" * 5000, id="more digits than Python reads")


@pytest.mark.parametrize("line", ["b/1.jpg", "b/1.jpg x", "b/1.jpg 7.5", "b/1.jpg -2", "7", LONG])
def test_another_line_is_refused(line, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text(f"a.jpg 1\n{line}\n")
    with pytest.raises(
        ConfigError, match=r"Incorrect format of the list file .*list.txt\":2 expected file name followed"
    ):
        LabelledFiles.from_list(str(path), None)


def test_an_empty_list_is_refused(tmp_path):
    (tmp_path / "list.txt").write_text("\n")
    with pytest.raises(ConfigError, match="No files found"):
        LabelledFiles.from_list(str(tmp_path / "list.txt"), None)


def test_named_files_have_their_index_for_a_label():
    files = LabelledFiles.from_arguments(["b", "/abs/ü", os.fsdecode(b"\xff")], None, "/root")
    assert [files.path(k) for k in range(3)] == ["/root/b", "/abs/ü", "/root/" + os.fsdecode(b"\xff")]
    assert files.labels.tolist() == [0, 1, 2] and files.labels.dtype == "int32"
    assert LabelledFiles.from_arguments(["a", "b"], [-(2**31), 2**31 - 1], "").labels.tolist() == [-(2**31), 2**31 - 1]


@pytest.mark.parametrize(
    ("files", "labels", "words"),
    [
        ([], None, "specified an empty list"),
        (["a", "b\0c"], None, "zero byte"),
        (["a"], [1, 2], "Provided 2 labels for 1 files"),
        (["a"], [2**31], "labels must fit int32, got 2147483648"),
        (["a"], ["x"], "labels must be integers"),
        (["a"], [1.5], "labels must be integers"),
    ],
)
def test_refused(files, labels, words):
    with pytest.raises(ConfigError, match=words):
        LabelledFiles.from_arguments(files, labels, "")


def test_a_list_that_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", "/dev/zero", tmp_path):
        with pytest.raises(ConfigError, match="expected a regular file"):
            LabelledFiles.from_list(os.fspath(path), None)
