"""Says whether a step of .ci/run passed before with the same inputs: `step_keys.py key|passed|keep STEP ...`.

`key STEP VERSIONS` prints the step's key: a digest of the contents of its files, and of the compilers, libraries and CPU
that it uses. VERSIONS is a file with the packages' versions. `passed STEP KEY` prints when the step passed with that key;
it fails if it did not, or too long ago. `keep STEP KEY` notes that it passed now.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys

# What each step reads, as patterns of git: files that are tracked, and files that are not but might be.
BUILD = ("ffi", "CMakeLists.txt", "pyproject.toml", ".ci", "Makefile")
INPUTS = {
    "oracles": (
        *BUILD,
        "jaxdali",
        "tests/oracles",
        "tests/programs",
        "tests/support",
        "tests/conftest.py",
        "tests/smoke.py",
        "tests/allowed_skips.txt",
    ),
    "damaged": BUILD,
    "cuda": BUILD,
}
DAYS = 7  # for which a key is good: something that no key knows may have changed


def kept() -> pathlib.Path:
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path(os.environ.get("HOME") or "/root", ".cache")
    return pathlib.Path(cache, "jaxdali", "passed")


def files_of(step: str, root: pathlib.Path) -> list[pathlib.Path]:
    """Returns the step's input files, in order. Those that git ignores are not inputs."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    listed = subprocess.run([*command, *INPUTS[step]], cwd=root, capture_output=True, text=True, check=True)
    paths = sorted({root / name for name in listed.stdout.split("\0") if name})
    return [path for path in paths if path.is_file()]


def output(*command: str, text: str = "") -> str:
    """Returns what a command prints, or nothing if it is not there: a compiler that appears later is another input."""
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True).stdout
    except FileNotFoundError:
        return ""


def cpu_flags() -> str:
    match = re.search(r"^(?:flags|Features)\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return " ".join(sorted(match[1].split())) if match else platform.processor()


def library(compiler: str, name: str, header: str, version_macro: str) -> str:
    """Returns the version of the header, and a digest of the library: repairs of a distribution have the same version."""
    text = f"#include <cstdio>\n#include <{header}>\n{version_macro}\n"
    version = output(compiler, "-E", "-P", "-xc++", "-", text=text).strip().rpartition("\n")[2]
    library = pathlib.Path(output(compiler, f"-print-file-name=lib{name}.so").strip())
    return f"{version} {hashlib.sha256(library.read_bytes()).hexdigest() if library.is_file() else ''}"


def machine() -> dict[str, str]:
    """Returns what a step depends on besides files and packages."""
    compiler = os.environ.get("CXX", "c++")
    return {
        "python": sys.version,
        "platform": f"{platform.machine()} {platform.libc_ver()}",
        "cpu": cpu_flags(),
        "c++": output(compiler, "--version"),
        "clang++": output("clang++", "--version"),
        "libjpeg": library(compiler, "jpeg", "jpeglib.h", "LIBJPEG_TURBO_VERSION"),
        "libdeflate": library(compiler, "deflate", "libdeflate.h", "LIBDEFLATE_VERSION_STRING"),
        "libwebp": library(compiler, "webp", "webp/decode.h", "WEBP_DECODER_ABI_VERSION"),
    }


def key_of(step: str, root: pathlib.Path, facts: dict[str, str]) -> str:
    digest = hashlib.sha256(step.encode())

    def add(name: str, content: bytes) -> None:
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)

    for path in files_of(step, root):
        mode = "x" if os.access(path, os.X_OK) else "-"
        add(f"{path.relative_to(root).as_posix()} {mode}", path.read_bytes())
    for name, fact in sorted(facts.items()):
        add(name, fact.encode())
    return digest.hexdigest()[:16]


def when_passed(step: str, key: str, now: datetime.datetime) -> str | None:
    """Returns when the step passed with that key, if that is not too long ago."""
    path = kept() / f"{step}-{key}"
    try:
        then = datetime.datetime.fromisoformat(path.read_text().strip())
    except (FileNotFoundError, ValueError):
        return None
    return then.isoformat(" ", "minutes") if datetime.timedelta() <= now - then < datetime.timedelta(DAYS) else None


def keep(step: str, key: str, now: datetime.datetime) -> None:
    kept().mkdir(parents=True, exist_ok=True)
    for path in kept().iterdir():
        if now.timestamp() - path.stat().st_mtime > DAYS * 86400:
            path.unlink(missing_ok=True)
    new = kept() / f".{step}-{key}.{os.getpid()}"
    new.write_text(now.isoformat() + "\n")
    new.replace(kept() / f"{step}-{key}")


def main(action: str, step: str, argument: str) -> None:
    now = datetime.datetime.now(datetime.UTC)
    if action == "key":
        packages = pathlib.Path(argument).read_text()
        print(key_of(step, pathlib.Path.cwd(), {**machine(), "packages": packages}))
    elif action == "keep":
        keep(step, argument, now)
    elif date := when_passed(step, argument, now):
        print(date)
    else:
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
