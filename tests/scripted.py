"""An untrained Qwen3 that follows a script: a table of what may follow which token is added to its
logits. Within the table's choices its random weights decide, so that what it says depends on
everything that it has read. It calls tools without having learned to, and its episodes can be as
long as a test or a benchmark wants."""

import random
from itertools import pairwise

from sqlenv.training.models import opening, tiny_config


def scripted_class() -> type:
    "A Qwen3 whose next token follows a table."
    from transformers import Qwen3ForCausalLM

    class Scripted(Qwen3ForCausalLM):
        def forward(self, input_ids=None, **kwargs):
            "Logits of the transformer, made quieter, plus those of the table."
            out = super().forward(input_ids=input_ids, **kwargs)
            if out.logits is not None:
                table = self.table[input_ids[:, -out.logits.shape[1] :]]
                out.logits = out.logits * self.loudness + table
            return out

    return Scripted


OPENINGS = dict(
    describe=opening("describe", "table_name"),
    sample=opening("sample", "table_name"),
    query=opening("query", "sql"),
    answer=opening("answer", "value"),
)


def follow_table(
    tokenizer,  # in whose tokens the calls are spelt
    tools: dict[str, float],  # tool -> how often a turn begins with its call; '' is plain text
    examples: dict[str, list[str]],  # tool -> arguments
):  # a tensor (vocabulary, vocabulary): logarithms of how often one token follows another
    "A table by which a model makes tool calls."
    import torch

    count = torch.zeros((len(tokenizer),) * 2)
    first = torch.zeros(len(tokenizer))  # how often a turn begins with a token
    close = tokenizer.encode('"}}\n</tool_call>')[0]
    end = tokenizer.eos_token_id
    for tool, weight in tools.items():
        for text in examples[tool]:
            ids = [*tokenizer.encode(text), close if tool else end]
            if tool:
                ids = [tokenizer.encode(OPENINGS[tool])[0], *ids]
            first[ids[0]] += weight / len(examples[tool])
            for a, b in pairwise(ids):
                count[a, b] += 1
    count[close, end] = 1
    count[count.sum(1) == 0] = first
    return count.log().clamp(min=-1e4)


def babble(
    words: list[str],  # drawn from at random
    length: int = 8,  # mean number of words in a text
    n: int = 400,  # texts
    seed: int = 0,  # of the draws
) -> list[str]:
    "Random texts, for turns of random length."
    rng = random.Random(seed)
    texts = []
    for _ in range(n):
        size = min(8 * length, 1 + int(rng.expovariate(1 / length)))
        texts.append(" ".join(rng.choices(words, k=size)))
    return texts


def scripted_model(
    tokenizer,  # in whose tokens it talks
    tools: dict[str, float],  # as for `follow_table`
    examples: dict[str, list[str]],  # as for `follow_table`
    hidden: int = 64,  # width of the residual stream
    layers: int = 2,  # of the transformer
    heads: int = 4,  # of attention
    head_dim: int = 32,  # numbers a head
    loudness: float = 0.2,  # influence of the random weights; with 0 the table alone decides
    seed: int = 0,  # of the random weights
):  # of the class `scripted_class()`, ready to generate
    "An untrained model that talks by `follow_table`."
    import torch

    torch.manual_seed(seed)
    shape = (hidden, layers, heads, head_dim)
    model = scripted_class()(tiny_config(tokenizer, *shape, initializer_range=0.1))
    model.table, model.loudness = follow_table(tokenizer, tools, examples), loudness
    return model.eval()
