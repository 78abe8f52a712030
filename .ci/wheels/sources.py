"""Fetches what wheels are built from besides the project, as `sources.toml` beside this file lists it, with digests.

    sources.py sysroot FOLDER ARCH   unpacks Debian's packages of an old C library
    sources.py libraries FOLDER      unpacks sources into FOLDER/NAME, with Debian's patches applied
    sources.py python FOLDER         unpacks Python's, which no wheel has, but tests of wheels build
    sources.py notices FOLDER OUT    writes the licences of those that get into wheels, a file each
    sources.py newer                 prints of what Debian has another version now, and fails if there is one

Files come from the mirror of Debian that apt-get uses here, or from $DEBIAN_MIRROR.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator

LISTED = tomllib.loads(pathlib.Path(__file__).with_name("sources.toml").read_text())
SECONDS = 120  # after which a mirror that says nothing is given up


def mirrors() -> list[str]:
    """Returns the addresses under which Debian's `pool/` is looked for, in order."""
    if named := os.environ.get("DEBIAN_MIRROR"):
        return [named.rstrip("/")]
    command = ("apt-get", "indextargets", "--format", "$(SITE) $(ORIGIN) $(COMPONENT)", "Created-By: Packages")
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = [line.split()[0].rstrip("/") for line in listed if line.split()[1:] == ["Debian", "main"]]
    if not found:
        sys.exit("apt-get knows no mirror of Debian here; run apt-get update, or set DEBIAN_MIRROR to one's address")
    return list(dict.fromkeys(found))


def read(path: str) -> bytes | None:
    """Returns the file of Debian at `path`, or None if no mirror has it."""
    for mirror in mirrors():
        try:
            with urllib.request.urlopen(f"{mirror}/{path}", timeout=SECONDS) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
    return None


def fetch(path: str, sha256: str, into: pathlib.Path) -> pathlib.Path:
    content = read(path)
    if content is None:
        sys.exit(
            f"{path} is on none of {', '.join(mirrors())}; an archive of Debian has it: set DEBIAN_MIRROR to its address"
        )
    if (digest := hashlib.sha256(content).hexdigest()) != sha256:
        sys.exit(f"{path} has SHA-256 {digest}, and {sha256} was expected (.ci/wheels/sources.toml)")
    target = into / path.rpartition("/")[2]
    target.write_bytes(content)
    return target


def run(*command: object, cwd: pathlib.Path | None = None) -> None:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")


def unpack_sysroot(folder: pathlib.Path, arch: str) -> None:
    for package in LISTED["sysroot"]:
        archive = fetch(package["path"].format(arch=package["names"][arch]), package["sha256"][arch], folder)
        run("dpkg-deb", "-x", archive, folder)
        archive.unlink()
    # Links from / are ones of a running system.
    for link in folder.rglob("*"):
        if link.is_symlink() and link.readlink().is_absolute():
            target = folder / link.readlink().relative_to("/")
            link.unlink()
            link.symlink_to(os.path.relpath(target, link.parent))


def unpack_library(library: dict, folder: pathlib.Path) -> None:
    source = folder / library["name"]
    source.mkdir()
    # Sources and, for Debian's own changes, debian/.
    original, debian = (fetch(file["path"], file["sha256"], folder) for file in library["files"])
    run("tar", "-xf", original, "--strip-components=1", "-C", source)
    run("tar", "-xf", debian, "-C", source)
    patches = [line.strip() for line in (source / "debian/patches/series").read_text().splitlines()]
    patches = [line for line in patches if line and not line.startswith("#")]
    if patches != library["patches"]:
        sys.exit(
            f"Debian's patches of {library['name']} are {patches}, and {library['patches']} were expected (sources.toml)"
        )
    for patch in patches:
        run("patch", "--strip=1", "--forward", "--input", f"debian/patches/{patch}", cwd=source)


def newer() -> Iterator[str]:
    """Yields a line for each library of which Debian has another version than the one listed."""
    release = LISTED["release"]
    for library in LISTED["library"]:
        versions = set()
        for index in (f"dists/{release}/main", f"dists/{release}-security/main"):
            content = read(f"{index}/source/Sources.xz")
            for entry in lzma.decompress(content).decode().split("\n\n") if content else ():
                if entry.startswith(f"Package: {library['name']}\n"):
                    versions |= set(re.findall(r"^Version: (?:\d+:)?(\S+)$", entry, re.MULTILINE))
        if not versions:
            sys.exit(f"no index of Debian's sources names {library['name']}")
        for version in sorted(versions - {library["version"]}):
            yield f"{library['name']}: wheels have {library['version']}, Debian {release} has {version}"


def write_notices(sources: pathlib.Path, out: pathlib.Path) -> None:
    out.mkdir(parents=True)
    for library in LISTED["library"]:
        if library["linked"]:
            head = f"In the compiled modules: Debian's {library['name']} {library['version']} ({library['licence']}).\n"
            texts = (f"\n{name}\n\n{(sources / library['name'] / name).read_text()}" for name in library["notices"])
            (out / f"{library['name']}.txt").write_text(head + "".join(texts))


def main(action: str, *arguments: str) -> None:
    folders = [pathlib.Path(argument) for argument in arguments]
    match action:
        case "sysroot":
            folders[0].mkdir(parents=True)
            unpack_sysroot(folders[0], arguments[1])
        case "libraries":
            folders[0].mkdir(parents=True)
            for library in LISTED["library"]:
                unpack_library(library, folders[0])
        case "python":
            folders[0].mkdir(parents=True)
            run("tar", "-xf", fetch(**LISTED["python"], into=folders[0]), "--strip-components=1", "-C", folders[0])
        case "notices":
            write_notices(*folders)
        case "newer":
            lines = list(newer())
            print("\n".join(lines) or "all libraries are those that Debian has now")
            sys.exit(bool(lines))
        case _:
            sys.exit(f"{action} is no action of sources.py; there are sysroot, libraries, python, notices and newer")


if __name__ == "__main__":
    main(*sys.argv[1:])
