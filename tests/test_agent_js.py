"""The logits of `nbs/play/agent.js` beside PyTorch's, its tokens beside the engine's, in Node."""

import itertools
import json
import math
import os
import random
import re
import shutil
import subprocess
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
import torch
from nbdev.config import get_config
from transformers import Qwen3Config, Qwen3ForCausalLM

from sqlenv import OraclePolicy, SQLEnvironment, load_questions
from sqlenv.adapter import factory
from sqlenv.data import SPLITS
from sqlenv.training.engine import Engine
from sqlenv.training.models import tiny_tokenizer
from sqlenv.training.rollout import begin_rollouts, sampling
from sqlenv.workflow.saved_models import open_model, run_config
from tools.play_page import greedy_turns, page_environment, unpack_weights

PLAY = get_config().config_path / "nbs" / "play"
NODE = shutil.which("node")
INSTALLED = (PLAY / "node_modules").is_dir()
pytestmark = [
    pytest.mark.skipif(not NODE, reason="there is no Node on this machine"),
]
AGENT = pytest.mark.skipif(not INSTALLED, reason="run `npm ci --ignore-scripts` in nbs/play first")


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class AgentProcess:
    "An agent in Node; its methods are those of agent_process.js"

    def __init__(self):
        pipe = subprocess.PIPE
        command = [NODE, str(PLAY / "agent_process.js")]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        self.seconds = 0.0  # of the processor, for the last call

    def __call__(self, method, *args):
        self.process.stdin.write(json.dumps(dict(method=method, args=args)) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        self.seconds = reply["seconds"]
        if "error" in reply:
            raise ValueError(reply["error"])
        return reply["value"]


@contextmanager
def agent_process(folder=None):
    "An agent that has loaded a saved model"
    agent = AgentProcess()
    try:
        if folder:
            agent("load", f"{folder}/")
        yield agent
    finally:
        agent.process.stdin.close()
        assert agent.process.wait() == 0


SAY = "import {outcome} from './outcome.js'; console.log(outcome(JSON.parse(process.argv[1])))"
LOOKED = ["QUERY", "SELECT 1"]
USED_UP = "the steps were used up without an answer"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (dict(actions=[LOOKED, ["ANSWER", "42"]]), "answered 42"),
        (dict(actions=[LOOKED], reason=USED_UP), f"gave no answer: {USED_UP}"),
        (dict(actions=[LOOKED]), "gave no answer"),
        (dict(judged=True, reason="41 is not 42"), "is wrong: 41 is not 42"),
        (dict(judged=True, correct=True), "is right"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_the_page_says_how_an_episode_ended(state, words):
    "What a model answered, and that it gave no answer when its steps were used up"
    state = dict(correct=False, reason="", actions=()) | state
    state["question"] = dict(judged=state.pop("judged", False))
    command = [NODE, "--input-type=module", "-e", SAY, json.dumps(state)]
    ended = subprocess.run(command, cwd=PLAY, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == words


SILENT = """
import {Silence} from './silence.js'
const silence = new Silence(), took = JSON.parse(process.argv[1])
for (const ms of took) ms ? silence.worked(ms, 250) : silence.heard()
console.log(silence.passed)
"""


@pytest.mark.parametrize(
    ("took", "passed"),
    [
        ([10] * 12, 3000),
        ([10] * 12 + [0], 0),  # it was heard
        ([10] + [100] * 10, 500),  # a tenth of the machine, so a tenth of the time
        ([100] * 10 + [10], 2750),  # slow from the beginning: nobody knows better
        ([10] + [10_000] * 60, 1000),  # a twentieth at least
    ],
    ids=["idle", "heard", "starved", "slow", "stuck"],
)
def test_the_page_measures_silence_by_the_work_that_a_machine_does(took, passed):
    "The work between two looks, in ms each; 0 is a sign of life"
    command = [NODE, "--input-type=module", "-e", SILENT, json.dumps(took)]
    done = subprocess.run(command, cwd=PLAY, capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(passed)


SIZES = """
import {readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {PYODIDE} from './start.js'
const sizes = ([name, [bytes, , packed]]) => {
  const file = readFileSync(`node_modules/pyodide/${name}`)
  return [bytes, file.length, packed, gzipSync(file, {level: 9}).length]
}
console.log(JSON.stringify(Object.entries(PYODIDE.files).map(sizes)))
"""


@pytest.mark.skipif(not INSTALLED, reason="run `npm ci --ignore-scripts` in nbs/play first")
def test_the_sizes_of_pyodide_are_those_that_are_transferred():
    command = [NODE, "--input-type=module", "-e", SIZES]
    done = subprocess.run(command, cwd=PLAY, capture_output=True, text=True, check=True)
    for said, found, packed, compressed in json.loads(done.stdout):
        assert said == found
        assert packed == pytest.approx(compressed, rel=0.03)


# The models are random, of several shapes: heads that share keys and values, heads wider than the
# model, an odd number of heads, more layers, an output layer of its own, biases, a large
# vocabulary, weights saved in bfloat16.


SHAPES = dict(
    plain=dict(),
    shared=dict(num_attention_heads=4, num_key_value_heads=2),
    one_for_all=dict(num_attention_heads=6, num_key_value_heads=1),
    odd=dict(num_attention_heads=3, num_key_value_heads=3, head_dim=6, hidden_size=20),
    deep=dict(num_hidden_layers=5, rope_theta=10_000.0),
    untied=dict(tie_word_embeddings=False, rms_norm_eps=1e-3),
    biased=dict(attention_bias=True),
    large=dict(vocab_size=5003, num_attention_heads=4, num_key_value_heads=2),
    halved=dict(dtype=torch.bfloat16),
)


def random_model(dtype=torch.float32, **shape):
    "A Qwen3 with random weights, norms and biases too"
    torch.manual_seed(0)
    small = dict(vocab_size=331, hidden_size=32, intermediate_size=50, num_hidden_layers=2)
    small |= dict(tie_word_embeddings=True, max_position_embeddings=400, eos_token_id=2)
    attention = dict(num_attention_heads=2, num_key_value_heads=2, head_dim=16, rope_theta=1e6)
    model = Qwen3ForCausalLM(Qwen3Config(**small | attention | shape)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            wide = 0.3 if parameter.dim() > 1 else 0.5
            parameter += wide * torch.randn(parameter.shape)
    return model.to(dtype)


def save_random(folder, tokenizer, **shape):
    "Save a random model, and load it in float32"
    random_model(**shape).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


def logits_here(model, ids):
    with torch.no_grad():
        return model(torch.tensor([ids])).logits[0, -1]


def check_logits(agent, model, rng):
    "Differences of at most 1e-4, where the logits themselves are more than 1 apart"
    worst, spread = 0.0, 0.0
    for length, size in ((1, 1), (7, 1), (40, 16), (300, 13)):
        ids = [rng.randrange(model.config.vocab_size) for _ in range(length)]
        here = logits_here(model, ids)
        there = torch.tensor(agent("logits", ids, size))
        worst = max(worst, (here - there).abs().max().item())
        spread = max(spread, here.std().item())
    assert worst < 1e-4 and spread > 1


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_tokenizer([q.question for q in load_questions("dev")[:6]], 400)


@AGENT
@pytest.mark.parametrize("name", SHAPES)
def test_the_logits_are_those_of_pytorch(tokenizer, tmp_path, name):
    "Tokens are read one by one, some at once, and across the place where the cache grows"
    model = save_random(tmp_path, tokenizer, **SHAPES[name])
    with agent_process(tmp_path) as agent:
        check_logits(agent, model, random.Random(name))


def edit(path, **changes):
    "Change a JSON file; what becomes None is taken out"
    about = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({k: v for k, v in about.items() if v is not None}))


@AGENT
def test_a_configuration_of_transformers_4_is_read(tokenizer, tmp_path):
    "It names the base of the rotary positions elsewhere, and may leave out the size of a head"
    shape = dict(rope_theta=10_000.0, num_attention_heads=2, hidden_size=32, head_dim=16)
    model = save_random(tmp_path, tokenizer, **shape)
    old = dict(rope_theta=10_000.0, rope_parameters=None, head_dim=None, layer_types=None)
    edit(tmp_path / "config.json", **old)
    with agent_process(tmp_path) as agent:
        check_logits(agent, model, random.Random(0))


@pytest.fixture
def saved(tokenizer, tmp_path):
    "A folder with a random model"
    save_random(tmp_path, tokenizer)
    return tmp_path


@AGENT
@pytest.mark.parametrize(
    ("says", "changes"),
    [
        (
            "Qwen3 models; config.json says model_type: llama",
            dict(model_type="llama"),
        ),
        ("hidden_act: gelu", dict(hidden_act="gelu")),
        ("sliding window", dict(layer_types=["full_attention", "sliding_attention"])),
        (
            "rope_type: yarn",
            dict(rope_parameters=dict(rope_type="yarn", rope_theta=1e6, factor=4.0)),
        ),
        ("asks for 48,32", dict(intermediate_size=48)),
        ("holds no model.layers.2.input_layernorm.weight", dict(num_hidden_layers=3)),
        ("holds no lm_head.weight", dict(tie_word_embeddings=False)),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_configuration_that_cannot_be_used_is_refused(saved, says, changes):
    edit(saved / "config.json", **changes)
    with agent_process() as agent, pytest.raises(ValueError, match=re.escape(says)):
        agent("load", f"{saved}/")


@AGENT
@pytest.mark.parametrize(
    ("says", "change"),
    [
        ("it is cut short", lambda data: data[:-1]),
        ("it is empty", lambda data: b""),
        ("cut short, or no such file", lambda data: b"<!DOCTYPE html>" * 99),
        ("no JSON", lambda data: data[:8] + b"x" + data[9:]),
        ("is F64", lambda data: data.replace(b'"F32"', b'"F64"')),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_weights_that_cannot_be_used_are_refused(saved, says, change):
    weights = saved / "model.safetensors"
    weights.write_bytes(change(weights.read_bytes()))
    with agent_process() as agent, pytest.raises(ValueError, match=re.escape(says)):
        agent("load", f"{saved}/")


@AGENT
def test_a_folder_that_is_not_there_is_said(tmp_path):
    with agent_process() as agent, pytest.raises(ValueError, match="could not be fetched: 404"):
        agent("load", f"{tmp_path}/none/")


WRITINGS = [
    "",
    " ",
    "  two  spaces \t tab \r\n and lines\n\n\n",
    "Wie viele Bücher kosten mehr als 5 €? Größe, naïve, Ærøskøbing, Łódź, İstanbul, ſ, ǅ",
    "Сколько клиентов живёт в Москве? Πόσες; Որքա՞ն",
    "どの国に一番多くの顧客がいますか？ 客户有多少？ 고객은 몇 명입니까?",
    "كم عدد العملاء؟ כמה לקוחות יש? कितने ग्राहक हैं? ลูกค้ากี่คน",
    "👩‍👩‍👧‍👦 🇳🇱 👍🏽 ✓ ½ ² Ⅷ ٣ 五 ①",
    "e\u0301 é \u0308x ﬁ ﷺ",
    "\u00a0\u2003\u2028\u2029\u3000\ufeff\u200b\x85\x0b\x0c\x1c\x1f\x7f\x00",
    "SELECT \"a'b\" FROM t WHERE x LIKE '%_\\\\n' -- ; /* */ 12345678901 3.14e-10",
    "<|im_start|>user\n<|im_end|><|endoftext|> <|im_end <tool_call>\n</tool_call>",
    "\ufffd \U0001f600 \U00020000 \U0010ffff",
]


def random_text(rng):
    "Characters of one of the ranges of Unicode, without halves of pairs"
    first = rng.randrange(0, 0x30000, 0x80)
    codes = [first + rng.randrange(0x80) for _ in range(rng.randrange(1, 30))]
    return "".join(chr(c) for c in codes if not 0xD800 <= c < 0xE000)


def observations(n=12):
    "What is shown in episodes of the oracle and after mistakes"
    env, oracle, out = SQLEnvironment(), OraclePolicy(), []
    mistakes = ["DESCRIBE nowhere", "QUERY SELECT nothing", "QUERY SELECT", "SAMPLE", "é 五"]
    for question in load_questions("eval")[:n] + load_questions("unseen")[:n]:
        observation = env.reset(question=question)
        out.append(observation.text)
        for text in mistakes:
            out.append(env.step(text).text)
        observation = env.reset(question=question)
        oracle.begin(env, 0)
        while not observation.done:
            observation = env.step(oracle.act(observation))
            out.append(observation.text)
    return out


@cache
def all_texts():
    questions = [q.question for split in SPLITS for q in load_questions(split)]
    rng = random.Random(0)
    fuzz = [random_text(rng) for _ in range(2000)]
    return dict(questions=questions, observations=observations(), writings=WRITINGS, random=fuzz)


def check_tokens(agent, tokenizer, texts):
    "The ids are those of the tokenizer in Python, and the text comes back from them"
    here = [tokenizer.encode(text, add_special_tokens=False) for text in texts]
    there = agent("tokenize", texts)
    wrong = [text for text, a, b in zip(texts, here, there, strict=True) if a != b]
    assert wrong == []
    assert agent("decode", there, dict(special=True)) == texts
    plain = [tokenizer.decode(ids, skip_special_tokens=True) for ids in here]
    assert agent("decode", there) == plain


@AGENT
@pytest.mark.parametrize("kind", ["questions", "observations", "writings", "random"])
def test_the_tokens_are_those_of_the_tokenizer_in_python(tokenizer, tmp_path, kind):
    """For the questions of all splits, and for what is shown in episodes and after mistakes.

    And for other writings: scripts, combining marks, emoji, unusual spaces, control characters,
    numerals that are no digits, and random characters.
    """
    save_random(tmp_path, tokenizer, vocab_size=len(tokenizer))
    with agent_process(tmp_path) as agent:
        check_tokens(agent, tokenizer, all_texts()[kind])


PROMPT = [5, 81, 300, 17, 42]


def greedy_here(model, ids, n):
    "A turn, without a cache"
    turn = []
    while len(turn) < n and turn[-1:] != [2]:
        turn.append(logits_here(model, ids + turn).argmax().item())
    return turn


def probabilities_here(model, ids, temperature):
    return (logits_here(model, ids).double() / temperature).softmax(0)


def check_yielded(model, conversation, out, temperature):
    "Text, probability and alternatives of each token"
    for i, token in enumerate(out["tokens"]):
        p = probabilities_here(model, conversation + out["ids"][:i], temperature)
        top = p.topk(5)
        assert [a["id"] for a in token["alternatives"]] == top.indices.tolist()
        shown = torch.tensor([a["probability"] for a in token["alternatives"]])
        assert (shown - top.values).abs().max() < 1e-5
        assert abs(token["probability"] - p[token["id"]]) < 1e-5


def check_turns(agent, model):
    "Three turns of a conversation, each with a frame after it"
    conversation, read = list(PROMPT), 0
    for frame in ("a result", "Größe 五", " | "):
        before = agent("tokensRead")
        out = agent("generate", conversation, dict(maxTokens=12))
        ids = out["ids"]
        assert ids == greedy_here(model, conversation, 12)
        check_yielded(model, conversation, out, 1.0)
        whole, plain = (agent("decode", [ids], dict(special=s))[0] for s in (True, False))
        assert "".join(t["text"] for t in out["tokens"]) == whole
        assert out["text"] == plain
        # the last token of a turn is sampled, and read with what follows it
        assert agent("tokensRead") - before == len(conversation) - read + len(ids) - 1
        read = len(conversation) + len(ids) - 1
        parts = [conversation, ids, frame]
        conversation = conversation + ids + agent("tokenize", [frame])[0]
        three = dict(maxTokens=3)
        assert agent("generate", parts, three) == agent("generate", conversation, three)
        agent("generate", conversation[:read], dict(maxTokens=1))
    return conversation


def refused(agent, says, *args):
    "A call fails with these words"
    with pytest.raises(ValueError, match=re.escape(says)):
        agent(*args)


def check_ends(agent, model, conversation):
    "What ends a turn, and what is refused"
    turn = greedy_here(model, conversation, 12)
    few = dict(maxTokens=12, stop=[1, turn[2]])
    assert agent("generate", conversation, few)["ids"] == turn[: turn.index(turn[2]) + 1]
    refused(agent, "The reader has stopped it", "generate", conversation, dict(maxTokens=12), 2)
    refused(agent, "one at a time", "together", conversation, dict(maxTokens=9))
    beyond = model.config.vocab_size
    refusals = {"at least one": [], f"no token {beyond}": [3, beyond], "400 tokens": [3] * 401}
    for says, bad in refusals.items():
        refused(agent, says, "generate", bad, {})
    for bad in dict(temperature=-1), dict(maxTokens=0):
        refused(agent, "or more, found", "generate", PROMPT, bad)
    assert agent("generate", conversation, dict(maxTokens=12))["ids"] == turn


@AGENT
def test_turns_are_those_of_pytorch_without_a_cache(tokenizer, tmp_path):
    """Greedy turns of a random model, which writes bytes that are no characters as well.

    The pieces of text that are yielded make up the whole; the alternatives are the five most
    probable tokens. In a conversation only what is new is read, and after turns that were broken
    off, or about something else, the numbers are the same.
    """
    shape = dict(vocab_size=len(tokenizer), num_attention_heads=4, head_dim=8)
    model = save_random(tmp_path, tokenizer, **shape)
    with agent_process(tmp_path) as agent:
        check_ends(agent, model, check_turns(agent, model))


# A draw depends on the seed and on the place of the token alone. χ² is the measure of how evenly
# numbers are spread, with the value that chance exceeds once in 10,000 times as the limit.


def chi_square(found, expected):
    return sum((f - e) ** 2 / e for f, e in zip(found, expected, strict=True))


def limit(degrees, z=3.72):
    "What chance exceeds once in 10,000 times (Wilson and Hilferty)"
    share = 2 / (9 * degrees)
    return degrees * (1 - share + z * math.sqrt(share)) ** 3


def uneven(numbers, bins=100):
    "Whether numbers of [0, 1) are spread unevenly"
    assert all(0 <= u < 1 for u in numbers)
    found = [0] * bins
    for u in numbers:
        found[int(u * bins)] += 1
    return chi_square(found, [len(numbers) / bins] * bins) > limit(bins - 1)


@pytest.mark.parametrize(("power", "found"), [(1, False), (1.1, True)])
def test_numbers_that_are_spread_unevenly_are_found(power, found):
    "A power of 1.1 is found whatever the seed, one of 1.05 with few seeds only"
    rng = random.Random(0)
    assert uneven([rng.random() ** power for _ in range(20_000)]) == found


N = 20_000
PAIRS = dict(
    places=[(7, i) for i in range(N)],
    seeds=[(i, 7) for i in range(N)],
    both=[(i, i) for i in range(N)],
    large=[(2**31 + i * 2**16, 300) for i in range(N)],
)


@AGENT
@pytest.mark.parametrize("kind", PAIRS)
def test_draws_are_spread_evenly(saved, kind):
    "Over seeds, over places, and from one place to the next"
    with agent_process(saved) as agent:
        u = agent("uniform", PAIRS[kind])
        assert agent("uniform", [(1, 2)]) == agent("uniform", [(1, 2)])
    assert not uneven(u)
    assert not uneven([(int(10 * a) + b) / 10 for a, b in itertools.pairwise(u)])
    assert len(set(u)) > 0.99 * N


def misfit(ids, p, most=15):
    "How much frequencies differ from probabilities: χ² as a share of its limit"
    top = p.topk(most)
    found = [ids.count(i) for i in top.indices.tolist()]
    expected = [len(ids) * x for x in top.values.tolist()]
    found.append(len(ids) - sum(found))
    expected.append(len(ids) - sum(expected))
    return chi_square(found, expected) / limit(most)


@AGENT
@pytest.mark.parametrize("temperature", [0.5, 1.0])
def test_tokens_are_sampled_as_often_as_pytorch_says(tokenizer, tmp_path, temperature):
    "Beside the probabilities of another temperature the same frequencies fail"
    model = save_random(tmp_path, tokenizer)
    with agent_process(tmp_path) as agent:
        ids = agent("draws", PROMPT, dict(temperature=temperature), 3000)
    assert misfit(ids, probabilities_here(model, PROMPT, temperature)) < 1
    assert misfit(ids, probabilities_here(model, PROMPT, 1.3 * temperature)) > 1


@AGENT
@pytest.mark.parametrize("temperature", [0.5, 1.0])
def test_a_sampled_turn_is_the_same_with_the_same_seed(tokenizer, tmp_path, temperature):
    "And another with another"
    model = save_random(tmp_path, tokenizer)
    long = dict(temperature=temperature, maxTokens=20, seed=3, stop=-1)
    with agent_process(tmp_path) as agent:
        first, second = (agent("generate", PROMPT, long) for _ in range(2))
        other = agent("generate", PROMPT, long | dict(seed=4))
    assert first == second
    assert other["ids"] != first["ids"]
    check_yielded(model, PROMPT, first, temperature)


# `SQLENV_TRAINED=runs/cpu/grpo` names a trained model. Whole greedy episodes are written by the
# engine in Python. For each turn the agent reads what the model has read and writes the same
# tokens; a different one is allowed where the two best are as probable as each other, to one in ten
# thousand, as rounding then decides.


def as_good(out, ids):
    "Whether a turn is the same up to a place where the two best tokens are equally probable"
    at = len(os.path.commonprefix([out["ids"], ids]))
    first, second = out["tokens"][at]["alternatives"][:2]
    return abs(first["probability"] - second["probability"]) < 1e-4


def replay(agent, turns):
    "Of each turn: whether it has the same tokens, how many, and the seconds"
    conversation = []
    for turn in turns:
        conversation.append(turn["reads"])
        out = agent("generate", conversation, dict(maxTokens=turn["room"]))
        same = out["ids"] == turn["writes"]
        assert same or as_good(out, turn["writes"]), (turn, out["text"])
        conversation.append(turn["writes"])
        yield same, len(out["ids"]), agent.seconds


@pytest.fixture(scope="module")
def trained():
    if not (name := os.environ.get("SQLENV_TRAINED")):
        pytest.skip("SQLENV_TRAINED names no trained model")
    return str(Path(name).resolve())


@AGENT
@pytest.mark.parametrize("split", ["train", "dev"])
def test_a_trained_model_writes_what_it_writes_in_python(trained, split, n=20):
    episodes = greedy_turns(Path(trained), load_questions(split)[:n])
    with agent_process(trained) as agent:
        counts = [count for e in episodes for count in replay(agent, e["turns"])]
    same, generated, seconds = map(sum, zip(*counts, strict=True))
    right = sum(e["correct"] for e in episodes)
    print(
        f"{split:7} {same} of {len(counts)} turns the same, {generated:,} tokens, {right} of {n} "
        f"answers right; {generated / seconds:.0f} tokens a second of the processor"
    )


@AGENT
@pytest.mark.parametrize("kind", ["questions", "observations", "writings", "random"])
def test_a_trained_model_has_the_tokens_of_its_tokenizer(trained, kind):
    with agent_process(trained) as agent:
        check_tokens(agent, open_model(trained)[1], all_texts()[kind])


def torch_speed(folder, questions):
    "Generated tokens a second of the processor, one conversation at a time"
    model, tokenizer = open_model(folder)
    how = sampling(run_config(folder), greedy=True)
    rollouts = begin_rollouts(tokenizer, factory(), questions, how)
    engine, began = Engine(model, tokenizer.eos_token_id, 0.0, slots=1), time.process_time()
    engine.run(rollouts, [0] * len(rollouts))
    return engine.stats.generated / (time.process_time() - began)


def node_speed(folder, questions, rounds=3):
    "The same of the agent, after a round in which Node compiles it"
    episodes = greedy_turns(Path(folder), questions)
    with agent_process(folder) as agent:
        for _ in range(rounds):
            counts = [count for e in episodes for count in replay(agent, e["turns"])]
    _, generated, seconds = map(sum, zip(*counts, strict=True))
    return generated / seconds


@AGENT
@pytest.mark.skipif("SQLENV_SPEED" not in os.environ, reason="SQLENV_SPEED=1 measures, pytest -s")
def test_the_speeds_of_node_and_pytorch_are_measured(trained):
    """With one thread and one conversation at a time.

    Nothing is asserted of them: they depend on the model and on the machine.
    """
    some = load_questions("dev")[:8]
    for name, speed in dict(PyTorch=torch_speed, Node=node_speed).items():
        print(f"{name}: {speed(trained, some):.0f} tokens a second of the processor")


MODELS_FOLDER = PLAY / "models"


def read_models(name):
    return json.loads((MODELS_FOLDER / name).read_text(encoding="utf-8"))


def unpack_model(name, settings, room):
    "A model of the page, as a folder with the files of a saved one"
    folder = room / name
    folder.mkdir()
    for part in ("config", "tokenizer", "tokenizer_config"):
        (folder / f"{part}.json").write_text(json.dumps(settings[part]))
    packed = (MODELS_FOLDER / f"{name}.gz").read_bytes()
    (folder / "model.safetensors").write_bytes(unpack_weights(packed))
    return folder


def play_on_page(page, agent, episode):
    "An episode in the page's own loop: its turns, and those with the same tokens"
    state = page.begin_agent("model", "", question_id=episode["question_id"])
    for i, turn in enumerate(episode["turns"]):
        assert state["goes_on"]
        out = agent("generate", state["conversation"], dict(maxTokens=state["max_new_tokens"]))
        if out["ids"] != turn["writes"]:
            assert as_good(out, turn["writes"]), (turn, out["text"])
            return i + 1, i
        state = page.reply("model", out["ids"])
    assert (state["goes_on"], state["correct"]) == (False, episode["correct"])
    return len(episode["turns"]), len(episode["turns"])


@AGENT
@pytest.mark.skipif(
    not (MODELS_FOLDER / "episodes.json").is_file(), reason="no models are packed for the page"
)
@pytest.mark.parametrize("name", ["sft", "grpo"])
def test_the_page_plays_its_models_as_the_engine_did(tmp_path, name):
    """They lie in `nbs/play/models` with greedy episodes that the engine wrote when packed.

    The page's own loop plays the same questions: its Python reads the calls, runs them and says
    what comes next, the agent in Node writes. Every token, the end and the verdict of each episode
    are the same, although the packed weights have fewer bits.
    """
    settings, episodes = read_models("agent.json"), read_models("episodes.json")[name]
    with agent_process(unpack_model(name, settings, tmp_path)) as agent:
        page = page_environment.BrowserEnvironment()
        page.use_model(
            settings,
            lambda text: agent("tokenize", [text])[0],
            lambda ids, special: agent("decode", [ids], dict(special=special))[0],
        )
        counts = [play_on_page(page, agent, episode) for episode in episodes]
    turns, same = map(sum, zip(*counts, strict=True))
    assert same > 0.9 * turns
