"""Pages are tests too, and what takes longest begins first.

A page runs as with `nbdev_test`; what its cells change of the process is as before afterwards.
"""

import atexit
import gc
import io
import os
import sys
from contextlib import contextmanager, redirect_stderr
from unittest.mock import patch

import pytest
from nbdev.config import get_config
from nbdev.doclinks import nbglob

# jsonschema asks for it, and papermill for that; the grammar that it builds at import takes 2 s.
sys.modules["rfc3987_syntax"] = None

config = get_config()
pages = {path.resolve() for path in nbglob(as_path=True)}

# In this order, so that no worker is left alone with one of them at the end.
LONG = """test_experiments test_site test_run test_ranks test_training collapse_runs pipeline
verifier_suite folders test_compose written farming speed test_install test_folders
test_environment test_vllm grpo demonstrations callbacks ranks cli ask test_processes""".split()


def pytest_collection_modifyitems(items):
    order = {stem: at for at, stem in enumerate(LONG)}
    items.sort(key=lambda item: order.get(item.path.stem, len(LONG)))  # within a file as they are


def pytest_collect_file(file_path, parent):
    if file_path in pages:
        return Page.from_parent(parent, path=file_path)


class Page(pytest.File):
    def collect(self):
        yield Cells.from_parent(self, name="cells")


class PageFailed(Exception):
    "What nbdev says of a cell that failed: its page, its number, and the traceback."


class Cells(pytest.Item):
    "The cells of a page, from first to last; those with `#| eval: false` or `#| slow` are skipped."

    def runtest(self):
        from nbdev.test import test_nb  # IPython, which a run of other tests does not need

        flags, said = config.tst_flags.split(), io.StringIO()
        with as_before(), redirect_stderr(said):
            passed, seconds = test_nb(self.path, skip_flags=flags, basepath=config.config_path)
        if not passed:
            raise PageFailed(said.getvalue())
        if not seconds:  # `skip_exec: true` in its first cell
            pytest.skip("needs packages of its own: make test-extra")

    def repr_failure(self, excinfo):
        if excinfo.errisinstance(PageFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, self.path.relative_to(config.nbs_path).as_posix()


@contextmanager
def as_before():
    "What a page changes of the process is afterwards as it was, and its objects are freed."
    import matplotlib.pyplot as plt
    from IPython.core.interactiveshell import InteractiveShell

    main = sys.modules["__main__"]
    try:
        with patch.dict(os.environ), patch.object(sys, "path", [*sys.path]), plt.rc_context():
            yield
    finally:
        plt.close("all")
        plt.switch_backend("agg")
        sys.modules["__main__"] = main
        shell, InteractiveShell._instance = InteractiveShell._instance, None
        if shell:
            atexit.unregister(shell.atexit_operations)
        stopped = isinstance(getattr(shell, "exc", None), KeyboardInterrupt)
        del shell
        collect()
    if stopped:
        raise KeyboardInterrupt


@pytest.fixture(autouse=True, scope="module")
def imported():
    "What a file has imported is no longer looked at when a training collects what is not used."
    collect()


def collect():
    gc.collect()
    gc.freeze()
