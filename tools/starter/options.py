"""The options that the tools share."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from tools.starter.families import FAMILIES
from tools.starter.family import Family
from tools.starter.paths import BUILD, MODELS


def add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", type=Path, default=BUILD, help="where tokenizer and checkpoints are"
    )


def add_models(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--models", type=Path, default=MODELS, help="where the GGUF files are")


def add_families(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--families",
        type=_chosen,
        default=FAMILIES,
        metavar="NAME,…",
        help="train and measure on these tasks alone",
    )


def names(families: Iterable[Family]) -> str:
    """The value of `--families` for these."""
    return ",".join(family.name for family in families)


def _chosen(text: str) -> tuple[Family, ...]:
    wanted = text.split(",")
    unknown = set(wanted) - {family.name for family in FAMILIES}
    if unknown:
        raise argparse.ArgumentTypeError(f"no such family: {', '.join(sorted(unknown))}")
    return tuple(family for family in FAMILIES if family.name in wanted)
