"""What the page Play downloads: an archive that needs nothing else, weights that come back."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import asdict

import numpy as np
import pytest
from safetensors.numpy import load
from transformers import AutoModelForCausalLM

from sqlenv.data import DataError, data_folder, load_questions
from sqlenv.training.config import TrainConfig
from sqlenv.training.models import quiet, tiny_model, tiny_tokenizer
from sqlenv.training.record import data_hash, write_record
from tools.play_page import (
    MODELS,
    PAGE_SPLITS,
    STORED,
    in_float32,
    needed_modules,
    pack_weights,
    page_results,
    rounded,
    spread,
    unpack_weights,
    write_archive,
    write_models,
)
from tools.play_page import main as play_page


def test_the_page_needs_four_packages():
    packages = {name.split("/")[0] for name in needed_modules()}
    assert packages == {"fastcore", "sqlenv", "sqlglot", "yaml"}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    out = tmp_path_factory.mktemp("page")
    assert play_page(["--out", str(out)]) == 0
    return out / "assets" / "sqlenv.zip"


def test_the_same_files_make_the_same_archive(archive, tmp_path):
    size = write_archive(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()
    assert size == archive.stat().st_size


ALONE = """
import sys
sys.path = [sys.argv[1]] + [p for p in sys.path if "site-packages" not in p]
from sqlenv import SQLEnvironment, OraclePolicy
from sqlenv.policies import rollout
env = SQLEnvironment(marks=True)
asked = env.questions("eval")[::40] + env.questions("unseen")[::40]
print(sum(rollout(env, OraclePolicy(), q).correct for q in asked) == len(asked), env.box.path)
from page_environment import BrowserEnvironment
BrowserEnvironment().catalogue()
"""


def test_unpacked_elsewhere_the_oracle_is_right_there(archive, tmp_path):
    alone = tmp_path.resolve() / "alone"
    shutil.unpack_archive(archive, alone)
    outside = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SQLENV_DATA")}
    done = subprocess.run(
        [sys.executable, "-S", "-c", ALONE, str(alone)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=outside,
    )
    assert done.stderr == ""
    assert done.stdout.startswith(f"True {alone}")


@pytest.fixture(scope="module")
def drawn():
    return np.random.default_rng(0).normal(0, 0.05, 100_000).astype("float32")


def test_packed_weights_are_smaller_and_come_back(drawn):
    packed = pack_weights(drawn.tobytes())
    assert unpack_weights(packed) == drawn.tobytes()
    assert len(packed) < len(gzip.compress(drawn.tobytes())) < drawn.nbytes
    with pytest.raises(DataError, match="multiple of four"):
        pack_weights(b"12345")


def as_file(numbers, kind="F32"):
    "A safetensors file with one tensor"
    about = dict(dtype=kind, shape=[numbers.size], data_offsets=[0, numbers.nbytes])
    header = json.dumps(dict(weight=about)).ljust(120).encode()
    return len(header).to_bytes(8, "little") + header + numbers.tobytes()


def test_rounding_changes_little_and_packs_better(drawn):
    less = rounded(as_file(drawn))
    error = np.abs(np.frombuffer(less[128:], "float32") / drawn - 1).max()
    assert less[:128] == as_file(drawn)[:128]
    assert 2**-17 < error <= 2**-16
    assert rounded(less) == less
    assert len(pack_weights(less)) < len(pack_weights(as_file(drawn)))
    with pytest.raises(DataError, match="these are BF16"):
        rounded(as_file(drawn, "BF16"))


def test_some_of_a_list_lie_equally_far_from_each_other():
    assert spread(list(range(25)), 3) == [0, 8, 16]
    assert spread([1, 2], 3) == [1, 2]


@pytest.fixture
def run(tmp_path):
    "A run with two models that know nothing"
    quiet()
    run, tokenizer = tmp_path / "run", tiny_tokenizer(["SELECT name FROM books"], 300)
    for name in MODELS:
        tiny_model(tokenizer, hidden=32, head_dim=16, induction=False).save_pretrained(run / name)
        tokenizer.save_pretrained(run / name)
    made = dict(command="sqlenv train", started="today", commit="none", profile="ci")
    write_record(run, made | dict(config=asdict(TrainConfig(max_new_tokens=8))))
    return run


def test_the_page_gets_weights_settings_and_episodes(run, tmp_path):
    out = tmp_path / "models"
    write_models(run, out)
    settings, episodes = (
        json.loads((out / name).read_text(encoding="utf-8"))
        for name in ("agent.json", "episodes.json")
    )
    for name in MODELS:
        packed = (out / f"{name}.gz").read_bytes()
        whole = in_float32(run / name / "model.safetensors")
        assert unpack_weights(packed) == rounded(whole)
        assert settings["bytes"][name] == len(packed)
    assert settings["models"] == MODELS
    assert settings["run"]["commit"] == "none" and settings["sampling"]["max_new_tokens"] == 8
    for played in episodes.values():
        assert len(played) == STORED * len(PAGE_SPLITS)
        assert all(0 < len(t["writes"]) <= t["room"] for e in played for t in e["turns"])


def test_the_model_that_a_run_began_with_is_offered_too(run, tmp_path):
    "In float32, although it ships in float16"
    began, record = tmp_path / "began", json.loads((run / "run.json").read_text())
    model = AutoModelForCausalLM.from_pretrained(run / "sft").half()
    model.save_pretrained(began)
    shutil.copy(run / "sft" / "tokenizer.json", began)
    record["config"]["model"] = str(began)
    write_record(run, record)
    write_models(run, tmp_path / "models")
    settings = json.loads((tmp_path / "models" / "agent.json").read_text(encoding="utf-8"))
    assert list(settings["models"]) == ["base", "sft", "grpo"]
    weights = load(unpack_weights((tmp_path / "models" / "base.gz").read_bytes()))
    assert {part.dtype.name for part in weights.values()} == {"float32"}


@pytest.fixture
def results(tmp_path):
    "The results of a run in which both models are right once, and on one question each twice"
    records, ids = [], [q.question_id for q in load_questions("eval")]
    for model, best in dict(sft=ids[7], grpo=ids[3]).items():
        for split in (*PAGE_SPLITS, "written"):
            for mode in ("greedy", "sampled"):
                right = defaultdict(str)
                for q in sorted(load_questions(split), key=lambda q: q.question_id):
                    right[q.db_id] += str(int(q.question_id == best))
                records.append(dict(policy=model, split=split, mode=mode, right=right))
                records[-1] |= dict(success=0.25, n=8)
    write_record(tmp_path, dict(data=data_hash(data_folder())))
    (tmp_path / "eval.json").write_text(json.dumps(records))
    return tmp_path, ids[7], ids[3]


def test_the_page_offers_the_questions_on_which_its_models_differ(results, tmp_path):
    folder, before, after = results
    found = page_results(folder, tmp_path / "models", [tmp_path / "eval.json"])
    expected = {before: dict(sft=2, grpo=0), after: dict(sft=0, grpo=2)}
    assert {q["id"]: q["right"] for q in found["differ"]} == expected
    assert [(part["right"], part["n"]) for part in found["success"]] == [(2, 8)] * 2
    assert found["models"] == [] and found["bytes"] > 100


def test_results_of_other_questions_offer_none(results, tmp_path):
    write_record(results[0], dict(data="another hash"))
    assert page_results(results[0], tmp_path, [])["differ"] == []


def test_models_that_differ_in_more_than_weights_are_refused(run, tmp_path):
    (run / "grpo" / "tokenizer.json").write_text("{}")
    with pytest.raises(DataError, match="differ in tokenizer.json"):
        write_models(run, tmp_path / "models")


def test_a_run_without_models_is_refused(tmp_path, capsys):
    with pytest.raises(DataError, match="has no model sft"):
        write_models(tmp_path, tmp_path / "models")
    assert play_page(["--run", str(tmp_path), "--out", str(tmp_path)]) == 1
    assert "has no model sft" in capsys.readouterr().err
