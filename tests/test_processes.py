"""What several processes do together is what one does alone: data, demonstrations, evaluations."""

from dataclasses import asdict, replace

import pytest

from sqlenv.data import embedded_folder, load_questions
from sqlenv.datasets.databases import is_generated
from sqlenv.sft import start_model, training_folder
from sqlenv.training.config import from_dict
from sqlenv.training.demonstrations import CLEAN, Habits, demonstrate, in_processes
from sqlenv.training.record import data_hash


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    "The data folder of a run, made by one process and by two"
    room, small = (
        tmp_path_factory.mktemp("data"),
        from_dict(dict(generated=6, per_database=2, composed=3)),
    )
    return [training_folder(replace(small, processes=n), room / str(n)) for n in (1, 2)]


@pytest.fixture(scope="module")
def made(folders):
    "The questions about generated databases"
    return [q for q in load_questions("train", folders[0]) if is_generated(q.db_id)]


def test_a_data_folder_is_the_same_to_the_byte(folders, made):
    one, two = map(data_hash, folders)
    assert one == two
    assert len({q.db_id for q in made}) == 6


@pytest.mark.parametrize("habits", [Habits(), CLEAN], ids=["habits", "clean"])
def test_demonstrations_are_the_same_to_the_letter(folders, made, habits):
    one, two = (demonstrate(made, folders[0], habits, seed=1, processes=n) for n in (1, 2))
    assert one[0] == two[0]
    assert [e.correct for e in one[1]] == [e.correct for e in two[1]]


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    "Evaluations of a model without training: four questions of two splits, greedy and sampled"
    run = tmp_path_factory.mktemp("run")
    (run / "data").symlink_to(embedded_folder())
    small = from_dict(
        dict(
            model="tiny",
            hidden=64,
            vocab=400,
            max_new_tokens=24,
            max_completion=120,
            eval_n=4,
            threads=1,
        )
    )
    for part in start_model(small, demonstrate(load_questions("dev")[:6])[0]):
        part.save_pretrained(run / "sft")
    ways = [(split, greedy) for split in ("eval", "unseen") for greedy in (True, False)]
    return [(run, "sft", *way, asdict(small)) for way in ways]


def played(jobs, processes):
    "What was measured, and every action"
    return [
        e.to_dict() | dict(said=[[str(t.action) for t in x.turns] for x in e.episodes])
        for e, _ in in_processes("sqlenv.analysis.measure_saved", jobs, processes)
    ]


def test_evaluations_are_the_same_in_every_action(jobs):
    here = played(jobs, 1)
    assert here == played(jobs, 2)
    assert [(r["policy"], r["split"], len(r["said"])) for r in here] == [
        ("sft", s, 4) for s in ("eval", "unseen") for _ in (1, 2)
    ]
