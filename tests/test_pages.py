"""The episode viewer and the report in Chromium: filters and keys work, nothing is fetched."""

import atexit
import json
import re
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from nbdev.config import get_config
from websocket import create_connection

from sqlenv.analysis import record, write_episodes
from sqlenv.data import embedded_folder, load_questions
from sqlenv.env import SQLEnvironment
from sqlenv.policies import OraclePolicy, RandomPolicy, evaluate, rollout
from sqlenv.workflow.report import FIELDS, entries, gold_answer, read_episodes, write_report
from sqlenv.workflow.saved_models import rollout_model, run_config
from sqlenv.workflow.viewer import show, tables_of, touched

CHROMIUMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
chromium = next(filter(None, map(shutil.which, CHROMIUMS)), None)


FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
)
KEYS = dict(ArrowLeft=37, ArrowRight=39, End=35, Home=36, Tab=9, Enter=13)
READY = 'document.querySelector("[data-ready]")'


def wait_for(check, seconds=60):
    "What `check` returns as soon as that is true"
    for _ in range(seconds * 20):
        if found := check():
            return found
        time.sleep(0.05)
    raise AssertionError("It did not happen in time.")


class Browser:
    "One tab."

    def __init__(self, profile):
        self.process = subprocess.Popen(
            [chromium, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        atexit.register(self.process.kill)
        said = Path(profile) / "DevToolsActivePort"
        wait_for(lambda: said.exists() and said.read_text().count("\n"))
        self.port = said.read_text().split()[0]
        address = wait_for(self.tabs)[0]["webSocketDebuggerUrl"]
        self.socket = create_connection(address, timeout=60)
        self.sent, self.events = 0, []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def tabs(self):
        "The open tabs"
        found = json.load(urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json"))
        return [t for t in found if t["type"] == "page"]

    def send(self, method, **params):
        "The result of a command; events that come before it are kept"
        self.sent += 1
        self.socket.send(json.dumps(dict(id=self.sent, method=method, params=params)))
        while (answer := json.loads(self.socket.recv())).get("id") != self.sent:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def js(self, code):
        "The value of an expression in the page"
        options = dict(awaitPromise=True, returnByValue=True)
        result = self.send("Runtime.evaluate", expression=code, **options)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def open(self, path, width=1200, dark=False, until=READY):
        "Load a file at a width, and wait until its script is done"
        metrics = dict(width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.send("Emulation.setDeviceMetricsOverride", **metrics)
        scheme = dict(name="prefers-color-scheme", value="dark" if dark else "light")
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.send("Page.navigate", url=Path(path).as_uri())
        loaded = 'document.readyState == "complete" && location.protocol == "file:"'
        wait_for(lambda: self.js(f"{loaded} && !!({until})"))

    def faults(self):
        "What was logged or thrown since the page was opened, and what it fetched"
        self.js("1")
        logs = "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"
        logged = [e["params"] for e in self.events if e["method"] in logs]
        sent = [e["params"] for e in self.events if e["method"] == "Network.requestWillBeSent"]
        urls = [p["request"]["url"] for p in sent[1:]]
        return logged + [u for u in urls if not u.startswith("data:")]

    def key(self, name):
        "Press a key"
        press = dict(key=name, code=name, windowsVirtualKeyCode=KEYS[name])
        if name == "Enter":
            press["text"] = "\r"
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, **press)

    def change(self, query, value, event="change"):
        "Set the value of a control, as a hand would"
        code = f"s.value = {json.dumps(value)}; s.dispatchEvent(new Event('{event}'))"
        self.js(f"(s => {{ {code} }})(document.querySelector({json.dumps(query)}))")


@pytest.fixture(scope="module")
def tmp(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def b(tmp):
    "One tab, driven by Chromium's own protocol over a local socket"
    if not chromium:
        pytest.skip(
            "There is no Chromium on this machine; on Debian and Ubuntu: apt install chromium"
        )
    browser = Browser(tmp / "profile")
    yield browser
    browser.process.kill()
    browser.process.wait()


@pytest.fixture(scope="module")
def episodes():
    "Two of one question: with every kind of step and error, and by the oracle"
    env = SQLEnvironment(budget=10)
    q = next(q for q in env.questions("dev") if len(q.tables) > 1)
    oracle = rollout(env, OraclePolicy(), q)
    env.reset(question=q)
    for a in (
        "DESCRIBE nonsense",
        f"SAMPLE {q.tables[0]}",
        "SELECT nme FROM " + "x" * 200,
        f"SELECT * FROM {q.tables[1]}",
        q.gold_sql,
        "ANSWER " + "long " * 80,
    ):
        env.step(a)
    return env.episode, oracle


@pytest.fixture(scope="module")
def stumbling(episodes):
    return episodes[0]


@pytest.fixture(scope="module")
def one(tmp, episodes):
    return show(episodes[0]).save(tmp / "one.html")


@pytest.fixture(scope="module")
def two(tmp, episodes):
    return show(*episodes, names=("before", "after")).save(tmp / "two.html")


@pytest.fixture(scope="module")
def run(tmp):
    "A run folder in which the random policy and the oracle stand in for models"
    env = SQLEnvironment(budget=10)
    run, records = tmp / "run", []
    run.mkdir()
    for policy in (RandomPolicy(), OraclePolicy()):
        for split in ("eval", "unseen"):
            e = evaluate(env, policy, split, n=40)
            name = type(policy).__name__.removesuffix("Policy").lower()
            records.append(record(e, greedy=False) | dict(policy=name))
            write_episodes(run / "episodes.jsonl", name, "sampled", e.episodes)
    _ = (run / "eval.json").write_text(json.dumps(records))
    for name in ("run.json", "metrics.jsonl", "gains.json"):
        shutil.copy(embedded_folder() / "results" / "templates" / "seed0" / name, run)
    return run


@pytest.fixture(scope="module")
def report(run):
    return write_report(run)


@pytest.fixture(scope="module")
def rows(run):
    return entries(read_episodes(run), None)


TWO_READY = 'document.querySelectorAll("[data-ready]").length == 2'
REPORT_READY = "document.body.dataset.ready"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [375, 1200])
@pytest.mark.parametrize(
    ("page", "until"), [("one", READY), ("two", TWO_READY), ("report", REPORT_READY)]
)
def test_a_page_loads_fits_and_is_silent(b, request, page, until, width, dark):
    b.open(request.getfixturevalue(page), width, dark, until)
    assert b.js("document.documentElement.scrollWidth") <= width
    assert b.faults() == []


CONTRAST = """(([ink, paper]) => {
  const probe = document.querySelector('.sqlenv').appendChild(document.createElement('i'))
  probe.style.cssText = `color:var(--${ink});background:var(--${paper})`
  const style = getComputedStyle(probe)
  const linear = x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(x => linear(x / 255))
    return .2126 * r + .7152 * g + .0722 * b
  }
  const [a, b] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x)
  probe.remove()
  return (a + .05) / (b + .05)
})"""
GROUNDS = {
    "bg": ("fg", "soft", "right", "wrong", "hue"),
    "lift": ("fg", "soft", "right", "wrong"),
    "lit": ("fg",),
    "now": ("fg",),
}
PAIRS = [(ink, ground) for ground, inks in GROUNDS.items() for ink in inks]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_is_readable(b, one, dark):
    "The contrast is at least 4.5, as WCAG asks, for every pair of colours that meet"
    b.open(one, dark=dark)
    found = {f"{i} on {g}": round(b.js(f"{CONTRAST}({json.dumps((i, g))})"), 1) for i, g in PAIRS}
    assert min(found.values()) >= 4.5, found


LIT = '[...document.querySelectorAll("svg g.lit")].length'


def seen(episode, steps):
    "How many parts of the diagram the first steps touched"
    return len(set().union(*[touched(t, tables_of(episode)) for t in episode.turns[:steps]]))


def test_the_slider_lights_up_what_the_steps_before_it_touched(b, one, stumbling):
    "Keys move it, and it says in words where it is"
    b.open(one)
    n = len(stumbling.turns)
    b.js('document.querySelector("input[type=range]").focus()')
    b.key("Home")
    for step in range(n + 1):
        assert b.js(LIT) == seen(stumbling, step)
        assert b.js('document.querySelector(".used").textContent') == f"{step} of 10 steps"
        assert b.js('document.querySelectorAll("[aria-current=step]").length') == int(step > 0)
        b.key("ArrowRight")
    b.key("ArrowLeft")
    assert b.js(
        'document.querySelector("input[type=range]").getAttribute("aria-valuetext")'
    ).startswith(f"Step {n - 1} of {n}: QUERY")
    b.key("Home")
    assert b.js('document.querySelector(".sums td:last-child").textContent') == "0.000"
    b.key("End")
    assert (
        b.js('document.querySelector(".sums td:last-child").textContent')
        == f"{stumbling.reward.total:.3f}"
    )


QUARTO = "li code:not(.sourceCode) { background: white; white-space: pre; padding: 9px }"
CUT = """[...document.querySelectorAll('.action code')].filter(e =>
  e.getBoundingClientRect().right > e.closest('.episode').getBoundingClientRect().right).length"""
PAINTED = """[...document.querySelectorAll('.action code')].filter(e =>
  getComputedStyle(e).backgroundColor != 'rgba(0, 0, 0, 0)').length"""


@pytest.mark.parametrize("width", [375, 1200])
def test_long_sql_wraps_among_the_rules_of_a_quarto_page(b, one, width):
    "Which paint inline code and do not let it wrap"
    b.open(one, width)
    b.js(f"document.head.appendChild(document.createElement('style')).append(`{QUARTO}`)")
    assert (b.js(CUT), b.js(PAINTED)) == (0, 0)


REACHED = """[...document.querySelectorAll('.scroll')].map(e =>
  [e.scrollWidth > e.clientWidth, e.tabIndex == 0, !!e.getAttribute('aria-label')])"""


def test_what_scrolls_sideways_can_be_reached_by_keyboard(b, one):
    "At the width that the window has now"
    found = {}
    for width in (1200, 375):
        b.open(one, width)
        wait_for(lambda: all(wide == reached for wide, reached, _ in b.js(REACHED)), seconds=5)
        found[width] = sum(wide for wide, _, named in b.js(REACHED) if named)
    assert found[375] > found[1200], found


def test_a_screen_reader_finds_names_and_the_verdict(b, two):
    b.open(two, until='document.querySelectorAll("[data-ready]").length == 2')
    b.send("Accessibility.enable")
    tree = b.send("Accessibility.getFullAXTree")["nodes"]
    nodes = [(n["role"]["value"], n["name"]["value"]) for n in tree if "role" in n and "name" in n]

    def names(*roles):
        "The names of the parts with one of these roles"
        return [name for role, name in nodes if role in roles]

    assert [name.strip() for name in names("slider")] == ["Step"] * 2
    pictures = names("image", "img", "graphics-document")
    assert len(pictures) == 2
    for name in pictures:
        assert name.startswith("Database diagram.") and "Seen of" in name, name
    assert names("article") == ["Episode before", "Episode after"]
    assert all(names("button")) and any("Wrong" in name for name in names("StaticText"))


def test_each_view_has_its_own_slider_and_play_advances(b, two, stumbling):
    b.open(two, until=TWO_READY)
    b.js('document.querySelectorAll("input[type=range]")[1].focus()')
    b.key("Home")
    lit = "e => e.querySelectorAll('g.lit').length"
    found = b.js(f'[...document.querySelectorAll(".episode")].map({lit})')
    assert found == [seen(stumbling, 9), 0]
    used = '[...document.querySelectorAll(".used")].map(e => e.textContent)'
    start = b.js(used)
    b.js('document.querySelectorAll(".controls button")[1].click()')
    wait_for(lambda: b.js(used) != start)
    assert b.js(used)[0] == "6 of 10 steps"
    b.js('document.querySelectorAll(".controls button")[1].click()')


COUNT = 'document.querySelector(".count").textContent'


def choose(b, **values):
    "Set filters as a hand would; those that are not named are cleared"
    for field in FIELDS:
        b.change(f"[data-field={field}]", values.get(field, ""))
    b.change(".filters input", values.get("words", ""), "input")
    return int(b.js(COUNT).split()[0])


def test_the_filters_count_what_python_counts(b, report, rows):
    "For every value of every filter, two filters together, and words"
    b.open(report, until="document.body.dataset.ready")
    assert choose(b) == len(rows)
    for field in FIELDS:
        for value in {v for r in rows for v in r[field]}:
            assert choose(b, **{field: value}) == sum(value in r[field] for r in rows)
    assert choose(b, split="unseen", outcome="right") == sum(
        r["split"] == ["unseen"] and r["correct"] for r in rows
    )
    assert choose(b, words="HOW MANY", model="oracle") == sum(
        "how many" in r["question"].lower() and r["model"] == ["oracle"] for r in rows
    )
    assert choose(b, words="no question has these words") == 0
    assert b.faults() == []


LABELS = """[...document.querySelector("[data-field=%s]").options].slice(1)
  .map(o => [o.value, +o.textContent.match(/[(]([0-9]+)[)]$/)[1]])"""


def expected(rows, field, words="", **values):
    "Counts by Python: the rows that pass every filter but this one"
    others = {f: v for f, v in values.items() if f != field}
    left = [r for r in rows if words in r["question"].lower()]
    left = [r for r in left if all(v in r[f] for f, v in others.items())]
    return {v: sum(v in r[field] for r in left) for v in {v for r in rows for v in r[field]}}


CHOICES = [
    {},
    dict(split="unseen"),
    dict(split="unseen", outcome="right"),
    dict(model="oracle", words="how many"),
]


@pytest.mark.parametrize("chosen", CHOICES, ids=str)
def test_a_value_shows_what_would_be_left_if_it_were_chosen_too(b, report, rows, chosen):
    "It follows all the other filters, words included, and is not changed by its own"
    b.open(report, until=REPORT_READY)
    choose(b, **chosen)
    for field in FIELDS:
        assert dict(b.js(LABELS % field)) == expected(rows, field, **chosen)
    assert b.faults() == []


def test_choosing_a_value_leaves_what_it_shows(b, report):
    b.open(report, until=REPORT_READY)
    right = dict(model="random floor", outcome="right")
    choose(b, **right)
    for split, count in b.js(LABELS % "split"):
        assert choose(b, **right, split=split) == count
    assert b.faults() == []


def test_the_list_grows_by_hundreds_and_an_episode_opens_by_a_key(b, report, run, rows):
    "With another of the same question beside it"
    b.open(report, until=REPORT_READY)
    choose(b)
    listed = 'document.querySelectorAll(".list button").length'
    assert b.js(listed) == 100
    b.js('document.querySelector(".more").click()')
    assert (b.js(listed), b.js('document.querySelector(".more").hidden')) == (len(rows), True)
    choose(b, model="random")
    b.js('document.querySelector(".list button").focus()')
    b.key("Enter")
    assert b.js('document.querySelectorAll(".shown .episode").length') == 1
    assert rows[0]["question"] == b.js('document.querySelector(".shown h3").textContent')
    first = read_episodes(run)[0][2].question
    assert b.js('document.querySelector(".shown .gold code").textContent') == first.gold_sql
    shown = b.js('document.querySelector(".shown .gold pre").textContent')
    assert shown == gold_answer(first, None)
    b.change(".shown select", 0)
    players = "e => e.textContent.split(',')[0]"
    found = b.js(f'[...document.querySelectorAll(".shown .facts")].map({players})')
    assert found == ["random floor", "oracle"]
    assert b.js('document.querySelectorAll(".shown [data-ready]").length') == 2
    assert b.js('document.querySelectorAll(".shown .gold").length') == 1
    assert b.faults() == []


def test_an_opened_episode_fits_a_phone(b, report):
    b.open(report, 375, until="document.body.dataset.ready")
    b.js('document.querySelector(".list button").click()')
    b.change(".shown select", 0)
    assert b.js("document.documentElement.scrollWidth") <= 375


def test_the_agent_answers_the_question_in_the_picture_of_the_loop():
    "It is one of `eval`"
    picture = (get_config().nbs_path / "figures" / "loop.svg").read_text(encoding="utf-8")
    (asked,) = re.findall("“(.*?)”", picture)
    pictured = next(q for q in load_questions("eval") if q.question == asked)
    how = run_config("agent")
    env = SQLEnvironment(budget=how.budget, marks=how.marks)
    (episode,) = rollout_model("agent", env, [pictured])
    assert episode.correct
