"""Which source the branches of functions are taken from."""

from __future__ import annotations

import importlib
import re

import pytest
from test_conditionals import counted, run


@pytest.mark.parametrize("later", ["x * 777", None, "x * 10\n    # shifted"])
def test_a_function_that_was_edited_after_its_import_says_so(later, tmp_path, monkeypatch):
    """The code that was imported is the code that runs; its branches cannot be found in another source."""
    text = "{}def process(x):\n    if x > 2:\n        x = {}\n    return x\n"
    file = tmp_path / f"edited_{abs(hash(later))}.py"
    file.write_text(text.format("", "x * 10"))
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module(file.stem)
    shifted = later is not None and "shifted" in later
    file.write_text(text.format("K = 5\n" if shifted else "", later)) if later else file.unlink()
    words = "source is available" if later is None else rf"{re.escape(str(file))} is not what was imported"
    with pytest.raises(TypeError, match=words):
        run(lambda: module.process(counted()))
    if later is not None:
        importlib.reload(module)
        assert run(lambda: module.process(counted()))[0][:3] == [0, 1, 2]


@pytest.mark.parametrize("count", [21, 200])
def test_chains_of_any_length(count, tmp_path, monkeypatch):
    chain = [f"    elif kind == {k}:\n        r = x * {k} if x > 2 else x\n" for k in range(1, count)]
    early = [f"    if kind == {k}:\n        return x * {k}\n    x = x + 0\n" for k in range(count - 1)]
    file = tmp_path / f"chains_{count}.py"
    file.write_text(
        f"def chain(x, kind={count - 1}):\n    if kind == 0:\n        r = x\n{''.join(chain)}    return r\n\n\n"
        f"def early(x, kind=-1):\n{''.join(early)}    if x > 2:\n        return x * 10\n    return x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module(file.stem)
    assert run(lambda: (module.chain(counted()), module.early(counted()))) == [
        [0, 1, 2, 3 * (count - 1)],
        [0, 1, 2, 30],
    ]
