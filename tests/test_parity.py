"""The same weights play the same episodes in TRL's loop, in ours and in evaluation."""

import json
from pathlib import Path

import pytest
import torch
import trl.chat_template_utils
from scripted import scripted_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from sqlenv.adapter import Chat, factory, prompt, rows
from sqlenv.data import load_questions
from sqlenv.env import SQLEnvironment
from sqlenv.grpo import make_trainer
from sqlenv.sft import train_sft
from sqlenv.sql.answers import render_answer
from sqlenv.training.config import from_dict
from sqlenv.training.demonstrations import demonstrate
from sqlenv.training.engine import Engine, KVCache
from sqlenv.training.models import quiet, tiny_tokenizer
from sqlenv.training.rollout import Rollout, Sampling, rollout_batch
from sqlenv.workflow.cli import main
from sqlenv.workflow.saved_models import rollout_model

# The same weights once scored 0.27 in a trainer and 0.17 in its evaluation, because the two
# rendered, sampled or ended episodes differently. Here nothing may differ, token by token. The
# model is untrained and scripted: mostly it makes calls, now and then it writes something else, and
# what it writes depends on everything that it has read.


questions = load_questions("dev")[:12]
tokenizer = tiny_tokenizer([q.question for q in load_questions("train")[:200]], 512)
tables = sorted({t for q in questions for t in q.tables})
examples = {
    "describe": tables,
    "sample": tables,
    "query": [f"SELECT COUNT(*) FROM {t}" for t in tables]
    + [f"SELECT * FROM {t} LIMIT 2" for t in tables]
    + ["SELECT name FROM nowhere"],
    "answer": ["42", "7", "unknown"],
    "": ["I do not know", "Done."],
}
tools = {"describe": 2, "query": 2, "sample": 1, "answer": 0.5, "": 0.1}


@pytest.fixture(scope="module")
def model():
    quiet()
    return scripted_model(tokenizer, tools, examples, loudness=2.5, seed=3)


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    return tmp_path_factory.mktemp("parity")


def config(**changes):
    return from_dict(
        dict(
            prompts=6,
            group=2,
            grpo_steps=1,
            budget=6,
            marks=False,
            max_new_tokens=24,
            max_completion=450,
            slots=4,
        )
        | changes
    )


def trainer_for(way, model, room, **changes):
    c = config(rollout=way)
    t = make_trainer(c, model, tokenizer, questions, None, room / way, **changes)
    return t


def by_trl(model, room, questions):
    t = trainer_for("trl", model, room)
    t.generation_config.do_sample = False
    with torch.no_grad():
        out = t._generate_and_score_completions(rows(questions))
    ids, masks = [], []
    for new, real, tool in zip(
        out["completion_ids"], out["completion_mask"].bool(), out["tool_mask"], strict=True
    ):
        ids.append(new[real].tolist())
        masks.append(tool[: real.sum()].tolist())
    return ids, masks, t.environments


def by_engine(model, questions, how):
    chat, make, rollouts = Chat(tokenizer), factory(budget=6), []
    for q in questions:
        e = make()
        rollouts.append(Rollout(chat, e, chat.start(e.env.reset(question=q).text), how))
    Engine(model, tokenizer.eos_token_id, how.temperature, how.slots).run(rollouts)
    return rollouts


c = config()
greedy = Sampling(0.0, c.max_new_tokens, c.max_completion, c.slots)


@pytest.fixture(scope="module")
def rollouts(model):
    "Greedy"
    return by_engine(model, questions, greedy)


@pytest.fixture(scope="module")
def endings(rollouts):
    return [p.episode.reason for p in rollouts]


@pytest.fixture(scope="module")
def trained(model, room):
    "What the trainer's rollout plays from a seed"
    return rollout(model, room, seed=3)[0]


def rollout(model, room, seed):
    t = trainer_for("sqlenv", model, room)
    torch.manual_seed(seed)
    return t.rollout_func([r["prompt"] for r in rows(questions)], t), t


def test_our_episode_is_the_beginning_of_trls(model, room, rollouts):
    """TRL's trainer accepts no temperature of 0, so its generation is told not to sample.

    They differ in one rule only: it plays on after the end of an episode, so ours must be the
    beginning of its own.
    """
    ids, masks, environments = by_trl(model, room, questions)
    for i, m, e, p in zip(ids, masks, environments, rollouts, strict=True):
        n = len(p.completion)
        assert i[:n] == p.completion
        assert m[:n] == p.mask
        theirs, ours = e.episode, p.episode
        assert theirs.turns == ours.turns  # actions, tool results, rewards
        assert (theirs.answer, theirs.correct, theirs.reward) == (
            ours.answer,
            ours.correct,
            ours.reward,
        )
        assert len(i) == n or e.episode.done


def test_the_episodes_end_in_all_ways(rollouts, endings):
    assert {
        "a turn without a tool call",
        "the conversation grew too long",
        "the steps were used up without an answer",
    } < set(endings) and any(p.episode.answer for p in rollouts)
    assert sum(not t.error for p in rollouts for t in p.episode.turns) > 10


def test_training_and_evaluation_are_one_engine(model, trained):
    "From the same seed they play the same episodes, when sampling too"
    torch.manual_seed(3)
    sampling = Sampling(1.0, c.max_new_tokens, c.max_completion, slots=7)
    evaluated = rollout_batch(model, tokenizer, factory(budget=6), questions, sampling)
    assert [e.episode.turns for e in trained["environments"]] == [e.turns for e in evaluated]


def by_generate(model, question, how):
    chat, e = Chat(tokenizer), factory(budget=6)()
    rollout = Rollout(chat, e, chat.start(e.env.reset(question=question).text), how)
    while True:
        before = rollout.prompt + rollout.completion
        new = model.generate(
            torch.tensor([before]),
            attention_mask=torch.ones(1, len(before), dtype=torch.long),
            max_new_tokens=rollout.max_new_tokens,
            do_sample=False,
            eos_token_id=tokenizer.eos_token_id,
        )[0, len(before) :].tolist()
        if not rollout.reply(new, [0.0] * len(new)):
            return rollout


def test_transformers_alone_plays_the_same_greedy_episodes(model, rollouts):
    "With one `generate` a turn over the whole conversation"
    for q, p in zip(questions[:4], rollouts[:4], strict=True):
        assert by_generate(model, q, greedy).completion == p.completion


def gap(model, prompt, completion, mask, logps, temperature=1.0):
    with torch.no_grad():
        logp = torch.log_softmax(
            model(input_ids=torch.tensor([prompt + completion])).logits[0].float() / temperature, -1
        )
    n = len(prompt)
    return max(
        abs(logp[n + i - 1, completion[i]].item() - logps[i])
        for i in range(len(completion))
        if mask[i]
    )


def test_log_probabilities_are_those_of_one_forward_pass(model, trained):
    "Over prompt and completion, to 1e-4 in float32"
    columns = [trained[k] for k in ("prompt_ids", "completion_ids", "env_mask", "logprobs")]
    worst = max(gap(model, *row) for row in zip(*columns, strict=True))
    assert worst < 1e-4


def test_log_probabilities_are_right_at_another_temperature(model):
    warm = by_engine(model, questions[:4], Sampling(0.7, c.max_new_tokens, c.max_completion, 3))
    assert max(gap(model, p.prompt, p.completion, p.mask, p.logps, 0.7) for p in warm) < 1e-4


def test_both_loops_take_a_whole_training_step(room):
    "Three weighted reward columns, with the same names in TRL's log"
    logs = {}
    for way in ("trl", "sqlenv"):
        t = trainer_for(
            way,
            scripted_model(tokenizer, tools, examples, loudness=2.5, seed=3),
            room,
            reward_weights=[1.0, 0.5, 0.25],
        )
        t.train()
        logs[way] = next(h for h in t.state.log_history if "reward" in h)
    columns = ("reward_correctness", "reward_progress", "reward_operational")
    for log in logs.values():
        assert all(f"rewards/{n}/mean" in log for n in columns) and log["grad_norm"] > 0
        weighed = sum(
            w * log[f"rewards/{n}/mean"] for n, w in zip(columns, (1, 0.5, 0.25), strict=True)
        )
        assert abs(log["reward"] - weighed) < 1e-5
    assert {k for k in logs["trl"] if not k.startswith("profiling")} <= set(logs["sqlenv"])


def scarce(most):
    "A `reserve` that has memory for so many rows"
    inner = KVCache.reserve

    def reserve(self, columns):
        if self.rows > most:
            raise torch.OutOfMemoryError("out of memory (provoked)")
        return inner(self, columns)

    return reserve


def test_a_rollout_out_of_memory_is_played_again_with_half_the_slots(
    model, room, trained, monkeypatch
):
    "The seeds are kept, so it is the same rollout"
    monkeypatch.setattr(KVCache, "reserve", scarce(2))
    again, t = rollout(model, room, seed=3)
    assert again["completion_ids"] == trained["completion_ids"]
    assert t.rollout_func.sampling.slots == 2


def test_an_episode_ends_at_a_result_for_which_there_is_no_room():
    """The completion never outgrows its budget.

    It has the log-probabilities of what is returned.
    """
    tight = Sampling(1.0, c.max_new_tokens, 200, 4)
    torch.manual_seed(5)
    talker = scripted_model(tokenizer, {"describe": 1, "query": 1}, examples, loudness=0.5)
    cut = by_engine(talker, questions, tight)
    cut = [p for p in cut if p.episode.reason == "the conversation grew too long"]
    assert len(cut) >= 3
    for p in cut:
        assert len(p.mask) == len(p.logps) == len(p.completion) <= tight.max_completion
        assert any(p.mask) and gap(talker, p.prompt, p.completion, p.mask, p.logps) < 1e-4


def says(text, strict=False, room=300):
    "What the model reads after it has written this, or why the episode ends; and the episode."
    chat, e = Chat(tokenizer), factory(strict=strict)()
    rollout = Rollout(
        chat, e, chat.start(e.env.reset(question=questions[0]).text), Sampling(1.0, room, 2000)
    )
    ids = (tokenizer.encode(text) if isinstance(text, str) else text)[:room]
    on = rollout.reply(ids, [0.0] * len(ids))
    if not on:
        return e.episode.reason, e.episode
    text = tokenizer.decode(rollout.read).split("<tool_response>\n", 1)[1]
    text = text.split("\n</tool_response>\n<|im_end|>")[0]
    return text.split("</tool_response><|im_end|>")[0].strip(), e.episode


def call(name, arguments):
    "A call as the template writes it."
    body = f'{{"name": {json.dumps(name)}, "arguments": {json.dumps(arguments)}}}'
    return f"<tool_call>\n{body}\n</tool_call>"


end = "<|im_end|>"


table = questions[0].tables[0]
cases = {
    "nothing": end,
    "plain text": "I think it is 42." + end,
    "never stops": "x " * 300,
    "broken JSON": '<tool_call>\n{"name": "query", "arguments": {"sql": \n</tool_call>' + end,
    "unknown tool": call("drop", {}) + end,
    "no object": call("query", "SELECT 1") + end,
    "a list": call("query", ["SELECT 1"]) + end,
    "a list within": call("query", dict(sql=["SELECT 1"])) + end,
    "null": call("query", None) + end,
    "no arguments": '<tool_call>\n{"name": "query"}\n</tool_call>' + end,
    "too many arguments": call("describe", dict(table_name=table, sql=None)) + end,
    "a number": call("describe", dict(table_name=7)) + end,
    "half a surrogate pair": call("describe", dict(table_name="\ud800")) + end,
    "a zero byte": call("query", dict(sql="SELECT 1\0")) + end,
    "no name": '<tool_call>\n{"arguments": {}}\n</tool_call>' + end,
    "name no text": '<tool_call>\n{"name": 7, "arguments": {}}\n</tool_call>' + end,
    "not a single token": [],
    "cut off within a call": call("query", dict(sql="SELECT 1"))[:45],
    "a good and a broken call": call("describe", dict(table_name=table))
    + '\n<tool_call>\n{"name": \n</tool_call>'
    + end,
}


@pytest.mark.parametrize("case", cases)
def test_whatever_a_model_writes_has_an_outcome_that_it_reads(case):
    "And nothing that it writes ends the run"
    text, e = says(cases[case])
    assert text
    read_as_sql = case in ("a number", "half a surrogate pair", "a zero byte")
    assert (not e.malformed and not e.plain) == read_as_sql


def test_too_many_arguments_run_all_the_same():
    assert says(cases["too many arguments"])[0].startswith(table)


def test_strict_says_what_is_wrong():
    assert "exactly the argument" in says(cases["too many arguments"], strict=True)[0]


def test_an_unknown_tool_is_named():
    assert "Tool drop not found" in says(cases["unknown tool"])[0]


@pytest.mark.parametrize("case", ["not a single token", "cut off within a call"])
def test_a_turn_that_breaks_off_is_no_call(case):
    assert says(cases[case])[0] == "a turn without a tool call"


def test_bytes_that_are_not_utf8_are_no_call():
    raw = tokenizer.convert_tokens_to_ids(["Ã", "ĥ", "Ã"])
    assert "\ufffd" in tokenizer.decode(raw)
    assert says(raw + [tokenizer.eos_token_id])[0] == "a turn without a tool call"


def test_two_calls_in_one_turn_are_both_run_and_read():
    text, e = says(
        call("describe", dict(table_name=table))
        + "\n"
        + call("query", dict(sql="SELECT 1 AS one"))
        + end
    )
    assert len(e.turns) == 2 and table in text and "one" in text


def test_after_an_answer_a_second_call_changes_nothing():
    _, e = says(call("answer", dict(value="42")) + "\n" + call("query", dict(sql="SELECT 1")) + end)
    assert e.done and e.after_end == 1


def ours(name, e, start, new, budget):
    "The same turn, played by us: what the model reads next, and the episode."
    mine = factory(budget=budget)()
    mine.reset(question_id=e.episode.question.question_id)
    rollout = Rollout(Chat(tokenizer), mine, start, Sampling(1.0, 300, 900))
    goes_on = rollout.reply(new, [0.0] * len(new))
    return start + rollout.completion if goes_on else None, mine.episode


def test_trls_loop_reads_the_same_after_the_same_turns(room):
    """A stand-in for the model writes these first, then an answer, then plain text.

    The step finishes, and every conversation that goes on has read the same tokens as ours. Two
    outcomes are TRL's own. Calls of unknown tools and arguments that are no object never reach a
    tool, so TRL itself answers and counts them. A turn without a single token, not even one that
    ends it, comes from servers only, and TRL's parser takes it for a batch.
    """
    names = [k for k, v in cases.items() if v]
    names += names[: len(names) % 2]
    turns = [tokenizer.encode(cases[k]) for k in names]
    c = config(rollout="trl", prompts=len(turns) // 2, max_completion=900)
    t = make_trainer(
        c,
        scripted_model(tokenizer, tools, examples, seed=6),
        tokenizer,
        questions[: c.prompts],
        None,
        room / "bad",
    )
    seen = []
    later = [call("answer", dict(value="42")) + end, "Done." + end]
    later = [tokenizer.encode(text) for text in later]

    def written(prompt_ids, *args, **kwargs):
        "In place of TRL's generation."
        seen.append([list(ids) for ids in prompt_ids])
        if len(seen) == 1:
            return [list(ids) for ids in turns], None
        return [list(later[min(len(seen) - 2, 1)]) for _ in prompt_ids], None

    t._generate_single_turn = written
    t.train()
    assert any("reward" in h and h["grad_norm"] == h["grad_norm"] for h in t.state.log_history)
    same = [ours(*x, c.budget) for x in zip(names, t.environments, seen[0], turns, strict=True)]
    goes_on = [(n, ids) for n, (ids, _) in zip(names, same, strict=True) if ids]
    for (name, ids), theirs in zip(goes_on, seen[1], strict=True):
        if name in ("no object", "a list"):
            assert "must be a mapping" in tokenizer.decode(theirs)
        else:
            assert theirs == ids
    for name, e, (_, mine) in zip(names, t.environments, same, strict=True):
        by_trl_itself = name in ("no object", "a list", "unknown tool")
        assert e.episode.malformed == (0 if by_trl_itself else mine.malformed)
        assert e.episode.answer == (None if mine.plain else "42")


def shipped(name):
    "A template that comes with TRL."
    folder = Path(trl.chat_template_utils.__file__).parent / "chat_templates"
    return (folder / f"{name}.jinja").read_text()


LLAMA = [
    "<|begin_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|python_tag|>",
]
QWEN = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
EDITED = "{# edited #}"
TEMPLATES = {
    "Llama 3.1": (LLAMA, shipped("llama3_1")),
    "Llama 3.1, edited": (LLAMA, EDITED + shipped("llama3_1")),
    "Llama 3.2, edited": (LLAMA, EDITED + shipped("llama3_2")),
    "tags, edited": (QWEN, EDITED + shipped("qwen2_5")),
}


def small_tokenizer(special, template):
    "A byte-level tokenizer with the special tokens and the template of a family."
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    t.train_from_iterator(
        [q.question for q in questions],
        trainers.BpeTrainer(
            vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
        ),
    )
    names = dict(
        bos_token=special[0],
        eos_token=special[3] if special is LLAMA else special[2],
        pad_token=special[0],
    )
    tok = PreTrainedTokenizerFast(
        tokenizer_object=t, padding_side="left", clean_up_tokenization_spaces=False, **names
    )
    tok.chat_template = template
    return tok


class Kept(Rollout):
    "An episode that keeps the results of its last turn."

    def act(self, new):
        self.results = super().act(new)
        return self.results


def played_right(tok, question):
    "An episode that runs the gold query and answers, token by token beside its messages."
    chat, e = Chat(tok, train=False), factory()()
    observation = e.env.reset(question=question).text
    rollout = Kept(chat, e, chat.start(observation), Sampling(0.0, 400, 4000))
    said = prompt(observation)
    for tool, argument, value in (
        ("query", "sql", question.gold_sql),
        ("answer", "value", render_answer(e.env.gold)),
    ):
        call = dict(type="function", function=dict(name=tool, arguments={argument: value}))
        before = chat.ids(said, tools=chat.schemas, add_generation_prompt=True)
        said = said + [dict(role="assistant", content="", tool_calls=[call])]
        turn = chat.ids(said, tools=chat.schemas)[len(before) :]
        turn = turn[: turn.index(tok.eos_token_id) + 1]
        goes_on = rollout.reply(turn, [0.0] * len(turn))
        if goes_on:
            said.append(dict(role="tool", name=tool, content=rollout.results[0][1]))
            assert rollout.prompt + rollout.completion == chat.ids(
                said, tools=chat.schemas, add_generation_prompt=True
            )
    return e.episode


@pytest.fixture(scope="module", params=TEMPLATES)
def tok(request):
    """Of a template that TRL cannot train, which evaluation does not need.

    TRL can read the calls of Llama 3.1's own template but cannot train with it; an edited template
    it does not know at all, such as those that write calls in tags, as Hermes' family does.
    """
    return small_tokenizer(*TEMPLATES[request.param])


@pytest.fixture(scope="module")
def weights(tok):
    sizes = dict(
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    ends = dict(eos_token_id=tok.eos_token_id, pad_token_id=tok.pad_token_id)
    return LlamaForCausalLM(LlamaConfig(vocab_size=len(tok), **ends, **sizes)).eval()


@pytest.fixture(scope="module")
def saved(tok, weights, tmp_path_factory):
    folder = tmp_path_factory.mktemp("llama")
    for part in (weights, tok):
        part.save_pretrained(folder)
    return folder


def test_trl_cannot_train_with_the_template(tok):
    with pytest.raises(Exception, match="TRL cannot train"):
        Chat(tok)


def test_a_model_reads_what_its_template_makes_of_the_whole_conversation(tok):
    "Played token by token, to the right answer"
    episode = played_right(tok, questions[0])
    assert episode.correct and not episode.malformed and not episode.plain


def test_random_weights_are_played(tok, weights):
    guesses = rollout_batch(weights, tok, factory(budget=3), questions[:2], Sampling(0.0, 16, 300))
    assert len(guesses) == 2 and all(e.reason for e in guesses)


def test_a_folder_with_the_template_is_played_as_any_other(saved):
    episodes = rollout_model(str(saved), SQLEnvironment(budget=10), questions[:2])
    assert [e.question for e in episodes] == questions[:2]
    assert all(e.reason for e in episodes)


def test_a_folder_with_the_template_is_evaluated_from_the_command_line(saved, capsys):
    assert main(["eval", "--model", str(saved), "-n", "2"]) == 0
    assert "0.0%" in capsys.readouterr().out


def test_training_with_the_template_is_refused_with_a_sentence(tok, weights, tmp_path):
    shown, _ = demonstrate(questions[:2])
    with pytest.raises(Exception, match="TRL cannot train"):
        train_sft(config(), weights, tok, shown, tmp_path / "sft")
