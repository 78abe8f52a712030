"""One step in all processes that share a Loader, and rows of a process's own."""

import late_programs
import pytest
from distributed_programs import one_after_the_other
from joint_programs import BAD_STEP, STEPS
from test_distributed import TIMEOUT_S, run_together, start_together

KINDS = {"corrupt": "DecodeError", "ragged": "SourceDataError", "raises": "SourceError", "dies": "WorkerError"}
IS_FINAL = {"raises", "dies"}


def calls_of_failures(processes):
    return [("fail", kind, failing, agree) for kind in KINDS for failing in range(processes) for agree in (False, True)]


def check_failure(found, kind, failing, agree):
    """An error of one process is one of the same step in all, and nothing else is lost."""
    before, after = list(range(BAD_STEP)), list(range(BAD_STEP + 1, STEPS))
    for process, (came, last) in enumerate(found):
        assert last == (STEPS if agree else BAD_STEP), came
        first, rest = came[BAD_STEP], came[BAD_STEP + 1 :]
        assert came[:BAD_STEP] == before
        assert first[0] == KINDS[kind] and first[1] == (None if process == failing else failing), first
        if process != failing:
            assert f"process {failing} failed at step {BAD_STEP}" in first[3]
        if not agree:
            assert first[2] == BAD_STEP
            for name, _, step, words in rest:
                assert (name, step) == ("StateError", BAD_STEP) and f"process {failing} failed at step" in words
            assert len(rest) == 2
        elif kind in IS_FINAL:
            assert first[2] == BAD_STEP and [rest[0][0], *rest[0][2:3]] == [KINDS[kind], BAD_STEP]
            assert rest[1:] == after
        else:
            assert first[2] == BAD_STEP + 1 and rest == after


MADE = [
    "differ in samples: 16 in process 0, 17 in process 1",
    "OSError: no such disk here",
    "differ in element_spec",
    "ValueError: not on this host",
    "prefetch must be an integer",
    "differ in epochs: 2 in process 0, 3 in process 1",
    "differ in agree",
    "differ in sampler",
    "differ in data",
    "depend on the widths of ids",
    "depend on the widths of ids",
    "Pass sharding=, of the devices of all processes",
    "Pass sharding=, of the devices of all processes",
    "differ in last_batch: 'mask' in process 0, 'drop' in process 1",
    "batch_size must be an integer, at least 1",
    "Pass sharding=, of the devices of all processes",
    "expects a jax.sharding.Sharding",
]


def check_refusals(found):
    """What is wrong in one process is an error in all, which says the same."""
    for words, *said in zip(MADE, *found, strict=True):
        assert all(words in one for one in said), (words, said)


def check_local(found, kind, last_batch, resume_at):
    lengths = (11, 5, 8, 3)[: len(found)]
    steps = (
        max(-(-length // 4) for length in lengths) if last_batch == "mask" else min(length // 4 for length in lengths)
    )
    numbers = []
    for process, (came, steps_per_epoch, state) in enumerate(found):
        assert steps_per_epoch == steps and len(came) == 2 * steps - resume_at
        assert state == found[0][2] and state["processes"] == len(found)
        mine = [100 * process + number for number in range(lengths[process])]
        for epoch in range(2):
            batches = came[max(epoch * steps - resume_at, 0) : (epoch + 1) * steps - resume_at]
            assert all(given == by_loader for _, given, _, _, by_loader in batches)
            assert all(names == [f"row {n}" for n in rows] for rows, _, _, names, _ in batches)
            real = [n for rows, mask, *_ in batches for n, is_real in zip(rows, mask, strict=True) if is_real]
            assert {n for rows, *_ in batches for n in rows} <= set(mine)
            if epoch == 0 and resume_at:
                assert len(real) == len(set(real)) and set(real) <= set(mine)
            elif last_batch == "mask":
                assert sorted(real) == mine and (real == mine) == (kind != "shuffled")
            else:
                assert len(set(real)) == len(real) == steps * 4
        numbers += [draw for _, mask, draws, *_ in came for draw, is_real in zip(draws, mask, strict=True) if is_real]
    assert len(set(numbers)) == len(numbers)


def rows_from(process, step):
    return [[k, *range(8 * k + 4 * process, 8 * k + 4 * process + 4)] for k in range(step, 3)]


def check_apart(found, how, agree):
    """No batch has rows of two steps, and nobody waits for ever."""
    if how == "start":
        assert [came for came in found] == [rows_from(process, 1) for process in range(2)]
        return
    for process, came in enumerate(found):
        words = came.pop()
        if how == "seek":
            assert (
                "PeerError: the processes take different steps: process 0 went on at step 1, process 1 at step 0"
                in words
            )
            assert len(came) <= (0 if agree else 2)
        elif how == "break":
            # What the first one had dispatched when it left is agreed on already.
            assert (
                "PeerError: the processes take different steps: process 0 went on at step 2, process 1 at step" in words
            )
            assert came == rows_from(process, 0)[: len(came)] and 1 <= len(came) <= 1 + process
        elif how == "grow":
            assert "had 24 samples when the Loader was made" in words and came == rows_from(process, 0)[: len(came)]
            assert len(came) == len(found[0]) or not agree
        else:
            assert "do not travel" in words and (came == [] or (process and not agree))


def check_stream_states(found):
    (state, *of_first), (other, *of_second) = found
    assert state == other and state["processes"] == 2
    assert all(straight == resumed for straight, resumed in (of_first, of_second))


LOCAL = [("plain", "mask"), ("shuffled", "mask"), ("shuffled", "drop"), ("stream", "mask"), ("devices", "mask")]
RESUMED = ("shuffled", "stream")
WAYS = ("seek", "grow", "does not travel", "start")
APART = [*(("go_apart", how, agree) for how in WAYS for agree in (False, True)), ("go_apart", "break", True)]
# Who fails how, whether they agree, who is late, and where.
LATE = [("raises", 0, True, 1, "_awaited"), ("corrupt", 1, True, 0, "source"), ("corrupt", 0, False, 1, "left")]
LATE_OF_FOUR = [
    ("raises", 2, True, 1, "_awaited"),
    ("raises", 1, True, 0, "left"),
    ("corrupt", 0, True, 3, "arrive"),
    ("raises", 1, False, 0, "leave"),
    ("corrupt", 1, False, 3, "source"),
]
UNFIT = [
    "fits",
    "samples",
    "processes",
    "several processes hold the same rows",
    "shards",
    "end earlier in one process than in another",
]


def check_late(found, kind, failing, agree, who, point):
    check_failure(found, kind, failing, agree)


def check_unfit(found):
    for words, *said in zip(UNFIT, *found, strict=True):
        assert all(words in one for one in said), (words, said)


CHECKS = {"fail": check_failure, "fail_late": check_late, "cannot_be_made": check_refusals, "local_rows": check_local}
CHECKS |= {"go_apart": check_apart, "states_of_local_streams": check_stream_states, "other_local_data": check_unfit}
OF_LATE = ("fail_late", "leave_early", "stand")


def run_calls(processes, calls, subtests):
    """Runs the programs one after the other in one session, and checks what they return. Returns that, by call."""
    named = [[f"{'late' if name in OF_LATE else 'joint'}_programs.{name}", *arguments] for name, *arguments in calls]
    found = run_together(one_after_the_other, processes, named)
    of_call = dict(zip(calls, zip(*found, strict=True), strict=True))
    for call, results in of_call.items():
        with subtests.test(call=call):
            for result in results:
                assert not (isinstance(result, dict) and "failed" in result), result["failed"]
            if call[0] in CHECKS:
                CHECKS[call[0]](list(results), *call[1:])
    return of_call


def test_two_processes_share_their_steps_and_their_errors(subtests):
    of_local = [
        ("local_rows", *case) for case in [*((*case, 0) for case in LOCAL), *((kind, "mask", 2) for kind in RESUMED)]
    ]
    calls = [*calls_of_failures(2), ("cannot_be_made",), *of_local, ("opens_own_shards",), ("leave_early",), *APART]
    calls += [("states_of_local_streams",), ("other_local_data",), *(("fail_late", *case) for case in LATE)]
    of_call = run_calls(2, calls, subtests)
    with subtests.test("a resumed run is the rest of the straight one"):
        for kind in RESUMED:
            for straight, resumed in zip(
                of_call["local_rows", kind, "mask", 0], of_call["local_rows", kind, "mask", 2], strict=True
            ):
                assert resumed[0] == straight[0][2:]
    with subtests.test("a process that leaves"):
        nothing, words = of_call["leave_early",]
        assert nothing is None and "PeerError: process 0 failed at step" in words and "it closed its Loader" in words
    with subtests.test("own shards"):
        (first, opened), (second, opened_there) = of_call["opens_own_shards",]
        assert (opened, opened_there) == ([0], [1])
        assert (first, second) == ([[0, 1, 2, 3], [4, 5, 6, 7]], [[100, 101, 102, 103], [104, 105, 106, 107]])


@pytest.mark.thorough
def test_four_processes_are_as_two(subtests):
    """One of the four fails, or is late, or each has rows of its own; and two go on where the four stood."""
    failures = [("fail", kind, failing, agree) for failing, kind in enumerate(KINDS) for agree in (False, True)]
    late = [("fail_late", *case) for case in LATE_OF_FOUR]
    of_local = [("local_rows", *case, 0) for case in LOCAL if case[1] == "mask"]  # 3 rows of the last one are no step
    resumed = ("local_rows", "shuffled", "mask", 2)
    of_call = run_calls(4, [*failures, *late, *of_local, resumed, ("stand", None)], subtests)
    for straight, rest in zip(of_call["local_rows", "shuffled", "mask", 0], of_call[resumed], strict=True):
        assert rest[0] == straight[0][2:]
    stood = of_call["stand", None]
    states = stood[0][1:]
    assert all(others == states for _, *others in stood)
    with subtests.test("two processes go on where the four stood"):
        found = run_together(late_programs.stand, 2, states)
        assert [row for rows, _ in found for row in rows] == [row for rows, *_ in stood for row in rows]
        assert all("ConfigError" in words and "processes" in words for _, words in found)


def test_a_process_that_waits_for_a_failed_one_ends():
    failed, waiting = start_together(late_programs.wait_for_ever, 2)
    try:
        _, words = waiting.communicate(timeout=TIMEOUT_S)
        assert waiting.returncode == 1
        assert f"process 0 failed at step {STEPS - 1}: DecodeError" in words and "it ends here, with status 1" in words
    finally:
        failed.kill()
        output, _ = failed.communicate()
    assert f"DecodeError at step {STEPS - 1}" in output
