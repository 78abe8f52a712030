"""`jaxdali doctor`: reports what this machine has, what works, and what to do about the rest."""

from __future__ import annotations

import argparse
import textwrap

from .numbers import seconds, table

__all__ = ["add_arguments", "run"]

_WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=1.0,
        metavar="S",
        help="how long each decoder is tested (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Tells what was built, what this machine has, whether it works, and what would help."""
    from jaxdali._dali.planner.feed_setup import choose_start_method
    from . import decoders, machine, software, workers
    from .findings import Section

    sections: list[Section] = []

    def show(section: Section) -> None:
        print(f"{section.title}\n{table(section.rows, '  ')}", flush=True)
        sections.append(section)

    # This comes first: fork is unsafe once threads were started, for example by jax's backends, or CUDA is in use.
    before = choose_start_method(None)
    processes = workers.inspect_start_methods()
    show(software.inspect_software())
    show(machine.inspect_machine())
    devices = software.inspect_devices()
    workers.inspect_fork(before, processes)
    show(processes)
    show(devices)
    show(decoders.inspect_decoders(arguments.seconds))
    advice = [sentence for section in sections for sentence in section.advice]
    print("advice" if advice else "advice\n  none: nothing was found that could be better")
    for sentence in advice:
        print(textwrap.fill(sentence, _WIDTH, initial_indent="  - ", subsequent_indent="    "))
    broken = [section.title for section in sections if section.broken]
    if broken:
        print(f"\nnot all is well: {'; '.join(broken)}")
    return 1 if broken else 0
