"""The waits of jaxdali/ and ffi/ as tables, and what finds them; tests/test_waits.py compares the two.

No wait is silent. Each has one of these, and a few words on how:

- limit: it ends by itself after a time, or when what it waits for cannot fail to happen soon.
- log: after five seconds it says in the log what it is for, by `jaxdali._base.patience`.
- idle: nobody waits for it. A process or thread has nothing to do until it is told, and ends with those that tell it.
- device: it waits for work that a GPU has been given, as every program of CUDA does.

Locks of C++ are left out: they are held for a few statements, none of which waits. What jax waits for is jax's.
Python's functions are named as `Class.method`; what a nested function does counts as done by the outer one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from import_graph import parsed

# Calls that may wait, by their last name.
_NAMES = {
    "acquire",
    "awaited",
    "broadcast_one_to_all",
    "communicate",
    "ended",
    "flock",
    "join",
    "lockf",
    "pause",
    "poll",
    "process_allgather",
    "readline",
    "recv",
    "recv_fds",
    "recv_into",
    "recvfrom",
    "recvmsg",
    "result",
    "select",
    "send_fds",
    "sendall",
    "sigwait",
    "sleep",
    "wait",
    "wait_event",
    "wait_for",
    "wait_for_end",
    "wait_for_pids",
    "wait_for_slot",
    "waitid",
    "waitpid",
}

# Names of `_NAMES` that wait for nothing in some files, or in all of them ("*"), by what they are called on.
_OTHERS = {
    ("_run/executor/device_stage.py", "self._placement.result"),  # of a column that was computed
    ("*", "patience.wait"),  # says that something else waits
}

_LOCK = re.compile(r"(.*[._])?lock|.*_lock", re.IGNORECASE)

_HOLDER = "log: whoever holds the lock waits for a batch, and says so"
_SHORT = "limit: what is done under the lock does not wait"

WAITS: dict[str, dict[str, str]] = {
    "_device/ffi/load.py": {"register_targets": _SHORT},
    "_run/executor/decode_ahead/ahead_decoder.py": {"AheadBatch.wait": "limit: its argument"},
    "_run/executor/decode_ahead/clips_ahead.py": {"ClipsAhead.wait": "limit: its argument"},
    "_run/executor/decode_ahead/video_offer.py": {"_asked_aside": "log: says what is asked"},
    "_run/executor/decode_ahead/split_decoder.py": {"SplitBatch.wait": "limit: its argument"},
    "_run/executor/device_io/packets.py": dict.fromkeys(
        ("Packet.wait", "Sent.arrived"), "device: it copies a few kilobytes, which nothing holds up"
    ),
    "_run/executor/exclusive_use.py": {
        "ExclusiveUse.close": "limit: two seconds, then the thread inside ends the object"
    },
    "_run/executor/host_stage.py": {"HostStage._take_from": "log: of a free slot"},
    "_run/executor/prefetch.py": {"Executor._await": "log: names the step whose images are decoded"},
    "_run/executor/step.py": dict.fromkeys(("Step.wait", "Step._clips_are_ready"), "limit: its argument"),
    "_base/formats/pixel_decoding.py": {"decode_pixels": _SHORT},
    "_run/multihost/at_exit.py": {"_end_all": "limit: three seconds for each thread, which waits for one at most"},
    "_run/multihost/shared_end.py": {
        "_Watch._watch": "idle: it is the thread that asks whether another process has failed"
    },
    "_run/multihost/step_outcomes.py": {
        "_Work._receive": "limit: a fifth of a second",
        "_Work._give_way": "limit: a fiftieth of a second",
        "StepOutcomes.wait": "log: says that the other processes' outcomes are awaited",
    },
    "_loader/agreed_steps.py": {"AgreedStage.check": "log: by `StepOutcomes.wait`"},
    "_loader/together.py": {"AgreeOnSteps.failed": "log: by `StepOutcomes.wait`"},
    "_loader/first_sample.py": {"_read_within": "limit: worker_timeout_s, and the log before it"},
    "_base/patience.py": {
        "Patience.beside": "limit: two seconds for a thread that was told to end",
        "Patience._stand_by": "idle: it is the thread that writes the log",
        "awaited": "log: by the caller's words",
    },
    "_dali/iterators/shard_placement.py": {"Placement.draw_seed": "log: says that the other processes are awaited"},
    "_dali/iterators/lookahead.py": dict.fromkeys(
        (
            "PeekableBatches.next",
            "PeekableBatches.begin",
            "PeekableBatches.peek",
            "PeekableBatches.peek_async",
            "PeekableBatches.reset",
            "PeekableBatches.checkpoints",
        ),
        _HOLDER,
    ),
    "_feed/processes/deaths.py": {"said_of": "limit: a second, once for each source"},
    "_feed/processes/forks.py": {
        "_ZygoteLauncher.wait_for_pids": "log: names the process that forks workers, which may be loading sources",
        "_ZygoteLauncher._read": _SHORT,
        "_ZygoteLauncher.deaths": _SHORT,
        "_ZygoteLauncher._lose_workers": _SHORT,
        "_ZygoteLauncher.refused": _SHORT,
        "_ZygoteLauncher.terminate": "limit: half a second, then workers are killed",
        "ForkLauncher._reap_zygote": "log: by `ended`",
        "ForkLauncher._reap": "limit: returns at once (WNOHANG)",
        "ForkserverLauncher.launch": "log: by `Child.wait`",
        "ForkserverLauncher._lose_workers": "limit: two seconds",
        "ForkserverLauncher._reap_zygote": "log: by `Child.wait`",
    },
    "_feed/processes/interpreter.py": {
        "Child.poll": "limit: returns at once (WNOHANG)",
        "Child.wait": "log: by `ended`",
    },
    "_feed/processes/launch.py": {
        "SpawnLauncher.deaths": "limit: returns at once",
        "SpawnLauncher.terminate": "log: half a second for each, then they are killed, and `Child.wait` tells which stay",
    },
    "_feed/processes/messages.py": {
        "offer_message": "limit: returns at once (MSG_DONTWAIT)",
        "send_message": "idle: a worker with something to say waits for its parent, which reads when it needs batches",
        "MessageReader.read": "limit: the socket does not block",
    },
    "_feed/processes/native_threads.py": {"lost_threads": "limit: 50 ms, for threads that are leaving"},
    "_feed/processes/pool.py": {
        "WorkerPool.pids": "log: by `wait_for_pids`",
        "WorkerPool._pid": "log: by `wait_for_pids`",
        "WorkerPool._end": "log: by `wait_for_pids`",
    },
    "_feed/processes/reaping.py": {"ended": "log: names the process and its state"},
    "_feed/processes/zygote.py": {
        "Messages.send_fork": "log: the zygote's socket is full",
        "Messages.wait_for_end": "limit: its argument",
        "Messages.receive": "limit: returns at once (MSG_DONTWAIT)",
        "_readable": "limit: its argument; a zygote has none, and is idle until it is told something",
        "Zygote.run": "limit: its parent waits two seconds for its end, and then kills it",
        "Zygote._obey": "limit: poll said that there is something",
        "Zygote._fork_worker": "limit: the worker has done nothing yet, and is killed",
        "Zygote._reap": "limit: poll said that the worker has ended",
    },
    "_feed/records/video_aside.py": {"read_aside": "log: names the video whose clip is decoded"},
    "_feed/records/video_scan.py": {
        "_scan": "log: names the videos that are looked through",
        "started": "limit: ten seconds, for a process that was killed",
        "main": _SHORT,
    },
    "_feed/remote/cluster.py": {
        "RayCluster._await": "limit: returns at once, since the future is settled",
        "RayCluster._watch_head": "idle: it is the thread that looks whether the head answers",
        "_answers_soon": "limit: 20 s; meanwhile whoever waits for a batch is told that the worker is loading",
    },
    "_feed/remote/courier.py": {"Courier.run": "limit: a quarter of a second; the parent writes the log"},
    "_feed/remote/courier_process.py": dict.fromkeys(
        ("Parent.tell", "Parent.beat"), "idle: as `send_message`, for which two threads take turns"
    ),
    "_feed/remote/jobs.py": {"Credits.take": "limit: its argument, a quarter of a second; the parent writes the log"},
    "_feed/ring/feed.py": {
        "Feed._await": "log: names the batch, its source, its workers and the sample they are in",
        "Feed.wait_for_slot": "limit: 20 ms; its caller goes on waiting, and writes the log",
    },
    "_feed/ring/file_decoders.py": {"FileDecoders.wait": "log: names the batch, and where its decoders are"},
    "_feed/ring/inline.py": {"InlineProducer._next": "limit: a moment; `Feed._await` writes the log"},
    "_feed/ring/interpreter_end.py": {
        "stay_if_ending": "idle: for ever, in a thread that ends with the process, which is ending",
        "_await": "limit: its argument",
    },
    "_feed/source/source_kinds.py": {"WrappedSource.wait": "limit: a moment; `Feed._await` writes the log"},
    "_feed/storage/cache.py": {"Cache._lock": "log: names the folder, which another process keeps locked"},
    "_feed/storage/loop.py": {
        "Loop.run": "log: names the objects",
        "Loop.close": "limit: two seconds",
        "running_loop": _SHORT,
        "end": _SHORT,
    },
    "_feed/storage/read_ahead.py": {"_Request.cut": "log: names the object"},
    "_feed/storage/retries.py": {"retry": "limit: a pause between two tries"},
}

_WORK = "device: work of the same call, or what a decoder has queued"

NATIVE_WAITS: dict[str, dict[str, str]] = {
    "base/shared_work.h": dict.fromkeys(
        ("AwaitStartedItems", "RunShared"), "limit: other threads are computing the items, and wait for nothing"
    ),
    "bindings/cuda/engine_binding.cc": {"BindEngine": "limit: its argument"},
    "bindings/cuda/video_binding.cc": {"BindVideo": "limit: its argument"},
    "bindings/host/host_module.cc": {"NextClaim": "idle: a worker waits for work, as long as its parent lives"},
    "bindings/side_by_side.h": {
        "RunSideBySide": "limit: what decoding takes; the other threads end with the last image"
    },
    "bindings/without_gil.h": {"RetakeGil": "idle: for ever, in a thread that ends with the process, which is ending"},
    "calls/clips/gpu_handler.cc": {"Clips": "limit: returns at once"},
    "calls/images/gpu_handler.cc": {"JudgeCanvas": _WORK},
    "engine/engine.cc": {
        "Engine::Await": "log: on stderr, because XLA's threads know no Python; with a timeout, that is the limit",
        "Engine::Stop": "device: its threads end when what they gave to the device is done",
    },
    "engine/engine_groups.cc": {
        "Engine::Take": "idle: a decoding thread without jobs; with jobs it looks every few milliseconds",
        "Engine::TakeForHost": "idle: a decoding thread without jobs",
    },
    "engine/engine_threads.cc": dict.fromkeys(
        ("Await", "DecodeOnHost", "GiveUp", "DecodeOrGiveUp", "Land", "RunCrewThread"), _WORK
    ),
    "gpu_decoding/batch_decoder.cc": dict.fromkeys(("BatchDecoder::DecodeSome", "BatchDecoder::Decode"), _WORK),
    "gpu_decoding/decode_stream.cc": {
        **dict.fromkeys(("DecodeStream::Decode", "DecodeStream::DecodeByNvjpeg", "DecodeStream::Pixels"), _WORK),
        "DecodeStreamLoan::DecodeStreamLoan": "device: calls that have the others give them back when they are done",
        "DecodeStreamLoan::~DecodeStreamLoan": _WORK,
    },
    "gpu_decoding/decode_stream.h": {"Synchronize": _WORK},
    "gpu_decoding/host_pool.cc": {"HostPool::Work": "idle: a thread of a pool without tasks"},
    "gpu_decoding/memory.h": dict.fromkeys(("AwaitDevice", "DoAndAwait"), _WORK),
    "gpu_decoding/parallel_decoder.cc": dict.fromkeys(("Grow", "ParallelDecoder::DecodePart"), _WORK),
    "gpu_decoding/upload.cc": dict.fromkeys(
        ("Upload::~Upload", "Upload::Wait"), "device: copies of a few kilobytes on a stream of their own"
    ),
    "gpu_video/clips_job.cc": {"ClipsJob::Decode": _WORK, "ClipsJob::Await": "limit: its argument"},
    "gpu_video/engine_decoder.cc": {"StatusOf": "limit: a second"},
    "gpu_video/video_engine.cc": {
        "VideoEngine::Work": "idle: a decoding thread without clips",
        "VideoEngine::Stop": "device: its threads end with the clips that they have begun",
        "VideoEngine::Upload": _WORK,
    },
    "handling/gpu_ahead_run.cc": {
        **dict.fromkeys(("Find", "~Reading", "Queue"), _WORK),
        "RunAhead": "log: by `Engine::Await`",
    },
    "handling/gpu_batch_run.cc": {"Decode": _WORK},
    "host/parent_watch.cc": {"WatchParent": "idle: a thread that waits for the end of its parent"},
    "jpeg/walk.h": {"ReadBlocks": "device: warps that have begun before, and wait only for such ones themselves"},
    "ring/ring.cc": {
        "Ring::Wait": "limit: its argument, at most 20 ms",
        "Ring::WaitEvent": "limit: its argument, at most 20 ms",
        "Ring::AwaitClaim": "idle: a worker waits for work, as long as its parent lives",
    },
}


def _waits_in(node: ast.AST, path: str) -> bool:
    """Whether a node by itself is a wait: a call, or a block under a lock."""
    if isinstance(node, ast.With | ast.AsyncWith):
        return any(_LOCK.fullmatch(ast.unparse(item.context_expr)) for item in node.items)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
        return False
    name, called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id, ast.unparse(node.func)
    if {(path, called), ("*", called)} & _OTHERS:
        return False
    if name == "acquire" and any(ast.unparse(keyword) == "blocking=False" for keyword in node.keywords):
        return False
    if name == "get":  # of a queue; others have no such arguments
        return any(keyword.arg in ("block", "timeout") for keyword in node.keywords)
    if name == "result" and isinstance(node.func, ast.Name):
        return False  # some function's, not a future's
    if name == "join":  # of a thread: strings and paths are joined with something
        return isinstance(node.func, ast.Attribute) and all(isinstance(one, ast.Constant) for one in node.args)
    return name in _NAMES


def _nodes(node: ast.AST, owner: str = "", function: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yields the nodes of a file, each with the outermost function that it is in; "" is the file itself."""
    for child in ast.iter_child_nodes(node):
        inside = function
        if not function and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = owner + child.name
        yield inside, child
        yield from _nodes(child, f"{owner}{child.name}." if isinstance(child, ast.ClassDef) else owner, inside)


def waits_of(source: str, path: str) -> dict[str, str]:
    """Returns the functions of a file of jaxdali, at `path` below it, that wait, and the text of its first wait."""
    found: dict[str, str] = {}
    for function, node in _nodes(parsed(source)):
        if _waits_in(node, path):
            found.setdefault(function, ast.unparse(node).splitlines()[0])
    return found


_NATIVE_NAMES = (
    "wait wait_for wait_until join poll ppoll select epoll_wait usleep nanosleep sleep_for pause waitpid flock "
    "FutexWait cudaStreamSynchronize cudaEventSynchronize cudaDeviceSynchronize Synchronize DoAndAwait "
    "AwaitDevice Await AwaitClaim AwaitStartedItems"
)
# A name after a type is declared there, and not called.
_NATIVE = re.compile(rf"(?<!bool )(?<!void )(?<!> )\b(?:{'|'.join(_NATIVE_NAMES.split())})\(")
# The head of a function: at the beginning of a line, or indented within a class if its body begins in that line.
_NO_HEAD = r"(?!#|//|namespace|using|return|if|for|while|switch|class|struct)"
_HEAD = re.compile(rf"^(?:  (?=.*[{{]\s*(?:.*[}}])?$))?{_NO_HEAD}(?=[\w~]).*?([\w:~]+)\(")
_STATEMENT = re.compile(r"^  (?:if|for|while|switch|else|do|try|catch|return|const auto|auto|static)\b")


def native_waits_of(source: str) -> dict[str, str]:
    """Returns the functions of a file of ffi/ that wait, and the first line of each that does."""
    found: dict[str, str] = {}
    function = ""
    for line in source.splitlines():
        code = line.partition("//")[0]
        head = None if _STATEMENT.match(code) else _HEAD.match(code)
        if head is not None:
            function = head[1]
            code = code[head.end() :]  # the name of a function that is being defined is no call
        if _NATIVE.search(code):
            found.setdefault(function, line.strip())
    return found


def wait_faults(found: Mapping[str, Mapping[str, str]], table: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Returns which waits are not in a table, and which entries of it are no waits, or do not say how they end.

    Args:
        found: the functions that wait, by file, and the text of a wait of each.
        table: `WAITS` or `NATIVE_WAITS`.
    """
    faults = []
    for path in sorted({*found, *table}):
        mine, known = found.get(path, {}), table.get(path, {})
        faults += [f"{path}: {name} waits ({mine[name]}) and is in no table" for name in mine if name not in known]
        faults += [f"{path}: {name} does not wait any more" for name in known if name not in mine]
        for name, how in known.items():
            kind, _, words = how.partition(": ")
            if kind not in ("limit", "log", "idle", "device") or not words:
                faults.append(f"{path}: {name} is a limit, in the log, idle or of the device, and how?")
    return faults
