"""The site of the documentation: what is made for it, without the tools that draw it. `make docs` checks what they drew."""

from __future__ import annotations

import csv
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import house_rules
import public_api
import pytest

from jaxdali._base.documentation import page_url

sys.path.insert(0, str(house_rules.ROOT / "docs/site"))

import api_pages
import checked
import clone_pages
import code_links

DOCS = house_rules.ROOT / "docs"


def test_every_public_name_stands_on_a_page():
    pages, lost = api_pages.pages(), []
    for name, _ in public_api.public_objects():
        page, anchor = api_pages.addresses()[name]
        text = pages.get(page, "")
        # Those of operators have pages of their own; of others a docstring is put there, or a row of a table has an anchor.
        row = "".join(pages[f"api/{door}.md"] for door in ("fn", "ops"))
        if page.startswith("api/"):
            owner = re.escape(anchor.rpartition(".")[0])
            found = re.search(rf"^::: ({re.escape(anchor)}|{owner})$", text, re.M) or f"{{ #{anchor} }}" in text
        else:
            found = f"{{ #{name} }}[`{name.removeprefix('jaxdali.')}`]" in row
        lost += [] if found else [name]
    assert lost == [] and len(pages) > 25


def test_every_module_is_listed():
    index = api_pages.pages()["api/index.md"]
    listed = {*re.findall(r"\[`(jaxdali[\w.]*)`\]\((.*)\.md\)", index)}
    assert {page for _, page in listed} >= {"jaxdali", "image", "source", "fn", "ops", "plugin.jax.clu"}
    assert all(f"api/{page}.md" in api_pages.pages() for _, page in listed)


def test_a_thing_with_several_names_is_described_once():
    homes = api_pages.homes()
    assert homes["jaxdali.image.EncodedBatch"] == "jaxdali.EncodedBatch" == homes["jaxdali.EncodedBatch"]
    assert homes["jaxdali.ConfigError"] == "jaxdali.errors.ConfigError"
    assert "\n::: jaxdali.EncodedBatch\n" not in api_pages.pages()["api/image.md"]
    assert "{ #jaxdali.image.EncodedBatch }" in api_pages.pages()["api/image.md"]


@pytest.mark.parametrize(
    ("code", "href"),
    [
        ("jaxdali.image.resize", "../image/#jaxdali.image.resize"),
        ("jaxdali.random.split(keys, 2)", "#jaxdali.random.split"),
        ("jaxdali.Loader.stats", "../Loader/#jaxdali.Loader.stats"),
        ("jaxdali.image.EncodedBatch", "../jaxdali/#jaxdali.EncodedBatch"),
        ("jaxdali.image", "../image/"),
    ],
)
def test_names_that_stand_as_code_are_links(code, href):
    shown = f"<p>see <code>{code}</code></p>"
    linked = f'<p>see <a href="{href}"><code>{code}</code></a></p>'
    assert code_links.with_code_linked(shown, "api/random/") == linked
    assert code_links.with_code_linked(linked, "api/random/") == linked
    assert code_links.with_code_linked(f"<pre>{shown}</pre>", "api/random/") == f"<pre>{shown}</pre>"


def test_other_code_is_no_link():
    for code in ("jaxdali.nothing", "resize", "jaxdali bench train/", "jaxdali.image.nothing"):
        assert code_links.with_code_linked(f"<code>{code}</code>", "loader/") == f"<code>{code}</code>"
    assert 'href="../operators/' in code_links.with_code_linked("<code>fn.resize(x)</code>", "loader/")


def test_links_to_files_of_the_clone_lead_to_pages():
    text = "[a](docs/loader.md#x) [b](SECURITY.md) [`c`](tests/test_docs.py) [d](https://e.org)\n```\n[f](docs/loader.md)\n```\n"
    told = clone_pages.with_links_of_the_site(text, "changelog.md")
    assert told == "[a](loader.md#x) [b](security.md) `c` [d](https://e.org)\n```\n[f](docs/loader.md)\n```\n"
    text = "[a](../../ffi/base/threads.h) [b](ring.md) [c](../../CHANGELOG.md)"
    told = clone_pages.with_links_of_the_site(text, "design/images.md")
    assert told == "`a` [b](ring.md) [c](../changelog.md)"
    assert "(examples/recipes.md)" in clone_pages.with_links_of_the_site("[a](../examples/recipes.py)", "loader.md")
    assert {"changelog.md", "security.md", "examples/index.md", "examples/recipes.md"} <= clone_pages.pages().keys()


def test_a_site_that_does_not_hold_together_is_found(tmp_path):
    for page in ("", "loader", "versions"):
        (tmp_path / page).mkdir(exist_ok=True)
        (tmp_path / page / "index.html").write_text("<h2 id=here>")
    (tmp_path / "loader/index.html").write_text(
        '<h2 id="there"></h2><script src="https://cdn.org/x.js"></script><a href="../"></a><a href="#there"></a>'
        '<a href="../#here"></a><a href="../#gone"></a><a href="../nowhere/"></a><a href="https://e.org/nowhere"></a>'
    )
    found = [fault for fault in checked.faults(tmp_path) if fault.startswith("loader")]
    assert found[0] == "loader/index.html loads something from another host"
    assert sorted(found[1:]) == [
        "loader/index.html links to ../#gone, which is nowhere",
        "loader/index.html links to ../nowhere/, which is nowhere",
    ]
    others = [fault for fault in checked.faults(tmp_path) if not fault.startswith("loader")]
    assert "jaxdali.image.resize stands on no page: api/image/#jaxdali.image.resize" in others
    assert any(one.endswith("tells of versions#what-is-saved, which is nowhere") for one in others)
    assert any(one.endswith("tells of names#, which is nowhere") for one in others)


def test_plots_and_tables_of_benchmarks_have_their_numbers():
    described = tomllib.loads((DOCS / "benchmarks/plots.toml").read_text())
    pages = [path.read_text() for path in (DOCS / "benchmarks").glob("*.md")]
    marks = re.findall(r"<!-- (plot|numbers) (\S+) -->", "".join(pages))
    files = {path.name: path for path in (DOCS / "benchmarks/data").iterdir()}
    assert {name for kind, name in marks if kind == "plot"} == described.keys()
    assert {name for kind, name in marks if kind == "numbers"} == files.keys()
    for name, path in files.items():
        head, *rows = csv.reader(path.read_text().splitlines())
        assert len({*head}) == len(head) and rows and all(len(row) == len(head) for row in rows), name
    assert all("python benchmarks/" in page or page.startswith("# Benchmarks\n") for page in pages)


def test_the_site_is_where_errors_say():
    config = (house_rules.ROOT / "mkdocs.yml").read_text()
    (base,) = re.findall(r"^site_url: (\S+)$", config, re.M)
    (version,) = re.findall(r"version: \{ provider: mike, default: (\w+),", config)
    assert page_url("names") == f"{base}{version}/names/"
    assert f"set-default {version}" in (house_rules.ROOT / ".ci/docs_version").read_text()


@pytest.mark.parametrize(
    ("ref", "tags", "told"),
    [
        ("main", "", ["deploy --update-aliases latest stable", "set-default stable", "list"]),
        ("main", "v0.1.0", ["deploy --update-aliases latest", "list"]),
        ("v0.1.0", "v0.1.0", ["deploy --update-aliases 0.1 stable", "set-default stable", "list"]),
        ("v0.1.1", "v0.1.0 v0.1.1 v0.10.0 v0.2.0", ["deploy --update-aliases 0.1", "list"]),
        (
            "v0.10.0",
            "v0.1.0 v0.1.1 v0.10.0 v0.2.0",
            ["deploy --update-aliases 0.10 stable", "set-default stable", "list"],
        ),
        ("elsewhere", "", []),
    ],
)
def test_a_version_has_a_site_of_its_own(ref, tags, told, tmp_path):
    """The newest tag is the stable one; until there is a tag, what is on main is."""
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@localhost"]
    subprocess.run([*git[:3], "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    for tag in tags.split():
        subprocess.run([*git, "tag", tag], check=True)
    (tmp_path / ".ci").mkdir()
    shutil.copy(house_rules.ROOT / ".ci/docs_version", tmp_path / ".ci")
    (tmp_path / "bin").mkdir()
    notes, mike = tmp_path / "notes", tmp_path / "bin/mike"
    notes.touch()
    mike.write_text(f'#!/bin/sh\necho "$*" >>"{notes}"\n')
    mike.chmod(0o755)
    done = subprocess.run([tmp_path / ".ci/docs_version", str(tmp_path), ref], capture_output=True, text=True)
    assert notes.read_text().splitlines() == told
    assert (done.returncode == 0) == bool(told), done.stderr


def test_readme_is_a_page():
    text = (house_rules.ROOT / "README.md").read_text()
    assert text.count("\n") <= 120
    (picture,) = re.findall(r"!\[.+\]\((.+)\)", text)
    assert pathlib.Path(house_rules.ROOT, picture).is_file()
