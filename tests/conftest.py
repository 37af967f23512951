"What takes longest begins first, so that no worker is left alone with it at the end."

import gc

import pytest

LONG = "experiments run compose ranks site training folders environment vllm processes".split()


def pytest_collection_modifyitems(items):
    order = {f"test_{name}": at for at, name in enumerate(LONG)}
    items.sort(key=lambda item: order.get(item.path.stem, len(LONG)))  # within a file as they are


@pytest.fixture(autouse=True, scope="module")
def imported():
    "What a file has imported is no longer looked at when a training collects what is not used."
    gc.collect()
    gc.freeze()
