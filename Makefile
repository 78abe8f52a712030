# make demo [IMAGES=FOLDER]   the tutorial's pipelines on generated JPEGs or on yours; writes demo/*.png
# make test [ARGS=...]        the suite, in a process a core; ARGS go to pytest (-n 0: all in one process; -m smoke: only
#                             the smoke tests, which are named in tests/smoke.py)
# make oracles [ARGS=...]     the tests that run NVIDIA's DALI beside jaxdali; installs it, 270 MB
# make ray [ARGS=...]         the tests of workers on a Ray cluster; installs it, 80 MB
# make clouds                 the tests of objects elsewhere with S3's and Google's libraries, and a server of S3; installs them
# make docs                   writes the stubs of operators, and builds the site of the documentation, build/site; a link that leads
#                             nowhere is an error
# make check                  linters, types, formats and the house rules
# make deps                   installs what the system lacks (Debian, Ubuntu)
# make wheel-test             smoke tests on an installed wheel, outside the clone
# make wheels                 builds wheels for old and new Linuxes into dist/, in Debian 12; PYTHONS= and ARCHS= choose
# make cuda-build             builds a wheel with the CUDA module, by NVIDIA's compiler from its wheels, and loads it
# make fuzz [SECONDS=0]       damaged files against parsers, readers and the decoder, with clang's sanitizers: those that are kept,
#                             and then SECONDS of new ones for each of four targets
# make corpora SECONDS=180    the same, and keeps what is new in ffi/tests/corpora.tar.xz
# make clean                  removes everything that make made
#
# What runs when:
#   .ci/run         before a change goes in: test, check, and what a table of inputs says has to run again
#   make test-all   before a release: the suite with what the gate leaves out, on every Python that is here, and all oracles
#   make nightly    that, and what takes hours: half an hour of each fuzz target, clouds, and faults put in on purpose
#
# PYTHON=python3.12 picks another interpreter, for all of them; LIBRARIES=newest installs jax, NumPy and others in their newest
# versions, not in those of .ci/libraries.txt.

PYTHON ?= python3
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)

# python3 has .venv; an interpreter that is named has .venv-3.12 or the like, so that both can stay.
VENV := $(if $(filter python3,$(PYTHON)),.venv,.venv-$(VERSION))
BIN := $(VENV)/bin
# Python files are used where they lie (the install is editable); only these need another install.
BUILD_INPUTS := pyproject.toml CMakeLists.txt .ci/tools.txt .ci/libraries.txt $(shell find ffi -type f -not -path 'ffi/tests/*')
INSTALLED := $(VENV)/installed-$(VERSION)
TOOLS := $(VENV)/tools-$(VERSION)
ORACLES := $(VENV)/oracles-$(VERSION)
RAY := $(VENV)/ray-$(VERSION)
DOCS := $(VENV)/docs-$(VERSION)

# The suite starts a thousand interpreters, and each of them would compile the clone's modules again.
unexport PYTHONDONTWRITEBYTECODE

# The other versions of Python that are here.
OTHERS = $(foreach version,3.12 3.13 3.14,$(if $(filter $(version),$(VERSION)),,$(shell .ci/python_of $(version))))

.PHONY: demo test test-all nightly oracles ray clouds docs check deps install wheels wheel-test cuda-build fuzz corpora clean

demo: install
	@$(BIN)/python examples/demo.py --output demo $(if $(IMAGES),--images "$(IMAGES)")

# What tests compile runs for a moment, and XLA's optimizations take longer than that; without fusion emitters it compiles in two
# thirds of the time. It ends a process for a flag that it does not know, so newer libraries have both. Programs as users have
# them are run by the smoke tests of the installed wheel, and by test-all.
test oracles ray: export JAX_DISABLE_MOST_OPTIMIZATIONS ?= 1
test oracles ray: export XLA_FLAGS ?= $(if $(filter newest,$(LIBRARIES)),,--xla_cpu_use_fusion_emitters=false)
test: install
	@$(BIN)/pytest -n auto --dist worksteal -m "not dali" $(ARGS)

test-all: export XLA_FLAGS :=
test-all:
	$(MAKE) test ARGS=--thorough
	$(foreach python,$(OTHERS),$(MAKE) test PYTHON=$(python) ARGS=--thorough &&) true
	JAX_DISABLE_MOST_OPTIMIZATIONS=0 $(MAKE) oracles ARGS=--thorough

nightly: test-all check
	$(MAKE) fuzz SECONDS=1800
	$(MAKE) clouds
	$(MAKE) ray ARGS=--thorough
	$(BIN)/python tests/guard/run.py mutations --count 10 --seed $(shell date +%Y%m%d)
	$(BIN)/python tests/guard/run.py fixes

oracles: $(ORACLES)
	@JAXDALI_REQUIRE_DALI=1 $(BIN)/pytest -n 2 --dist worksteal -m dali tests/oracles tests/programs $(ARGS)

ray: $(RAY)
	@JAXDALI_REQUIRE_RAY=1 $(BIN)/pytest -n 0 tests/remote $(ARGS)

clouds: install
	@.ci/clouds $(PYTHON) $(VENV)

# A newer pyright is nobody's business here; without this it asks the network for one.
check: export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
check: install $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	find ffi -name '*.cc' -o -name '*.h' -o -name '*.cu' | xargs $(BIN)/clang-format --dry-run -Werror
	$(BIN)/zizmor --offline --quiet .github/workflows
	$(BIN)/pytest -q tests/test_house.py tests/test_native_house.py

# Its theme tells of its successor each time, in colors.
docs: export NO_MKDOCS_2_WARNING := 1
docs: install $(DOCS)
	@$(BIN)/python docs/generate.py
	@rm -f docs/operators.md docs/names.md # where they lay before there was a site, which has them without files
	@$(BIN)/mkdocs build --strict --quiet

deps:
	@.ci/deps install $(PYTHON)

install: $(INSTALLED)

$(INSTALLED): $(BUILD_INPUTS)
	@.ci/deps check $(PYTHON)
	@LIBRARIES=$(LIBRARIES) .ci/install $(PYTHON) $(VENV)
	@touch $@

$(TOOLS): $(INSTALLED)
	@.ci/install_extra $(PYTHON) $(VENV) dev
	@touch $@

$(ORACLES): $(INSTALLED)
	@.ci/install_extra $(PYTHON) $(VENV) oracles
	@touch $@

$(RAY): $(INSTALLED)
	@.ci/install_extra $(PYTHON) $(VENV) ray
	@touch $@

$(DOCS): $(INSTALLED)
	@.ci/install_extra $(PYTHON) $(VENV) docs
	@touch $@

wheel-test:
	@LIBRARIES=$(LIBRARIES) .ci/wheel_test $(PYTHON)

wheels:
	@PYTHONS="$(PYTHONS)" ARCHS="$(ARCHS)" .ci/wheels/build $(PYTHON)

cuda-build:
	@.ci/cuda_build $(PYTHON)

SECONDS ?= 0
fuzz: install
	@.ci/fuzz $(BIN)/python $(SECONDS)

corpora: fuzz
	@.ci/keep_corpora

clean:
	rm -rf .venv .venv-* build dist demo .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
