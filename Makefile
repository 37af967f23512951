# make          what there is
# Everything runs in .venv, which is made when it is missing and brought up to date
# when pyproject.toml or constraints.txt changed.

PYTHON   ?= python3
PROFILE  ?= cpu
DATA     ?=
ARGS     ?=
PIP_ARGS ?=
WORKERS  ?= 2

# Some systems set it; then each process of the tests compiles the package anew.
export PYTHONDONTWRITEBYTECODE :=

BIN       := .venv/bin
INSTALLED := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help train test test-extra test-lowest test-newest test-colab docs paper play readme data dist clean

help:
	@echo "make train [PROFILE=cpu]   train an agent and show what it learned"
	@echo "                           profiles: $(patsubst nbs/profiles/%.yml,%,$(wildcard nbs/profiles/*.yml))"
	@echo "           [DATA=data/shop]    on a data folder of yours: see sqlenv data add --help"
	@echo "make test                  notebooks and package agree, notebooks are clean, all tests pass"
	@echo "make test-extra EXTRA=…    the pages of $(EXTRAS), each in an environment of its own"
	@echo "make test-lowest           the same tests with the oldest versions that pyproject.toml allows;"
	@echo "                           test-newest: with the newest"
	@echo "make test-colab FREEZE=…   the notebooks with a badge on Colab's packages, from its list of them"
	@echo "make docs                  the site, in _docs"
	@echo "make paper                 paper/price_of_an_answer.pdf, of kept results; needs Quarto"
	@echo "make play [RUN=runs/cpu]   the files of the page Play, with RUN those of its models, too; needs npm"
	@echo "make readme                README.md from nbs/index.ipynb"
	@echo "make dist                  the files of a release, in dist"
	@echo "make data                  build the databases and their questions again"
	@echo "make clean                 remove what can be made again, but for .venv and runs"
	@echo
	@echo "ARGS=\"--set seed=1\"        more for the command that a target runs; make test ARGS=\"-k sandbox\" runs some tests"
	@echo "PYTHON=python3.12          the Python that .venv is made with (3.11 or newer)"
	@echo "PIP_ARGS=\"--no-index\"      more for pip install"

train: $(INSTALLED)
	@$(BIN)/sqlenv train --profile $(PROFILE) $(if $(DATA),--data $(DATA)) $(ARGS)

# Every file that nbdev and nbconvert may write, with its checksum.
CHECKSUMS := find README.md nbs sqlenv -type f ! -path '*/.*' ! -name '*.pyc' -exec cksum {} +
KEPT := find data -type f -exec cksum {} +

# Pages and files of tests in one pool; conftest.py makes tests of the pages and says what begins first.
OFFLINE  := HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1
TOGETHER := -n $(WORKERS) --dist loadfile --no-loadscope-reorder --durations=40 --durations-min=3

test: $(INSTALLED)
	@$(BIN)/ruff format --check --quiet conftest.py nbs tests tools || { echo "Not formatted; mend with: $(BIN)/ruff format conftest.py nbs tests tools"; exit 1; }
	@$(BIN)/ruff check --quiet --output-format concise conftest.py nbs tests tools || { echo "Some of it is mended by: $(BIN)/ruff check --fix conftest.py nbs tests tools"; exit 1; }
	@$(CHECKSUMS) > .venv/before
	@$(BIN)/nbdev_export && $(BIN)/nbdev_clean && $(MAKE) --silent readme
	@$(CHECKSUMS) | diff .venv/before - > .venv/changed || { \
		echo "These files did not agree with their notebooks, or were not clean:"; \
		sed -n 's/^[<>] [0-9]* [0-9]* /  /p' .venv/changed | sort -u; \
		echo "They do now: look at the changes, then run make test again."; exit 1; }
	@echo "Notebooks, package and README.md agree. Now all tests; this takes some minutes."
	@$(KEPT) > .venv/before
	@$(OFFLINE) $(BIN)/pytest $(TOGETHER) $(ARGS)
	@$(KEPT) | diff .venv/before - || { echo "Tests have changed these files of data/; they have to write to copies."; exit 1; }
	@echo "Skipped, as they need packages of their own (make test-extra): $(foreach extra,$(EXTRAS),$(PAGES_$(extra)))"

# What cannot be installed beside the packages of training; make test skips these.
PAGES_inspect   := nbs/integrations/inspect_task.ipynb
PAGES_serve     := nbs/integrations/openenv.ipynb nbs/integrations/mcp.ipynb tests/test_openenv.py tests/test_served_training.py
WITH_serve      := train,
PAGES_skyrl     := nbs/integrations/skyrl.ipynb
PAGES_track     := tests/test_trackers.py
PAGES_verifiers := nbs/integrations/verifiers_taskset.ipynb
EXTRAS := $(patsubst PAGES_%,%,$(sort $(filter PAGES_%,$(.VARIABLES))))

test-extra: .venv-$(EXTRA)/.installed
	@for page in $(PAGES_$(EXTRA)); do echo $$page; \
	case $$page in *.py) .venv-$(EXTRA)/bin/pytest $$page;; *) .venv-$(EXTRA)/bin/exec_nb $$page --exc_stop;; esac || exit 1; done

# uv chooses versions for what pyproject.toml asks for itself; the tools of `dev` are as new as these allow.
test-lowest: CHOICE := --resolution lowest-direct
test-newest: CHOICE := --resolution highest --extra dev
test-lowest test-newest: test-%:
	@test -x .venv-$*/bin/uv || { $(PYTHON) -m venv .venv-$* && .venv-$*/bin/python -m pip install --quiet uv; }
	@cd .venv-$* && bin/uv pip compile --quiet --upgrade $(CHOICE) --extra train --extra eval ../pyproject.toml -o versions.txt
	@.venv-$*/bin/uv pip install --quiet --python .venv-$*/bin/python -c .venv-$*/versions.txt -e ".[train,eval,dev]"
	@$(OFFLINE) .venv-$*/bin/pytest $(TOGETHER) $(ARGS)

# The list is pip-freeze.gpu.txt of https://github.com/googlecolab/backend-info; COLAB_PYTHON names a Python of Colab's version.
test-colab: $(INSTALLED)
	@test -f "$(FREEZE)" || { echo "Name Colab's list of packages: make test-colab FREEZE=pip-freeze.gpu.txt"; exit 1; }
	@COLAB_FREEZE=$(abspath $(FREEZE)) HF_HUB_OFFLINE=1 $(BIN)/pytest -s tests/test_colab.py

data: $(INSTALLED)
	@$(BIN)/sqlenv data build $(ARGS)

readme: $(INSTALLED)
	@rm -f nbs/figures/README_*
	@$(BIN)/jupyter nbconvert nbs/index.ipynb --to markdown --template-file nbs/readme.md.j2 --no-input \
		--output-dir . --output README --NbConvertApp.output_files_dir=nbs/figures --log-level ERROR

# What the page Play downloads: npm brings its editor and its tokenizer, Python packs the rest.
play: $(INSTALLED)
	@cd nbs/play && npm ci --ignore-scripts --no-audit --no-fund --silent && npm run --silent build
	@TRL_EXPERIMENTAL_SILENCE=1 $(BIN)/python -W ignore -m tools.play_page $(if $(RUN),--run $(RUN))

# nbdev_docs would install Quarto with sudo and write README.md by its own rules, so its steps stand here.
# They find tools/site.py, which settings.ini names, by PYTHONPATH.
docs: $(INSTALLED)
	@if command -v npm > /dev/null; then $(MAKE) --silent play; else echo "There is no npm, so the page Play is built without what it downloads, and says so."; fi
	@PYTHONPATH=. $(BIN)/python -W ignore -c "from nbdev.quarto import refresh_quarto_yml; refresh_quarto_yml(); from nbdev.serve import proc_nbs; proc_nbs('nbs', n_workers=0, skip_folder_re='^([_.]|node_modules$$)')"
	@if command -v quarto > /dev/null; then cd _proc && quarto render --no-cache && rm -rf ../_docs && mv _docs .. && cd .. && $(BIN)/python -m tools.search_index _docs/search.json && echo "The site is in _docs"; \
	else echo "The pages are in _proc; to make a site of them get Quarto: https://quarto.org/docs/get-started"; fi

paper:
	@command -v quarto > /dev/null || { echo "The paper is set by Quarto: https://quarto.org/docs/get-started"; exit 1; }
	@cd paper && quarto render price_of_an_answer.qmd --quiet && echo "The paper is paper/price_of_an_answer.pdf"

# GITHUB_REF_NAME is the tag where a release is made.
dist: $(INSTALLED)
	@rm -rf dist && $(BIN)/python -m build --outdir dist . > /dev/null
	@version=$$($(BIN)/python -c "import sqlenv; print(sqlenv.__version__)"); ls dist; \
	case "$${GITHUB_REF_NAME:-v$$version}" in v$$version) ;; *) echo "The tag $$GITHUB_REF_NAME is not v$$version, the version of settings.ini"; exit 1;; esac

clean:
	rm -rf _proc _docs build dist *.egg-info nbs/nbdev.yml nbs/play/assets .hypothesis
	find nbs sqlenv tests tools -name __pycache__ -o -name .ipynb_checkpoints | xargs rm -rf

.venv-%/.installed: pyproject.toml constraints-%.txt
	@test -x .venv-$*/bin/python || $(PYTHON) -m venv .venv-$*
	@echo "Installing into .venv-$*; this happens once and takes some minutes."
	@.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) -c constraints-$*.txt -e ".[$(WITH_$*)$*,notebooks]"
	@touch $@

.venv-/.installed:
	@echo "Which extra? make test-extra EXTRA=NAME, with one of: $(EXTRAS)"; exit 1

$(INSTALLED): pyproject.toml constraints.txt
	@command -v $(PYTHON) > /dev/null || { echo "$(PYTHON) is not there: install Python 3.11 or newer, or name yours: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and "SQLEnv needs Python 3.11 or newer and $(PYTHON) is %d.%d: name a newer one, as in make PYTHON=python3.12" % v[:2])'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { rm -rf .venv; echo "$(PYTHON) cannot make a virtual environment: on Debian and Ubuntu, apt install python3-venv"; exit 1; }
	@echo "Installing into .venv; this happens once and takes some minutes."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) -c constraints.txt -e ".[train,dev]"
	@touch $@
