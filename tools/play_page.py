"""What the page Play downloads: one archive of modules and data, and the weights of its models.

python -m tools.play_page                  # nbs/play/assets: sqlenv.zip, results.json
python -m tools.play_page --run runs/cpu   # and the models in nbs/play/models
"""

import argparse
import gzip
import json
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import numpy as np

import sqlenv
from sqlenv.adapter import factory
from sqlenv.data import (
    DataError,
    Question,
    data_folder,
    database_path,
    load_questions,
    shipped,
)
from sqlenv.training.record import EVAL_JSON, data_hash, read_run
from sqlenv.training.rollout import Rollout, begin_rollouts, sampling
from sqlenv.workflow.saved_models import open_model, run_config

sys.path.append(str(Path(__file__).resolve().parents[1] / "nbs" / "play"))
import page_environment
from page_environment import PAGE_SPLITS, chat_frame

PAGE = Path(page_environment.__file__)  # the Python half of the page; the rest is JavaScript

# The page's methods are called once, where the packages that a browser lacks cannot be
# imported. What this process has loaded from outside of Python's own library is what the page
# needs.
TRYOUT = """
import json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "torch", "transformers", "rich", "typer"):
            raise ImportError(f"the page cannot load {name}")

sys.path.append(sys.argv[1])
sys.meta_path.insert(0, Missing())
sys.modules["yaml._yaml"] = None  # its parser in C
from page_environment import BrowserEnvironment
from sqlenv.data import database_path

page = BrowserEnvironment()

def ask(method, **args):
    reply = json.loads(page.call(json.dumps(dict(method=method, args=args))))
    return reply["value"]

ask("catalogue")
ask("begin", player="reader", split="unseen", seed=0)
ask("step", player="reader", kind="QUERY", argument="SELECT strftime('%Y', '2020-01-01')")
ask("step", player="reader", kind="ANSWER", argument="0")
ask("oracle", player="reader")
ask("open_own", path=str(database_path("zoo")))
ask("write_questions", seed=0)
settings = dict(frame=dict(start=["", ""], results=[""] * 3, as_json=False))
settings |= dict(budget=2, marks=True, sampling={})
page.use_model(settings, lambda text: list(text.encode()), lambda ids, special: bytes(ids).decode())
ask("begin_agent", player="model", name="", split="eval", seed=0)
ask("reply", player="model", ids=list(b"SELECT 1"))
files = {n: getattr(m, "__file__", None) for n, m in sys.modules.items() if m}
print(json.dumps({n: f for n, f in files.items() if f}))
"""


def needed_modules() -> dict[str, Path]:  # where it goes in the archive -> the file
    "The modules that the page loads, beside its own and those of Python's library."
    command = [sys.executable, "-c", TRYOUT, str(PAGE.parent)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise DataError(f"The page's methods do not run: {done.stderr.strip()[-400:]}")
    package, found = Path(sqlenv.__file__).parent, {}
    site = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    for file in map(Path, json.loads(done.stdout).values()):
        file = file.resolve()
        for root in (*site, package.parent.resolve()):  # a checkout may hold its .venv
            if file.suffix == ".py" and file.is_relative_to(root):
                found.setdefault(file.relative_to(root).as_posix(), file)
                break
    wanted = {"sqlenv", "fastcore", "sqlglot", "yaml"}
    kept = {name: file for name, file in found.items() if name.split("/")[0] in wanted}
    return dict(sorted(kept.items()))


# Files lie in the archive as in a checkout, so that the package finds its data by itself.
def licences(
    packages: tuple[str, ...] = ("fastcore", "sqlglot", "PyYAML"),  # as PyPI has them
) -> dict[str, Path]:  # where it goes in the archive -> the file
    "The licences of the packages."
    from importlib.metadata import files

    found = {}
    for name in packages:
        for file in files(name):
            if "licen" in file.name.lower() and ".dist-info" in str(file):
                found[f"licences/{name}.txt"] = Path(file.locate())
    return found


def page_data() -> dict[str, Path]:  # where it goes in the archive -> the file
    "The databases and questions of the page's splits, lexicon, thesaurus, the viewer's files."
    found = {f"data/{name}": shipped(name) for name in ("lexicon.yml", "thesaurus.json")}
    folder = data_folder()
    for name in ("viewer.js", "viewer.css"):
        found[f"sqlenv/workflow/{name}"] = Path(sqlenv.__file__).parent / "workflow" / name
    for split in PAGE_SPLITS:
        found[f"data/questions/{split}.json"] = folder / "questions" / f"{split}.json"
        for db_id in {q.db_id for q in load_questions(split)}:
            found[f"data/databases/{db_id}/{db_id}.sqlite"] = database_path(db_id)
    return found


def write_archive(
    out: Path,  # the zip file
) -> int:  # its bytes
    "Write the modules and the data that the page needs."
    out.parent.mkdir(parents=True, exist_ok=True)
    content = needed_modules() | {PAGE.name: PAGE} | licences() | page_data()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, file in sorted(content.items()):
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, file.read_bytes())
    return out.stat().st_size


# A float32 has four bytes. The first ones, with sign and exponent, are much alike, the last
# ones are noise. Put together by their place in the number they compress better.
def pack_weights(
    weights: bytes,  # of a safetensors file; a multiple of four
) -> bytes:
    "The four planes of bytes one after the other, compressed."
    if len(weights) % 4:
        raise DataError(f"The weights have {len(weights):,} bytes, which is no multiple of four.")
    return gzip.compress(b"".join(weights[i::4] for i in range(4)), 9, mtime=0)


def unpack_weights(
    packed: bytes,  # from `pack_weights`
) -> bytes:
    "The safetensors file again; the page does the same."
    planes, weights = gzip.decompress(packed), bytearray(len(gzip.decompress(packed)))
    n = len(planes) // 4
    for i in range(4):
        weights[i::4] = planes[i * n : (i + 1) * n]
    return bytes(weights)


# The last bits of each number are what does not compress, and greedy episodes do not need them
# (tests/test_agent_js.py).
def rounded(
    weights: bytes,  # of a safetensors file in float32. Raises `DataError` when they are not
    bits: int = 15,  # of the 23 of each number's fraction that are kept
) -> bytes:
    "Weights whose last bits are zero, which compress to less."
    begin = 8 + int.from_bytes(weights[:8], "little")
    header = json.loads(weights[8:begin])
    kinds = {about["dtype"] for name, about in header.items() if name != "__metadata__"}
    if kinds != {"F32"}:
        raise DataError(f"The page takes weights in float32, these are {', '.join(sorted(kinds))}.")
    numbers, drop = np.frombuffer(weights[begin:], "<u4"), 23 - bits
    return weights[:begin] + ((numbers + (1 << drop - 1)) >> drop << drop).tobytes()


# What the models write on the page must be what they write here: tests/test_agent_js.py plays
# these episodes again.
STORED = 10  # questions of each split


def spread(
    items: list,  # in order
    n: int,  # how many are taken, where there are so many
) -> list:
    "Some of a list, equally far from each other."
    return items[:: max(1, len(items) // n)][:n]


class RecordedRollout(Rollout):
    "A rollout that keeps what each turn read and wrote."

    def __init__(
        self,
        *about,  # as for `Rollout`
    ):
        super().__init__(*about)
        self.turns_kept = []  # of each turn: reads, room, writes

    def reply(
        self,
        new: list[int],  # token ids of the turn
        logps: list[float],  # the log-probability of each
    ) -> bool:
        "Keep a turn, and go on as `Rollout` does."
        reads = self.chat.tokenizer.decode(self.read)
        turn = dict(reads=reads, room=self.max_new_tokens, writes=new)
        self.turns_kept.append(turn)
        return super().reply(new, logps)


def greedy_turns(
    folder: Path,  # of a saved model, in the folder of its run
    questions: list[Question],  # of the embedded data
) -> list[dict]:  # question_id, correct, and turns: text, room, tokens
    "What a model reads and writes, as the engine runs it."
    from sqlenv.training.engine import Engine

    model, tokenizer = open_model(str(folder))
    config = run_config(str(folder))
    how = sampling(config, greedy=True)
    rollouts = begin_rollouts(
        tokenizer,
        factory(None, budget=config.budget, marks=config.marks),
        questions,
        how,
        kind=RecordedRollout,
    )
    Engine(model, tokenizer.eos_token_id, how.temperature, how.slots).run(
        rollouts, [0] * len(rollouts)
    )
    found = []
    for rollout in rollouts:
        e = rollout.episode
        found.append(
            dict(question_id=e.question.question_id, correct=e.correct, turns=rollout.turns_kept)
        )
    return found


MODELS = dict(sft="before GRPO", grpo="after GRPO")  # folder in a run -> its name on the page
BASE = dict(base="before SFT")  # what a run began with, where that is a folder


def model_folders(
    run_dir: Path,  # a finished run. Raises `DataError` when its models are not there
) -> dict[str, Path]:  # in the order of training
    "The folders of the models that the page offers."
    missing = [n for n in MODELS if not (run_dir / n / "model.safetensors").is_file()]
    if missing:
        raise DataError(f"{run_dir} has no model {missing[0]}: finish the run first.")
    began = Path(read_run(run_dir)["config"]["model"])
    base = {name: began for name in BASE if (began / "model.safetensors").is_file()}
    return base | {name: run_dir / name for name in MODELS}


def in_float32(
    file: Path,  # weights that numpy knows
) -> bytes:  # of a safetensors file
    "The weights of a model, which ships in float16."
    from safetensors.numpy import load_file, save

    return save({name: part.astype("float32") for name, part in load_file(file).items()})


def agent_settings(
    run_dir: Path,  # a finished run
    folders: dict[str, Path],  # from `model_folders`
) -> dict:  # plain data
    "What the page must know of the models of a run."
    from transformers import AutoTokenizer

    from sqlenv.adapter import Chat
    from sqlenv.training.config import from_dict

    def read(name, file):
        found = json.loads((folders[name] / file).read_text(encoding="utf-8"))
        return {k: v for k, v in found.items() if k not in ("dtype", "transformers_version")}

    run, (first, *others) = read_run(run_dir), reversed(folders)
    for file in ("config.json", "tokenizer.json"):
        if any(read(name, file) != read(first, file) for name in others):
            raise DataError(f"The models of {run_dir} differ in {file}; the page has one for all.")
    config = from_dict(run["config"])
    lengths = sampling(config)
    tokenizer = AutoTokenizer.from_pretrained(folders[first])
    return dict(
        run={name: run[name] for name in ("command", "started", "commit", "profile")},
        models={name: (BASE | MODELS)[name] for name in folders},
        config=read(first, "config.json"),
        tokenizer=read(first, "tokenizer.json"),
        tokenizer_config=read(first, "tokenizer_config.json"),
        budget=config.budget,
        marks=config.marks,
        temperature=config.temperature,
        frame=chat_frame(Chat(tokenizer, train=False)),
        sampling=dict(
            max_new_tokens=lengths.max_new_tokens,
            max_completion=lengths.max_completion,
        ),
    )


def write_models(
    run_dir: Path,  # a finished run. Raises `DataError` when its models are not there
    out: Path,  # a folder
):
    "Write the models of a run as the page loads them."
    folders = model_folders(run_dir)
    out.mkdir(parents=True, exist_ok=True)
    settings = agent_settings(run_dir, folders)
    settings["bytes"] = {}
    for name, folder in folders.items():
        packed = pack_weights(rounded(in_float32(folder / "model.safetensors")))
        (out / f"{name}.gz").write_bytes(packed)
        settings["bytes"][name] = len(packed)
    asked = [q for split in PAGE_SPLITS for q in spread(load_questions(split), STORED)]
    episodes = {name: greedy_turns(run_dir / name, asked) for name in MODELS}
    for file, content in (("agent.json", settings), ("episodes.json", episodes)):
        text = json.dumps(content, ensure_ascii=False) + "\n"
        (out / file).write_text(text, encoding="utf-8")


# What the page says of its models is read from the kept results of the run that made them. Right
# answers are kept there database by database, in the order of the question ids.
Records = dict[tuple[str, str, str], dict]  # (policy, split, mode) -> an evaluation
OFFERED = 12  # questions on which the models differ


def right_by_question(
    record: dict,  # an evaluation of eval.json in data/results
    split: str,  # that was evaluated, as a whole
) -> dict[str, int]:  # question id -> 1 or 0
    "Which questions a model answered rightly."
    ids = {}
    for q in sorted(load_questions(split), key=lambda q: q.question_id):
        ids.setdefault(q.db_id, []).append(q.question_id)
    return {
        question: round(float(right))
        for db, of in record["right"].items()
        for question, right in zip(ids[db], of, strict=True)
    }


def differing(
    records: Records,  # of a run
    n: int = OFFERED // len(PAGE_SPLITS),  # questions of each split at most
) -> list[dict]:  # id, and right: how often each model was
    "Questions that one model answered more often than the other, those that differ most first."

    def apart(found):
        "How much more often one model was right"
        return abs(found["right"]["sft"] - found["right"]["grpo"])

    offered = []
    for split in PAGE_SPLITS:
        of = {
            (name, mode): right_by_question(records[name, split, mode], split)
            for name in MODELS
            for mode in ("greedy", "sampled")
        }
        found = []
        for question in of["sft", "greedy"]:
            right = {m: of[m, "greedy"][question] + of[m, "sampled"][question] for m in MODELS}
            found.append(dict(id=question, right=right))
        offered += sorted(filter(apart, found), key=apart, reverse=True)[:n]
    return sorted(offered, key=apart, reverse=True)


def page_results(
    folder: Path,  # of a run in data/results
    models: Path,  # of the page
    downloads: list[Path],  # what the page loads beside Pyodide and the models
) -> dict:  # plain data
    "What the page says before a model is loaded."
    kept = json.loads((folder / EVAL_JSON).read_text(encoding="utf-8"))
    same_questions = read_run(folder)["data"] == data_hash(data_folder())
    records = {(r["policy"], r["split"], r["mode"]): r for r in kept}
    success = []
    for split, what in dict(
        written="of freely written questions", unseen="of composed questions"
    ).items():
        record = records["grpo", split, "greedy"]
        right = round(record["success"] * record["n"])
        success.append(dict(what=what, right=right, n=record["n"]))
    return dict(
        models=[path.stem for path in sorted(models.glob("*.gz"))],
        tries=2,  # a greedy answer and a sampled one
        differ=differing(records) if same_questions else [],
        success=success,
        bytes=sum(len(gzip.compress(p.read_bytes())) for p in downloads if p.exists()),
    )


def main(
    argv: list[str] | None = None,  # the command line, without the program's name
) -> int:
    "`python -m tools.play_page`."
    p = argparse.ArgumentParser(
        prog="python -m tools.play_page",
        description="Write what the page Play downloads.",
    )
    p.add_argument("--out", default="nbs/play", metavar="FOLDER", help="default: nbs/play")
    p.add_argument("--run", metavar="RUN", help="also take the models of this run folder")
    p.add_argument(
        "--results",
        default="data/results/cpu/seed0",
        metavar="FOLDER",
        help="the kept results of that run (default: data/results/cpu/seed0)",
    )
    args = p.parse_args(argv)
    out = Path(args.out)
    try:
        if args.run:
            write_models(Path(args.run), out / "models")
        size = write_archive(out / "assets" / "sqlenv.zip")
        downloads = [out / "assets" / name for name in ("sqlenv.zip", "editor.js")]
        results = page_results(Path(args.results), out / "models", downloads)
        (out / "assets" / "results.json").write_text(json.dumps(results) + "\n", encoding="utf-8")
    except (ValueError, OSError) as e:
        print(f"Error: {e}", file=sys.stderr)
        return 1
    print(f"{args.out}/assets/sqlenv.zip: {size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
