"""A pretrained Qwen3: its template, its tokens that end a turn, and what is saved of it.

Qwen3's own tokenizer is not part of this repository. `QWEN_TOKENIZER` names a folder that holds it,
as `save_pretrained` writes it. Without it, these tests run with a tokenizer that knows all of its
special tokens and reads everything else byte by byte.
"""

import json
import os

import pytest
import torch
from safetensors.torch import load_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    AutoTokenizer,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
    TrainerCallback,
)

from sqlenv.adapter import Chat, call_message, factory, prompt, tool_schemas
from sqlenv.data import embedded_folder, load_questions
from sqlenv.env import SQLAction
from sqlenv.grpo import make_trainer, train_grpo
from sqlenv.sft import start_model, train_sft
from sqlenv.training.config import from_dict, load_profile
from sqlenv.training.demonstrations import demonstrate
from sqlenv.training.engine import Engine, end_tokens
from sqlenv.training.models import chat_template, load_model, save_model, training_dtype
from sqlenv.training.rollout import Sampling, begin_rollouts

ENDS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TAGS = ["tool_call", "tool_response", "think"]


def of_bytes():
    "A tokenizer with Qwen3's special tokens and template, and no words"
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    t = Tokenizer(models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    t.decoder = decoders.ByteLevel()
    t.add_special_tokens([AddedToken(end, special=True) for end in ENDS])
    t.add_tokens([AddedToken(f"<{end}{tag}>") for tag in TAGS for end in ("", "/")])
    found = PreTrainedTokenizerFast(
        tokenizer_object=t, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    found.chat_template = chat_template()
    return found


@pytest.fixture(scope="module", params=["bytes", "Qwen3"])
def tokenizer(request):
    if request.param == "bytes":
        return of_bytes()
    if not (folder := os.environ.get("QWEN_TOKENIZER")):
        pytest.skip("QWEN_TOKENIZER does not name a folder with Qwen3's own tokenizer")
    own = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    own.chat_template = chat_template()
    return own


@pytest.fixture(scope="module")
def questions():
    return load_questions("dev")[:2]


def qwen(tokenizer, **more):
    "A very small model of Qwen3's shape, with the generation settings of the Hub's"
    torch.manual_seed(0)
    sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=2, head_dim=8)
    heads = dict(num_attention_heads=2, num_key_value_heads=1, tie_word_embeddings=True)
    eos, pad = tokenizer.eos_token_id, tokenizer.pad_token_id
    config = Qwen3Config(vocab_size=len(tokenizer), **sizes, **heads, bos_token_id=pad, **more)
    model = Qwen3ForCausalLM(config)
    how = dict(do_sample=True, temperature=0.6, top_k=20, top_p=0.95)
    model.generation_config.update(eos_token_id=[eos, pad], pad_token_id=pad, **how)
    return model.eval()


NO_THOUGHT = "<|im_start|>assistant\n<think>\n\n</think>\n\n"


def test_it_is_not_to_think(tokenizer):
    """An untrained Qwen3 would think before each call, beyond the end of its turn; with the empty
    thought in the prompt it calls at once. The prompt, the turns and the results are the
    conversation that SFT trains on, token by token."""
    chat, talk = Chat(tokenizer), prompt("Question: how many?\nTables: orders")
    read = chat.start(talk[-1]["content"])
    for action in (
        SQLAction("DESCRIBE", "orders"),
        SQLAction("QUERY", "SELECT 'é', COUNT(*) FROM orders"),
    ):
        assert tokenizer.decode(read).endswith(NO_THOUGHT)
        said = call_message(action)
        whole = chat.ids([*talk, said], tools=tool_schemas())
        assert whole[: len(read)] == read
        end = whole.index(tokenizer.eos_token_id, len(read)) + 1
        ((name, arguments),) = chat.calls(whole[len(read) : end], read)
        assert (name, list(arguments.values())) == (action.kind.lower(), [action.argument])
        talk += [said, dict(role="tool", name=name, content="3 rows\n| a |")]
        read = whole[:end] + chat.suffix([(name, "3 rows\n| a |")])


def test_trl_writes_the_same_prompt(tokenizer, questions, tmp_path):
    small = dict(prompts=2, group=2, grpo_steps=1, max_new_tokens=8, max_completion=64)
    c = from_dict(small | dict(rollout="trl", model="Qwen/Qwen3-0.6B"))
    loop = make_trainer(c, qwen(tokenizer), tokenizer, questions, None, tmp_path)
    assert loop.chat_template_kwargs == dict(enable_thinking=False)
    (asked, *_), loop._batch_environments = loop.train_dataset, [None]
    by_trl = loop._tokenize_prompts([asked["prompt"]])[0][0]
    (rollout, *_) = begin_rollouts(tokenizer, factory(marks=c.marks), questions[:1], Sampling())
    assert by_trl == rollout.prompt


@pytest.mark.parametrize("token, length", [*zip(ENDS, (1, 9, 1), strict=True)])
def test_two_tokens_end_its_turn(tokenizer, questions, token, length):
    """A model that says one of them, whatever it has read, has turns of one token; one that says
    something else goes on until the turn is full."""
    model, said = qwen(tokenizer), tokenizer.convert_tokens_to_ids(token)

    def louder(module, given, out):
        out.logits[..., said] += 1e4

    model.register_forward_hook(louder)
    how = Sampling(0.0, max_new_tokens=9)
    (rollout,) = begin_rollouts(tokenizer, factory(), questions[:1], how)
    Engine(model, tokenizer.eos_token_id, 0.0).run([rollout])
    assert len(rollout.completion) == length


def test_what_is_saved(tmp_path):
    """A model that was trained with recomputed activations is saved with its cache switched on and
    both end tokens, and without the temperature and the top-k that Qwen3 comes with: a server would
    sample with them."""
    tokenizer, folder = of_bytes(), tmp_path / "grpo"
    model, c = qwen(tokenizer), from_dict(load_profile("colab"))
    model.config.use_cache = False
    save_model(model, tokenizer, folder, c)
    saved, how = (
        json.loads((folder / f"{name}.json").read_text())
        for name in ("config", "generation_config")
    )
    assert f"revision `{c.revision}`" in (folder / "README.md").read_text()
    assert saved["use_cache"]
    assert set(how) - {"transformers_version"} == {"eos_token_id", "pad_token_id", "bos_token_id"}
    again, its_tokenizer = load_model(str(folder))
    assert end_tokens(again) == {its_tokenizer.eos_token_id, its_tokenizer.pad_token_id}


class Dtypes(TrainerCallback):
    "Notes how frozen and trained weights are held while a model trains"

    def on_train_begin(self, args, state, control, model=None, **kw):
        self.found = {p.requires_grad: str(p.dtype) for p in model.parameters()}


@pytest.fixture
def card(monkeypatch):
    "What is asked before bf16; and torch multiplies afterwards as it did"
    name = "transformers.training_args.is_torch_bf16_gpu_available"
    monkeypatch.setattr(name, lambda: True)
    threads, precision = torch.get_num_threads(), torch.get_float32_matmul_precision()
    yield
    torch.set_num_threads(threads)
    torch.set_float32_matmul_precision(precision)


@pytest.mark.parametrize("half", ["bf16", "fp16"])
def test_in_half_precision(half, card, tmp_path):
    """The profile `l4` with bfloat16, and with float16 in its place, cut short: what is frozen is
    held in 16 bits, what LoRA learns in 32, and so is the sum that is saved, since in 16 bits a
    part of the update would be lost. There is no GPU here and so nothing scales the loss in
    float16, as `GradScaler` does on a card; no card has run either of them."""
    tokenizer = of_bytes()
    for part in qwen(tokenizer), tokenizer:
        part.save_pretrained(tmp_path / "base")
    values = load_profile("l4") | dict(bf16=False, revision=None, model=str(tmp_path / "base"))
    few = dict(
        sft_steps=2, sft_batch=2, micro_batch=1, grpo_steps=1, prompts=2, group=2, eval_size=1
    )
    c = from_dict(values | few | dict(max_completion=8000, max_new_tokens=8) | {half: True})
    held = {False: f"torch.{training_dtype(c)}", True: "torch.float32"}
    conversations, _ = demonstrate(load_questions("dev")[:4])
    (model, tokenizer), dtypes = start_model(c, conversations), Dtypes()
    train_sft(c, model, tokenizer, conversations, tmp_path / "sft", [dtypes])
    assert dtypes.found == held
    train_grpo(c, tmp_path / "sft", embedded_folder(), tmp_path, [dtypes])
    assert dtypes.found == held

    base, sft, grpo = (
        load_file(tmp_path / name / "model.safetensors") for name in ("base", "sft", "grpo")
    )
    assert {x.dtype for x in [*sft.values(), *grpo.values()]} == {torch.float32}
    learned = sorted(k for k in sft if k.endswith("proj.weight"))
    dtype = getattr(torch, training_dtype(c))
    before = torch.cat([base[k].to(dtype).float().flatten() for k in learned])
    after = torch.cat([sft[k].flatten() for k in learned])
    update, rounded = after - before, after.to(dtype).float() - before
    assert update.norm() > 0 and (update - rounded).norm() > 0


def logps_of(model, ids):
    "The log-probability of each token after those before it"
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0, :-1].float()
    return logits.log_softmax(-1).gather(1, torch.tensor(ids[1:])[:, None])[:, 0]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=["fp16", "bf16"])
def test_16_bits_hardly_move_log_probabilities(tokenizer, questions, dtype):
    messages = demonstrate(questions[:1])[0][0]
    ids = Chat(tokenizer).ids(messages, tools=tool_schemas())
    exact = logps_of(qwen(tokenizer), ids)
    assert (logps_of(qwen(tokenizer).to(dtype), ids) - exact).abs().max() < 0.1


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=["fp16", "bf16"])
def test_the_engine_plays_with_16_bits(tokenizer, questions, dtype):
    "What it notes of its tokens are the log-probabilities of one forward pass"
    model = qwen(tokenizer).to(dtype)
    (rollout,) = begin_rollouts(tokenizer, factory(), questions[:1], Sampling(1.0, 8))
    Engine(model, tokenizer.eos_token_id).run([rollout], [0])
    own = logps_of(model, rollout.prompt + rollout.completion)[-len(rollout.completion) :]
    mask = torch.tensor(rollout.mask, dtype=torch.bool)
    assert (torch.tensor(rollout.logps) - own)[mask].abs().max() < 0.1
