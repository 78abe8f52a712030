"""Tells URLs of remote objects from paths, and joins paths."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from jaxdali.errors import ConfigError

__all__ = ["absolute", "is_remote", "joined", "joined_all", "printable_url", "protocol_of"]

_REMOTE = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


def is_remote(path: str) -> bool:
    """Whether a path is a remote URL, such as s3://bucket/key; `file://` is local."""
    if "://" not in path:  # fast, because it is called for a million paths
        return False
    found = _REMOTE.match(path)
    return found is not None and found[1].lower() != "file"


def protocol_of(url: str) -> str:
    """Returns "s3" of s3://bucket/key."""
    return url.partition("://")[0].lower()


def absolute(path: str | os.PathLike[str]) -> str:
    """Returns a file's absolute path, or a URL unchanged except for a slash at its end.

    Raises:
        ConfigError: a URL contains credentials, which would end up in errors and checkpoints; or a path has a zero
            byte.
    """
    path = os.fspath(path)
    if "\0" in path:
        raise ConfigError(f"the path {path!r:.80} contains a zero byte, which a path cannot have")
    if not is_remote(path):
        return os.path.abspath(unquote(path[7:]) if path.lower().startswith("file://") else path)
    try:
        has_password = urlsplit(path).password is not None
    except ValueError as error:
        raise ConfigError(f"{path!r:.80} is not a URL: {error}") from None
    if has_password:
        raise ConfigError(
            f"a URL of {protocol_of(path)}:// has a password in it; credentials come from the environment alone"
        )
    return path.rstrip("/") if "?" not in path else path


def joined(root: str, path: str) -> str:
    """Joins a path to `root`, unless it is absolute; for files and for objects."""
    if is_remote(path):
        return absolute(path)
    return f"{root.rstrip('/')}/{path.lstrip('/')}" if is_remote(root) else os.path.join(root, path)


def joined_all(root: str, paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """`joined` for many paths."""
    if is_remote(root):
        return [joined(root, os.fspath(path)) for path in paths]
    here = os.path.join(root, "")
    return [
        joined(root, path) if "://" in path else path if path.startswith("/") else here + path
        for path in (os.fspath(one) for one in paths)
    ]


def printable_url(url: str) -> str:
    """What errors call an object: the URL without its query, which may contain a signature."""
    name, mark, _ = url.partition("?")
    return f"{name}?..." if mark else name
