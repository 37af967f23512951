"""Keep the small files of a finished run in `data/results`, and its outputs in the notebooks.

python -m tools.publish runs/cpu                 # into data/results/cpu/seed0
python -m tools.publish runs/cpu --outputs       # and its outputs into the notebooks
python -m tools.publish runs/cpu --model agent   # and its last model ships as `agent`
"""

import argparse
import json
import os
import shutil
import sys
from collections import Counter, defaultdict
from pathlib import Path

from sqlenv.analysis import outcome
from sqlenv.data import shipped
from sqlenv.training.config import differences
from sqlenv.training.record import (
    EVAL_JSON,
    RECORDS,
    RunError,
    read_cells,
    read_run,
    shareable,
    shown,
    write_record,
)
from sqlenv.workflow.pipeline import NOTEBOOKS, needed_by_a_run, series_folder
from sqlenv.workflow.report import error_kinds, read_episodes


# Right answers are kept database by database, one digit a question: two runs can be compared
# question by question.
def compact(
    record: dict,  # an evaluation of eval.json
) -> dict:  # `right`: db_id -> 0 and 1, or shares of several samples, by question id
    "An evaluation without the ids of its questions."
    right = defaultdict(list)
    for q in sorted(record["correct"]):
        right[record["database_of"][q]].append(record["correct"][q])
    if all(x in (0, 1) for of in right.values() for x in of):  # digits are short
        right = {db_id: "".join(str(int(x)) for x in of) for db_id, of in right.items()}
    rest = {k: v for k, v in record.items() if k not in ("correct", "database_of")}
    return rest | dict(right=dict(sorted(right.items())))


def write_records(
    records: list[dict],  # evaluations
    path: Path,  # a JSON file
):
    "Write evaluations, one a line."
    path.write_text("[\n" + ",\n".join(map(json.dumps, records)) + "\n]\n", encoding="utf-8")


def endings(
    run_dir: Path,  # a finished run
) -> dict[tuple, dict]:  # (policy, split, mode) -> counts `ends` by outcome, `errors` by kind
    "How the episodes of each evaluation ended."
    out = defaultdict(lambda: dict(ends=Counter(), errors=Counter()))
    for model, mode, e in read_episodes(run_dir):
        found = out[model, e.question.split, mode]
        found["ends"][outcome(e)] += 1
        found["errors"].update(error_kinds(e))
    return out


KEPT = (*RECORDS, "transcripts.txt")


def keep_run(
    run_dir: Path | str,  # a finished run
    out: Path | str,  # a folder of data/results
):
    "Keep the small files of a run; transcripts, which show rows, only for embedded data."
    run_dir, out = Path(run_dir), Path(out)
    run = read_run(run_dir)
    embedded = run["config"]["data"] is None
    partial = out.with_name(out.name + ".tmp")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for name in KEPT:
        if (run_dir / name).exists() and (embedded or name != "transcripts.txt"):
            shutil.copy(run_dir / name, partial)
    write_record(partial, shareable(run))
    ended = endings(run_dir)
    records = []
    for r in json.loads((run_dir / EVAL_JSON).read_text(encoding="utf-8")):
        records.append(compact(r) | ended.get((r["policy"], r["split"], r["mode"]), {}))
    write_records(records, partial / EVAL_JSON)
    shutil.rmtree(out, ignore_errors=True)
    partial.rename(out)


def last_model(run_dir: Path) -> Path:
    "The folder of the last model of a run. Raises `RunError`."
    for stage in ("grpo", "sft"):
        if (run_dir / stage / "config.json").is_file():
            return run_dir / stage
    raise RunError(f"{shown(run_dir)} has no model: finish the run first.")


def keep_model(
    run_dir: Path | str,  # a finished run
    out: Path | str,  # a folder of data/models
):
    "Keep the last model of a run: its weights in float16, its card, the record of the run."
    from sqlenv.training.models import load_model, quiet

    run_dir, out = Path(run_dir), Path(out)
    stage = last_model(run_dir)
    partial = out.with_name(out.name + ".tmp")
    shutil.rmtree(partial, ignore_errors=True)
    quiet()
    model, tokenizer = load_model(str(stage))
    for part in (model.half(), tokenizer):
        part.save_pretrained(partial / "model")
    card = shareable(dict(text=(stage / "README.md").read_text(encoding="utf-8")))["text"]
    (partial / "model" / "README.md").write_text(card, encoding="utf-8")
    for file in (partial / "model").glob("*.safetensors"):  # written for the owner alone
        file.chmod(0o644)
    write_record(partial, shareable(read_run(run_dir)))
    shutil.rmtree(out, ignore_errors=True)
    partial.rename(out)


# The outputs are carried cell by cell, without the path of the project, and without figures
# that have no `fig-alt`.
WIDGET = "application/vnd.jupyter.widget-view+json"  # a progress bar, drawn by a live kernel


def described(
    source: str,  # of a cell
    outputs: list[dict],  # of that cell
) -> list[dict]:
    "The outputs of a cell but progress bars; figures only where `#| fig-alt` describes them."
    unwanted = {WIDGET} if "#| fig-alt" in source else {WIDGET, "image/png"}
    return [o for o in outputs if not unwanted & set(o.get("data", {}))]


def joined(
    outputs: list[dict],  # of a cell
) -> list[dict]:
    "Join what a cell printed line by line: a page would show a box for each line."
    out = []
    for o in outputs:
        if out and o.get("name") and o["name"] == out[-1].get("name"):
            out[-1] = o | dict(text="".join([*out[-1]["text"], *o["text"]]).splitlines(True))
        else:
            out.append(o)
    return out


def take_outputs(
    run_dir: Path,  # a finished run
    notebooks_dir: Path | None = None,  # the notebooks that receive the outputs
    notebooks: tuple[str, ...] = NOTEBOOKS,  # their names
):
    "Put the outputs of a run into the project's notebooks."
    from nbdev.clean import clean_nb

    folder = Path(notebooks_dir or series_folder()).resolve()

    def source(cell):
        return "".join(cell["source"])

    for name in notebooks:
        nb = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))
        ran = {c["id"]: c for c in read_cells(Path(run_dir) / f"{name}.ipynb")}
        for cell in nb["cells"]:
            if not needed_by_a_run(cell):
                continue  # tests and studies keep theirs
            if source(ran.get(cell["id"], {"source": ""})) != source(cell):
                raise RunError(
                    f"{name} has changed since {shown(run_dir)} was made: cell {cell['id']} "
                    "differs. Run it again."
                )
            outputs = joined(described(source(cell), ran[cell["id"]]["outputs"]))
            text = json.dumps(outputs).replace(f"{folder.parent}{os.sep}", "")
            cell["outputs"] = json.loads(text)
        clean_nb(nb, allowed_cell_metadata_keys=["tags"])
        text = json.dumps(nb, sort_keys=True, indent=1, ensure_ascii=False) + "\n"
        (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")


def main(
    argv: list[str] | None = None,  # the command line, without the program's name
) -> int:
    "`python -m tools.publish`."
    p = argparse.ArgumentParser(
        prog="python -m tools.publish",
        description="Keep the small files of a finished run.",
    )
    p.add_argument("run", metavar="RUN", help="a run folder, such as runs/cpu")
    p.add_argument(
        "--out",
        default="data/results",
        metavar="FOLDER",
        help="where runs are kept, as PROFILE/seedN (default: data/results)",
    )
    p.add_argument(
        "--outputs", action="store_true", help="also put the outputs of its notebooks into nbs"
    )
    p.add_argument("--model", choices=("agent", "base"), help="also ship its last model, so named")
    args = p.parse_args(argv)
    run = Path(args.run)
    try:
        record = read_run(run)
        config = shareable(record)["config"]
        out = Path(args.out) / Path(record["profile"]).stem / f"seed{config['seed']}"
        kept = read_run(out)["config"] if out.exists() else config
        if other := differences(kept, config):
            raise RunError(f"{out} holds a run of another recipe ({other}): move that one first.")
        if args.model:
            last_model(run)
        if args.outputs:
            take_outputs(run)
        keep_run(run, out)
        if args.model:
            keep_model(run, shipped("models") / args.model)
    except (ValueError, OSError) as e:
        print(f"Error: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
