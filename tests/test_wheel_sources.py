"""What gets into wheels is what the list says, and Debian's repairs are in it. Nothing is fetched here."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import re
import tarfile

import pytest
from house_rules import ROOT

FOLDER = ROOT / ".ci" / "wheels"
_SPEC = importlib.util.spec_from_file_location("wheel_sources", FOLDER / "sources.py")
assert _SPEC is not None and _SPEC.loader is not None
sources = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(sources)

ORIGINAL = {"thing-1.0/thing.c": "int one;\nint two;\n", "thing-1.0/COPYING": "Do as you like.\n"}
PATCH = "--- a/thing.c\n+++ b/thing.c\n@@ -1,2 +1,2 @@\n int one;\n-int two;\n+long two;\n"
DEBIAN = {"debian/patches/series": "# ours\nrepair.patch\n", "debian/patches/repair.patch": PATCH}


def archive(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    return stream.getvalue()


@pytest.fixture
def debian(monkeypatch):
    """Debian with one library, and the list with it. Returns the files of the one and the library of the other."""
    files = {"pool/thing.orig.tar.gz": archive(ORIGINAL), "pool/thing.debian.tar.gz": archive(DEBIAN)}
    library = {
        "name": "thing",
        "version": "1.0-1",
        "licence": "MIT",
        "notices": ["COPYING"],
        "linked": True,
        "patches": ["repair.patch"],
        "files": [{"path": path, "sha256": hashlib.sha256(content).hexdigest()} for path, content in files.items()],
    }
    monkeypatch.setattr(sources, "LISTED", {"release": "bookworm", "library": [library]})
    monkeypatch.setattr(sources, "read", files.get)
    monkeypatch.setenv("DEBIAN_MIRROR", "file:///nowhere")
    return files, library


def test_the_list_is_whole():
    listed = sources.LISTED
    assert {"libjpeg-turbo"} <= {library["name"] for library in listed["library"] if library["linked"]}
    digests = [file["sha256"] for library in listed["library"] for file in library["files"]]
    digests += [package["sha256"][arch] for package in listed["sysroot"] for arch in ("x86_64", "aarch64")]
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests) and len({*digests}) == len(digests)
    for library in listed["library"]:
        assert library["licence"] and library["notices"] and library["patches"]
        original, debian = (file["path"] for file in library["files"])
        assert f"{library['name']}_{library['version'].partition('-')[0]}.orig.tar" in original
        assert f"{library['name']}_{library['version']}.debian.tar" in debian
    cmake = (ROOT / "CMakeLists.txt").read_text()
    linked = {"libjpeg-turbo": "JPEG_LIBRARIES", "libdeflate": "deflate", "libwebp": "WebP"}
    assert {name for name, word in linked.items() if re.search(word, cmake, re.IGNORECASE)} == {
        library["name"] for library in listed["library"] if library["linked"]
    }


def test_debians_patches_are_in_and_notices_are_kept(debian, tmp_path):
    sources.main("libraries", str(tmp_path / "sources"))
    assert (tmp_path / "sources/thing/thing.c").read_text() == "int one;\nlong two;\n"
    sources.main("notices", str(tmp_path / "sources"), str(tmp_path / "notices"))
    (notice,) = (tmp_path / "notices").iterdir()
    assert notice.name == "thing.txt" and "thing 1.0-1" in notice.read_text() and "as you like" in notice.read_text()


def test_what_is_not_the_listed_file_is_refused(debian, tmp_path):
    files, library = debian
    library["patches"] = []
    with pytest.raises(SystemExit, match=r"patches of thing are \['repair.patch'\], and \[\] were expected"):
        sources.main("libraries", str(tmp_path / "other patches"))
    files["pool/thing.orig.tar.gz"] += b"\0"
    with pytest.raises(SystemExit, match=r"thing.orig.tar.gz has SHA-256 .*, and .* was expected"):
        sources.main("libraries", str(tmp_path / "another file"))
    del files["pool/thing.orig.tar.gz"]
    with pytest.raises(SystemExit, match=r"thing.orig.tar.gz is on none of file:///nowhere.*DEBIAN_MIRROR"):
        sources.main("libraries", str(tmp_path / "no file"))


def test_a_patch_that_does_not_fit_is_refused(debian, tmp_path):
    files, library = debian
    files["pool/thing.orig.tar.gz"] = archive({"thing-1.0/thing.c": "int three;\n"})
    library["files"][0]["sha256"] = hashlib.sha256(files["pool/thing.orig.tar.gz"]).hexdigest()
    with pytest.raises(SystemExit, match=r"patch .*repair.patch failed"):
        sources.main("libraries", str(tmp_path / "sources"))


@pytest.mark.parametrize(
    ("version", "said"), [("1.0-1", "all libraries are those"), ("1.0-1+deb12u1", "has 1.0-1+deb12u1")]
)
def test_a_repair_by_debian_is_named(debian, capsys, version, said):
    files, _ = debian
    entries = f"Package: other\nVersion: 7\n\nPackage: thing\nBinary: libthing\nVersion: 1:{version}\n"
    files["dists/bookworm-security/main/source/Sources.xz"] = sources.lzma.compress(entries.encode())
    with pytest.raises(SystemExit) as stop:
        sources.main("newer")
    assert said in capsys.readouterr().out and bool(stop.value.code) == (version != "1.0-1")
