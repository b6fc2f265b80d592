"""Temperatures: greedy where one answer has to be the best, varied where another one is wanted."""

import re
from typing import TypeVar

GREEDY = 0.0
VARIED = 0.8
# Models that reason before they answer repeat themselves without end when decoded greedily; their
# cards name the lowest temperature (DeepSeek-R1, QwQ, Qwen3: 0.6; gpt-oss and Magistral more).
_REASONING = {
    re.compile(r"deepseek-r1|qwq|phi-?4-.*reasoning"): 0.6,
    re.compile(r"qwen3(?![\w.:-]*(coder|instruct))"): 0.6,
    re.compile(r"magistral"): 0.7,
    re.compile(r"gpt-oss"): 1.0,
}
_Wanted = TypeVar("_Wanted", float, float | None)


def lowest_temperature(model: str) -> float:
    """The lowest temperature at which the model, by its name, does not loop."""
    name = model.lower()
    return next((low for words, low in _REASONING.items() if words.search(name)), GREEDY)


def reasons(model: str) -> bool:
    """Whether a model, by its name, thinks before it answers."""
    return lowest_temperature(model) > GREEDY


def for_model(temperature: _Wanted, model: str) -> _Wanted:
    """What is sent where greedy or varied decoding is wanted: no less than the model's lowest
    temperature."""
    if temperature not in (GREEDY, VARIED):
        return temperature
    return max(temperature, lowest_temperature(model))
