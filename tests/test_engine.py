"""Replies that take long hold up only their own conversation."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from sqlenv.training.engine import Engine


class Replies:
    "Counts the replies that are being made at the same time"

    def __init__(self, patience):
        self.patience = patience  # seconds to wait for another reply to begin
        self.running = self.most = self.made = 0
        self.met, self.lock = threading.Event(), threading.Lock()

    def make(self):
        self.count(1)
        self.met.wait(self.patience)
        time.sleep(0.05)
        self.count(-1)

    def count(self, n):
        with self.lock:
            self.running += n
            self.made += n > 0
            self.most = max(self.most, self.running)
        if self.running > 1:
            self.met.set()


class Slow:
    "A conversation of five turns whose replies take a while"

    def __init__(self, replies):
        self.read, self.max_new_tokens = [5, 6, 7], 3
        self.left, self.replies = 4, replies

    def reply(self, new, logps):
        self.replies.make()
        self.read, self.left = [8, 9], self.left - 1
        return self.left >= 0


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    sizes = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, head_dim=16)
    heads = dict(num_attention_heads=4, num_key_value_heads=2)
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=40, **sizes, **heads)).eval()


def test_with_an_executor_replies_overlap(model):
    replies = Replies(patience=60)
    with ThreadPoolExecutor(4) as executor:
        Engine(model, 2, slots=4, executor=executor).run([Slow(replies) for _ in range(4)])
    assert (replies.made, replies.most > 1) == (20, True)


def test_without_one_there_is_never_more_than_one(model):
    replies = Replies(patience=0)
    Engine(model, 2, slots=4).run([Slow(replies) for _ in range(4)])
    assert (replies.made, replies.most) == (20, 1)
