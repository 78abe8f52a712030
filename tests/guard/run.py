"""Says whether the tests of the gate still find faults: mutations of the product, and old faults put back.

    python tests/guard/run.py mutations [--seed S] [--count N] [--only K]   # goes on where it was stopped
    python tests/guard/run.py fixes [--only NAME]
    python tests/guard/run.py report [--seed S]

It fails if more than one mutation passes the gate while a test outside of it is red, or any old fault passes the gate.

Ten mutations a night: `mutations --count 10 --seed $(date +%Y%m%d)`. Everything is written below build/guard. The
interpreter must be that of the environment in which jaxdali and its tests are installed.
"""

from __future__ import annotations

import argparse
import sys

import guard_fixes
import guard_mutations
import guard_report

MAY_PASS = 1  # mutations that other tests find


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", choices=("mutations", "fixes", "report"))
    parser.add_argument("--seed", type=int, default=1, help="of the mutations (1)")
    parser.add_argument("--count", type=int, default=46, help="how many mutations (46)")
    parser.add_argument("--only", help="the number of a mutation, or the name of an old fault")
    parser.add_argument("--killers", type=int, default=3, help="red files after which a mutation is done with (3)")
    parser.add_argument("--minutes", type=float, default=4, help="for each mutation and call (4)")
    parser.add_argument("--jobs", type=int, default=2, help="mutations at the same time (2)")
    parser.add_argument("--covered", action="store_true", help="do not wait for tests that have not been looked at yet")
    given = parser.parse_args()
    if given.stage == "mutations":
        only = None if given.only is None else int(given.only)
        limits = {"killers": given.killers, "limit_s": 60 * given.minutes, "jobs": given.jobs, "covered": given.covered}
        guard_mutations.mutations(given.seed, given.count, only, **limits)
    elif given.stage == "fixes":
        guard_fixes.fixes(given.only)
    mutations = guard_report.print_mutations(given.seed) if given.stage != "fixes" else 0
    faults = guard_report.print_fixes() if given.stage != "mutations" else 0
    if mutations > MAY_PASS or faults:
        sys.exit(f"the gate lets {mutations} mutations that other tests find and {faults} old faults pass")


if __name__ == "__main__":
    main()
