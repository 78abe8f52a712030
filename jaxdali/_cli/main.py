"""Parses arguments, runs the command, and turns errors into exit codes."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
from collections.abc import Sequence

from jaxdali.errors import ConfigError, JaxDaliError
from . import bench, doctor, index, software, view
from .safe_text import Formatter, lines_shown

__all__ = ["DONE", "FAILED", "WRONG_ARGUMENTS", "main"]

DONE, FAILED, WRONG_ARGUMENTS = 0, 1, 2
_INTERRUPTED = 130
_COMMANDS = {"doctor": doctor, "bench": bench, "view": view, "index": index}

_EPILOG = (
    f"exit codes: {DONE} done; {FAILED} it failed, or doctor found something that does not work; {WRONG_ARGUMENTS} wrong "
    "arguments, of which a folder that is not there, or has no images, is one"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code.

    Args:
        arguments: those of this process if None.
    """
    parser = argparse.ArgumentParser(
        prog="jaxdali", description="Tools of jaxdali, the input pipeline for JAX.", epilog=_EPILOG
    )
    parser.add_argument("--version", action=_PrintVersion, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in _COMMANDS.items():
        summary = module.run.__doc__.splitlines()[0]
        module.add_arguments(commands.add_parser(name, help=summary, description=summary))
    given = parser.parse_args(arguments)
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter("%(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler])
    try:
        code = _COMMANDS[given.command].run(given)
        sys.stdout.flush()
        return code
    except ConfigError as error:
        _say(given.command, error)
        return WRONG_ARGUMENTS
    except BrokenPipeError:  # `jaxdali doctor | head`
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (JaxDaliError, OSError) as error:
        _say(given.command, error)
        return FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED


class _PrintVersion(argparse.Action):
    # argparse's own breaks the line at the width of the terminal, in the middle of a path.
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"jaxdali {software.own_version()}")
        parser.exit(DONE)


def _say(command: str, error: Exception) -> None:
    print(f"jaxdali {command}: {lines_shown(str(error))}", file=sys.stderr)
