"""The command from beginning to end: what somebody sees who trains, is interrupted and goes on.

Lines about the run, one sentence, and no step twice. `sqlenv train` runs the three notebooks; it is
stopped by Ctrl-C on the way, when two ranks train, and gone on with, by one. The run is short
because its model need not learn to call tools: its next token depends on the last one alone, by a
table that spells calls. As in the profile `colab`, LoRA trains, activations are recomputed, and the
adapter is merged into the saved model.

Until GRPO has ended, `written.json` and `human.json` of the data folder cannot be read at all: no
training may read what people wrote. The analysis measures on them, so the run stops there, and goes
on once they are mended.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import torch
import yaml
from scripted import follow_table
from transformers import Qwen3Config, Qwen3ForCausalLM

from sqlenv.data import data_folder, load_questions, write_questions
from sqlenv.training.models import tiny_tokenizer
from sqlenv.training.monitor import ALARMS, findings, read_metrics
from sqlenv.training.record import read_cells


def bigram_model(tokenizer, tools, examples):
    "A Qwen3 whose layer adds nothing: each token is a direction, and looks up the next one"
    n = len(tokenizer)
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=n,
            hidden_size=n,
            num_hidden_layers=1,
            num_attention_heads=1,
            num_key_value_heads=1,
            head_dim=8,
            intermediate_size=8,
            tie_word_embeddings=False,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    layer = model.model.layers[0]
    with torch.no_grad():
        model.model.embed_tokens.weight.copy_(torch.eye(n))
        layer.self_attn.o_proj.weight.zero_()
        layer.mlp.down_proj.weight.zero_()
        model.lm_head.weight.copy_(
            follow_table(tokenizer, tools, examples).clamp(min=-40).T / n**0.5
        )
    return model


SHORT = dict(
    model="talker",
    generated=2,
    per_database=2,
    sft_steps=2,
    sft_batch=4,
    sft_lr=1e-9,
    grpo_steps=20,
    prompts=2,
    group=2,
    save_every=2,
    eval_steps=10,
    eval_size=1,
    budget=4,
    max_new_tokens=128,  # within which all but one in a thousand turns end
    max_completion=800,
    eval_n=2,
    threads=1,
    lora=4,
    checkpointing=True,
)


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    "Where the commands stand: a small suite, two files of it spoilt, a model and a profile"
    out = tmp_path_factory.mktemp("run")
    few = {s: load_questions(s)[:24] for s in ("train", "dev", "eval", "unseen")}
    for d in {q.db_id for qs in few.values() for q in qs}:
        shutil.copytree(data_folder(None) / "databases" / d, out / "suite" / "databases" / d)
    for s, qs in few.items():
        write_questions(qs, out / "suite" / "questions" / f"{s}.json")
    for split in ("written", "human"):
        (out / "suite" / "questions" / f"{split}.json").write_text("no JSON")
    words = tiny_tokenizer([q.question for q in few["train"]], 400)
    tables = sorted({t for qs in few.values() for q in qs for t in q.tables})
    queries = [f"SELECT COUNT(*) FROM {t}" for t in tables]
    examples = dict(describe=tables, query=queries, answer=["1", "2", "3"])
    for part in bigram_model(words, dict(describe=1, query=1, answer=2), examples), words:
        part.save_pretrained(out / "talker")
    (out / "short.yml").write_text(yaml.safe_dump(dict(config=SHORT)))
    return out


MAIN = """
import signal, sys
from sqlenv.workflow.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""


def sqlenv_train(out, *more):
    "The command as a terminal starts it, with paths from where it stands"
    profile = ["--profile", "short.yml", "--run-dir", "run"]
    argv = [sys.executable, "-c", MAIN, "train", *profile, *more]
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    env = os.environ | dict(SQLENV_DATA="suite")
    return subprocess.Popen(argv, cwd=out, env=env, start_new_session=True, **pipes)


@pytest.fixture(scope="module")
def interrupted(out):
    "What was said by a command of two ranks that Ctrl-C stopped in GRPO"
    process = sqlenv_train(out, "--ranks", "2")
    while process.poll() is None and len(read_metrics(out / "run")) < 3:
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()
    os.killpg(process.pid, signal.SIGINT)
    said, errors = process.communicate()
    return SimpleNamespace(code=process.returncode, said=said, errors=errors)


def ended(out):
    "What was said by a command without ranks that nobody stopped"
    process = sqlenv_train(out)
    said, errors = process.communicate()
    return SimpleNamespace(code=process.returncode, said=said, errors=errors)


@pytest.fixture(scope="module")
def trained(out, interrupted):
    "By the command that went on from there; and the notebooks of its record that were finished"
    done = ended(out)
    notebooks = json.loads((out / "run" / "run.json").read_text())["notebooks"]
    done.finished = sorted(name for name, d in notebooks.items() if "seconds" in d)
    return done


@pytest.fixture(scope="module")
def resumed(out, trained):
    "By the command that went on after both files had been mended"
    for split, like in dict(written="eval", human="unseen").items():
        shutil.copy(out / "suite/questions" / f"{like}.json", out / f"suite/questions/{split}.json")
    return ended(out)


@pytest.fixture(scope="module")
def run(out, resumed):
    "The finished run"
    assert resumed.code == 0, resumed.errors
    return out / "run"


@pytest.fixture(scope="module")
def said(interrupted, trained, resumed):
    "All lines of the three commands"
    return (interrupted.said + trained.said + resumed.said).splitlines()


def test_an_interruption_is_one_sentence(interrupted):
    assert interrupted.code == 130
    assert interrupted.errors.count("\n") == 1
    assert interrupted.errors.startswith("sqlenv: Interrupted in 0")


def test_the_same_command_goes_on_to_the_end(resumed):
    assert resumed.code == 0, resumed.errors


def test_no_step_was_written_twice(run):
    steps = [json.loads(line)["step"] for line in (run / "metrics.jsonl").open()]
    assert steps == list(range(1, 21))


def test_an_alarm_goes_off_where_the_metrics_justify_it(run, said):
    told = [line for line in said if "ALARM" in line]
    metrics = read_metrics(run)
    justified = {
        f"GRPO: ALARM at step {a.step}: {a.name}"
        for step in range(1, 21)
        for a in findings(metrics[:step])
        if a.name in ALARMS
    }
    assert set(told) <= justified and len(told) <= len(justified)


def test_every_line_fits_80_columns(said):
    assert max(map(len, said)) <= 80


@pytest.mark.parametrize("name", ["07_sft", "08_grpo", "09_analysis"])
def test_of_a_notebook_all_is_executed_but_what_only_tests(run, name):
    cells = [c for c in read_cells(run / f"{name}.ipynb") if c["cell_type"] == "code"]
    skipped = [c for c in cells if "skip-execution" in c["metadata"]["tags"]]
    assert skipped and not any(c["outputs"] for c in skipped)
    assert all(c["execution_count"] for c in cells if c not in skipped)


def test_the_record_has_the_configuration_of_the_end(out, run):
    config = json.loads((run / "run.json").read_text())["config"]
    assert config["model"] == str((out / "talker").resolve())
    assert config["ranks"] == 1


def test_no_training_reads_what_people_wrote(out, trained):
    "The warm-up and GRPO do not notice; the run ends where the analysis opens the first file"
    assert trained.code == 1
    assert "written.json could not be read as JSON" in " ".join(trained.errors.split())
    assert trained.finished == ["07_sft", "08_grpo"]
    assert (out / "run" / "grpo" / "model.safetensors").is_file()
    written = sorted(p.stem for p in (out / "run" / "data" / "questions").iterdir())
    assert written == ["dev", "eval", "train", "unseen"]


def test_the_analysis_measures_on_them_once_they_can_be_read(run):
    measured = {row["split"] for row in json.loads((run / "eval.json").read_text())}
    assert measured >= {"train", "eval", "unseen", "written", "human"}
