"""The page Play: its Python in a real Node, and the page itself in a real Chromium."""

import ast
import base64
import http.server
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from dataclasses import asdict
from functools import partial

import pytest
from nbdev.config import get_config

from sqlenv.data import SPLITS, database_path, load_questions
from sqlenv.sandbox import Sandbox
from sqlenv.sql.guard import DEFAULT_LIMITS, Limits, SandboxError
from sqlenv.training.config import TrainConfig
from sqlenv.training.models import quiet, tiny_model, tiny_tokenizer
from sqlenv.training.record import write_record
from tools.play_page import MODELS, PAGE_SPLITS, write_models

PLAY = get_config().config_path / "nbs" / "play"
NODE = shutil.which("node")
needed = PLAY / "node_modules" / "pyodide", PLAY / "assets" / "editor.js"
BUILT = bool(NODE) and all(path.exists() for path in needed)
names = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, names)), None)
in_node = pytest.mark.skipif(not BUILT, reason="there is no Node, or `make play` was not run")
in_browser = pytest.mark.skipif(
    not (BUILT and CHROMIUM), reason="there is no Chromium, or `make play` was not run"
)


class Process:
    "A process of Node that answers a line of JSON with a line of JSON"

    def __init__(self, script, *args):
        command = [NODE, str(PLAY / script), *map(str, args)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the process has ended"
        reply = json.loads(line)
        assert "error" not in reply, reply["error"]
        return reply

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    "What the page downloads"
    folder = tmp_path_factory.mktemp("play")
    command = [sys.executable, "-W", "ignore", "-m", "tools.play_page", "--out", folder]
    where = get_config().config_path
    subprocess.run(command, check=True, cwd=where, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="module")
def in_page(folder):
    "What code leaves in `result`, in the page's Python"
    pyodide = Process("python_process.js", folder / "assets" / "sqlenv.zip")
    yield lambda code, data="": json.loads(
        pyodide.send(dict(code=code, data=json.dumps(data)))["value"]
    )
    pyodide.end()


HASHED = """
import hashlib
from sqlenv.data import database_path
from sqlenv.env import run_gold

digest, asked = hashlib.sha256(), json.loads(data)
for db_id, sql in asked:
    found = run_gold(database_path(db_id), sql, None, limits)
    digest.update(repr((found.columns, found.rows)).encode())
result = [len(asked), digest.hexdigest()]
"""


@in_node
def test_all_gold_queries_give_the_same_rows(in_page):
    "On the page's SQLite with the page's limits, and here with the usual ones"
    asked = [q for split in SPLITS for q in load_questions(split)]
    has = {q.db_id for q in asked if q.split in PAGE_SPLITS}  # the page's databases
    asked = sorted({(q.db_id, q.gold_sql) for q in asked if q.db_id in has})
    assert len(has) == 52
    here = dict(data=json.dumps(asked), json=json, limits=DEFAULT_LIMITS)
    exec(HASHED, here)
    with_limits = "from page_environment import PAGE_LIMITS as limits"
    assert in_page(with_limits + HASHED, asked) == here["result"]


@pytest.fixture(scope="module")
def suite():
    "The victim's file; the kind, text, need to be refused and seconds of each attack in the suite"
    path = PLAY.parent / "tests" / "attack_suite.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found, names = [], {}

    def attack(kind, texts, seconds=0.5, refused=True, rows=None):
        found.extend((kind, t, refused, seconds) for t in texts if isinstance(t, str))

    cells = [c for c in cells if c["cell_type"] == "code"]
    for cell in cells[: next(i for i, c in enumerate(cells) if c["id"] == "40cf6a77")]:
        for node in ast.parse("".join(cell["source"])).body:
            call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
            name = ast.unparse(node.value.func) if call else ""
            if name.startswith(("attack", "db.", "secret.")) or not isinstance(node, ast.Expr):
                exec(compile(ast.Module([node], []), "suite", "exec"), names)
                if "attack" in names:
                    names["attack"] = attack
    return names["path"], found


def test_the_attacks_of_the_suite_are_found(suite):
    assert len(suite[1]) > 400


ATTACKED = """
import time
from page_environment import PAGE_LIMITS
from sqlenv.sandbox import Sandbox
from sqlenv.sql.guard import SandboxError

box, result = Sandbox("/victim.sqlite", PAGE_LIMITS), []
for text in json.loads(data):
    began = time.perf_counter()
    try:
        box.query(text)
        outcome = "answered"
    except SandboxError as e:
        outcome = "refused"
    took = time.perf_counter() - began
    whole = box.query("select count(*) from t, json_each('[7]')").rows == ((2000,),)
    result.append([outcome, took, whole])
"""


@in_node
def test_attacks_are_refused_on_the_page_too(in_page, suite):
    """What has to be refused here is refused there, and the next query is answered correctly.

    A value is at most 4,000 bytes long on the page, so more is refused than here: `pytest -s`
    prints what.
    """
    victim, attacks = suite
    bring = "import base64; content = base64.b64decode(json.loads(data))"
    bring += "; result = open('/victim.sqlite', 'wb').write(content)"
    in_page(bring, base64.b64encode(victim.read_bytes()).decode())
    outcomes = in_page(ATTACKED, [text for _, text, *_ in attacks])
    assert all(whole for _, _, whole in outcomes)
    usual, differ = {s: Sandbox(victim, Limits(seconds=s)) for *_, s in attacks}, []
    for (kind, text, refused, seconds), (how, _, _) in zip(attacks, outcomes, strict=True):
        assert how == "refused" or not refused, text
        try:
            usual[seconds].query(text)
            here = "answered"
        except SandboxError:
            here = "refused"
        differ += [(kind, text[:60], here, how)] if here != how else []
    longest = max(took for _, took, _ in outcomes)
    print(f"{len(attacks)} attacks, the longest {longest:.2f} s; other outcomes: {len(differ)}")
    print(*differ, sep="\n")


def raw_html(page):
    "The HTML of a page of Quarto, in a bare document"
    (body,) = re.findall(r"```\{=html\}\n(.*?)\n```", page.read_text(encoding="utf-8"), re.S)
    head = '<meta charset="utf-8"><title>Play</title><link rel="icon" href="data:,">'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript"
    }

    def log_message(self, *args):
        pass


BEGIN = ".choose [type=submit]"
OPEN = "document.querySelector('.choosing').open = true"  # the form, which an episode folds


class Page:
    """The page in a browser, served as the site serves it, without the site's frame.

    The browser gets Pyodide's files from npm's package in place of the CDN, and checks their
    hashes.
    """

    def __init__(self, site):
        self.site = site
        handler = partial(Quiet, directory=site)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://localhost:{self.server.server_port}"
        self.browser = Process("page_process.js", CHROMIUM, self.address)

    def call(self, method, *args):
        "Do something in the browser"
        return self.browser.send(dict(method=method, args=args))["value"]

    def start(self, path="/play.html", **options):
        "Open the page, and wait until Python is there"
        self.call("open", path, options)
        self.call("click", "[data-do=start]")
        return self.call("until", ".status", "Ready|could not|as it was")

    def told(self, pattern):
        "What the page says, once it says something that fits"
        return self.call("until", ".status", pattern)

    def other_question(self, button):
        "Open the form and press one of its buttons"
        self.call("evaluate", OPEN)
        self.call("click", button)

    def write_query(self, sql):
        "Write a query into the editor in place of what is there, and run it"
        self.call("click", ".cm-content")
        self.call("press", ".cm-content", "Control+a")
        self.call("type", ".cm-content", sql)
        self.call("press", ".cm-content", "Control+Enter")

    def check(self):
        "Nothing went wrong, and nothing was sent but requests for its own files and for Pyodide's"
        assert self.call("problems") == []
        own = "https://cdn.jsdelivr.net/npm/pyodide@", self.address, "blob:", "data:"
        sent = [tuple(request) for request in self.call("requests")]
        assert [(how, url) for how, url in sent if how != "GET" or not url.startswith(own)] == []

    def end(self):
        self.browser.end()
        self.server.shutdown()


@pytest.fixture(scope="module")
def page(folder):
    site = folder / "site"
    shutil.copytree(PLAY, site / "play", ignore=shutil.ignore_patterns("node_modules", "models"))
    shutil.copy(folder / "assets" / "sqlenv.zip", site / "play" / "assets")
    html = raw_html(PLAY.parent / "play.qmd")
    (site / "impatient.html").write_text(html, encoding="utf-8")
    patient = html.replace('data-patience="8"', 'data-patience="60"')
    assert patient != html
    (site / "play.html").write_text(patient, encoding="utf-8")
    page = Page(site)
    yield page
    page.end()


CAME_IS_SEEN = """(() => {
  const {top, bottom} = document.querySelector('.came').getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
})()"""


@in_browser
def test_an_episode_by_hand(page):
    """From the first look to the right answer.

    With a wrong query on the way, an empty answer that costs nothing, completion of a table that
    was described, and a reload in the middle, after which the episode is as it was.
    """
    call, told = page.call, page.told
    question = load_questions("unseen")[0]
    gold = Sandbox(database_path(question.db_id)).query(question.gold_sql).rows
    page.start()
    call("select", "[name=split]", "unseen")
    call("select", "[name=db]", question.db_id)
    call("select", "[name=question]", question.question_id)
    call("click", BEGIN)
    told("The tables are")
    assert call("text", ".hand .question") == question.question
    hidden = call("evaluate", "getComputedStyle(document.querySelector('.column text')).visibility")
    assert hidden == "hidden"  # the reader is to explore
    call("click", f"[aria-label='Describe {question.tables[0]}']")
    told("14 steps left")
    focus = call("evaluate", "document.activeElement.ariaLabel")
    assert focus == f"Describe {question.tables[0]}"
    assert call("evaluate", CAME_IS_SEEN)
    call("type", ".cm-content", f"select * from {question.tables[0][:3]}")
    call("until", ".cm-tooltip-autocomplete", question.tables[0])
    page.write_query("SELECT colour FROM nowhere")
    told("there is no table nowhere.*13 steps left")
    assert call("evaluate", "document.querySelectorAll('.cm-tooltip-autocomplete').length") == 0
    call("click", "text='Answer'")
    told("answer is empty")
    call("fill", "[name=answer]", "half an answer")
    call("reload")
    call("click", "[data-do=start]")
    told("as it was")
    assert call("text", ".left") == "13 of 15 steps left."
    assert call("text", ".cm-content") == "SELECT colour FROM nowhere"
    assert call("evaluate", "document.querySelector('[name=answer]').value") == "half an answer"
    page.write_query(question.gold_sql)
    told("12 steps left")
    assert call("texts", ".last td") == [str(v) for row in gold for v in row]
    assert call("evaluate", "getComputedStyle(document.querySelector('.sums')).display") == "none"
    call("check", "[name=rewards]")
    assert call("evaluate", "getComputedStyle(document.querySelector('.sums')).display") != "none"
    call("fill", "[name=answer]", "\n".join(str(row[0]) for row in gold))
    call("click", "text='Answer'")
    assert told("Right|Wrong") == "Right!"
    assert "✓ Right" in call("text", ".episodes .verdict")
    call("click", "[data-do=oracle]")
    call("until", ".oracle .verdict", "✓ Right")
    page.check()


ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"


@in_browser
def test_the_steps_can_be_used_up(page):
    "A query without end is stopped by the environment itself"
    call, told = page.call, page.told
    page.start()
    page.other_question("[data-do=draw]")
    told("15 steps")
    page.write_query(ENDLESS)
    told("more than 20,000,000 steps")
    for left in range(13, -1, -1):
        call("click", ".tables button >> nth=0")
        told(f"{left} steps? left" if left else "steps were used up")
    assert call("text", ".left") == "The episode is over."
    assert call("evaluate", "document.querySelector('[data-do=run]').disabled") is True


def large_database(path, megabytes):
    "A database with rows enough"
    shutil.copy(database_path("zoo"), path)
    db = sqlite3.connect(path)
    db.execute("create table visits (visit_id integer primary key, day text, note text, paid real)")
    step = "select 1 union all select x + 1 from c where x < ?"
    row = "select x, date('2020-01-01', (x % 900) || ' days'), printf('%0800d', x), x % 70 from c"
    rows = int(megabytes * 1e6 / 850)
    db.execute(f"with recursive c(x) as ({step}) insert into visits {row}", [rows])
    db.commit()
    db.close()
    return rows


@in_browser
def test_a_file_of_a_reader(page, tmp_path):
    """A database of 50 MB is opened, asked about and explored, by hand.

    A text file, a file that was cut off, one with damaged pages and one that is too large are
    refused with a sentence, and the database stays open. Nobody judges an answer to a question of
    the reader's; a composed one is judged.
    """
    call, told = page.call, page.told
    rows = large_database(tmp_path / "large.sqlite", 50)
    whole = database_path("zoo").read_bytes()
    (tmp_path / "words.txt").write_text("no database at all")
    (tmp_path / "cut.sqlite").write_bytes(whole[:20_000])
    (tmp_path / "torn.sqlite").write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with open(tmp_path / "huge.sqlite", "wb") as f:
        f.truncate(1_000_000_000)  # a hole: it takes no room
    page.start()
    call("select", "[name=split]", "own")
    call("choose", "[name=file]", str(tmp_path / "large.sqlite"))
    told("is open")
    for name, why in {
        "words.txt": "not an SQLite database",
        "cut.sqlite": "cut off",
        "torn.sqlite": "damaged",
        "huge.sqlite": "at most 200 MB",
    }.items():
        call("choose", "[name=file]", str(tmp_path / name))
        told(why)
    call("fill", "[name=text]", "How many visits were there?")
    call("click", BEGIN)
    told("The tables are")
    call("click", "[aria-label='Sample visits']")
    told("5 rows")
    page.write_query("SELECT count(*) FROM visits")
    told("13 steps left")
    assert call("texts", ".last td") == [str(rows)]
    call("fill", "[name=answer]", str(rows))
    call("click", "text='Answer'")
    told("Nobody judges")
    call("evaluate", OPEN)
    call("fill", "[name=text]", "")
    call("click", BEGIN)
    told("The tables are")
    call("fill", "[name=answer]", "?")
    call("click", "text='Answer'")
    told("Wrong|Right")
    call("click", "[data-do=oracle]")
    call("until", ".oracle .verdict", "✓ Right")
    page.check()


@in_browser
def test_a_worker_that_says_nothing_is_replaced(page):
    "After its patience the page ends it, starts another, and the episode continues"
    page.start("/impatient.html")
    page.call("click", BEGIN)
    page.told("15 steps")
    page.call("block", 1_000_000)
    page.call("click", ".tables button >> nth=0")
    page.told("Starting it again")
    page.told("took no step|could not")
    assert page.call("text", ".left") == "15 of 15 steps left."


@in_browser
def test_a_file_of_pyodide_that_was_changed_is_not_run(page):
    page.start(spoil="pyodide.asm.wasm")
    assert "not the file that was pinned" in page.call("text", ".status")


PLAYER = """
const worker = new Worker('play/worker.js', {type: 'module'})
const ask = (method, ...args) => new Promise((resolve, reject) => {
  worker.onmessage = ({data}) => {
    if ('id' in data) data.error ? reject(new Error(data.error)) : resolve(data.value)
  }
  worker.postMessage({id: 1, method, args})
})
window.episode = async (model, question_id) => {
  let state = await ask('begin_agent', model, model, {temperature: 0}, {question_id})
  const turns = []
  for (let ids = []; state.goes_on;) {
    const reply = await ask('next', model)
    if (reply.token) ids.push(reply.token.id)
    else {
      turns.push(ids)
      ids = []
      state = reply.state
    }
  }
  return [turns, state.correct]
}
ask('start').then(() => ask('load_models', ['sft', 'grpo'])).then(found => found.models)
"""


def is_same(page, name, stored):
    "Whether a model plays an episode on the page as it is stored"
    code = f"episode({json.dumps(name)}, {json.dumps(stored['question_id'])})"
    turns = [turn["writes"] for turn in stored["turns"]]
    return page.call("evaluate", code) == [turns, stored["correct"]]


@in_browser
@pytest.mark.skipif(
    not (PLAY / "models" / "grpo.gz").is_file(), reason="no models are packed for the page"
)
def test_the_published_models_play_as_they_are_stored(page):
    """In the worker of the page: Python and SQLite in WebAssembly, the model in JavaScript.

    Nearly all episodes are the same, token by token, as those that the engine wrote in Python;
    where two tokens are as probable as each other, rounding decides, which test_agent_js looks at.
    """
    shutil.copytree(PLAY / "models", page.site / "play" / "models")
    page.call("open", "/play.html")
    assert MODELS.items() <= page.call("evaluate", PLAYER).items()
    for name, stored in json.loads((PLAY / "models" / "episodes.json").read_text()).items():
        same = sum(is_same(page, name, episode) for episode in stored)
        print(f"{MODELS[name]}: {same} of {len(stored)} episodes the same")
        assert same >= 0.9 * len(stored)
    page.check()
    shutil.rmtree(page.site / "play" / "models")


@in_browser
def test_without_models_the_page_says_that_there_are_none(page):
    page.start()
    page.call("select", "[name=split]", "unseen")
    page.call("check", "[name=who][value=grpo]")
    page.call("click", BEGIN)
    page.told("No model could be loaded")


@in_browser
def test_two_models_play_side_by_side(page, tmp_path):
    """They know nothing and come from their own run folder.

    Their tokens appear one by one, each with its alternatives, and the episodes end.
    """
    quiet()
    call, told = page.call, page.told
    run, tokenizer = tmp_path / "run", tiny_tokenizer(["SELECT name FROM books"], 600)
    for seed, name in enumerate(MODELS):
        tiny_model(tokenizer, hidden=64, head_dim=32, seed=seed).save_pretrained(run / name)
        tokenizer.save_pretrained(run / name)
    made = dict(command="sqlenv train", started="2026-01-01", commit="none", profile="ci")
    write_record(run, made | dict(config=asdict(TrainConfig(max_new_tokens=8))))
    write_models(run, page.site / "play" / "models")
    page.start()
    call("check", "[name=who][value=both]")
    call("evaluate", "document.querySelector('[name=speed]').value = 0")
    call("click", BEGIN)
    told("The models play")
    call("until", ".panel .alternatives", "%")
    call("click", "text=Pause")
    before = len(call("texts", ".turn span"))
    call("click", "[data-do=token]")
    call("evaluate", "new Promise(done => setTimeout(done, 3000))")
    after = len(call("texts", ".turn span"))
    assert before < after <= before + 4
    for _ in range(3):  # hasty clicks begin no second loop
        call("click", "text='Go on'")
        call("click", "text=Pause")
    call("evaluate", "document.querySelector('[name=speed]').value = 100")
    call("click", "text='Go on'")
    told("before GRPO.*after GRPO")
    turns = "[...document.querySelectorAll('.turn')].map(turn => turn.children.length)"
    assert 0 < max(call("evaluate", turns)) <= 8
    assert len(call("texts", ".episodes .episode")) == 2
    call("press", ".panel .tokens >> nth=0", "ArrowLeft")
    assert len(call("texts", ".turn .chosen")) == 1
    call("click", "[data-do=oracle]")
    call("until", ".oracle .verdict", "✓ Right")
    page.check()


SMALL = """[...document.querySelectorAll('#play :is(button, select, textarea, summary)')]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44)
    .filter(e => !e.closest('.sqlenv')).map(e => e.outerHTML)"""
NAMELESS = """[...document.querySelectorAll('#play :is(button, input, select, textarea)')]
    .filter(e => e.checkVisibility() && !e.labels?.length)
    .filter(e => !e.ariaLabel && !e.textContent.trim())
    .map(e => e.outerHTML)"""


@in_browser
def test_a_narrow_screen_shows_all_of_it(page):
    "Nothing is wider than the screen, and everything that can be clicked has a size and a name"
    page.start(width=375, height=700)
    page.call("click", BEGIN)
    page.told("15 steps")
    page.call("click", "[aria-label^=Sample] >> nth=-1")
    page.told("14 steps left")
    assert page.call("evaluate", CAME_IS_SEEN)
    assert page.call("evaluate", SMALL) == []
    assert page.call("evaluate", "document.documentElement.scrollWidth <= innerWidth")
    assert page.call("evaluate", NAMELESS) == []
    page.check()
