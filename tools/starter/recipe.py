"""What the training data is made of, in numbers."""

from collections import Counter

from tools.starter import examples, frames, near, phrasing, unknown, words
from tools.starter.family import Family
from tools.starter.mutants import mutants, unseen_mutants
from tools.starter.paths import Figures
from tools.starter.tokenizer import VOCABULARY


def facts(families: tuple[Family, ...]) -> Figures:
    """Counts of what the streams draw from; the shares are percentages."""
    names = {family.name for family in families}
    return {
        "languages": dict(Counter(each for family in families for each in family.languages)),
        "descriptions": sum(len(f.verbs) + len(f.nouns) + len(f.asks) for f in families),
        "descriptions_of_the_critic": sum(len(f.critic_only) for f in families),
        "descriptions_held_out": sum(len(f.held) for f in families),
        "frames": len(words.VERB_FRAMES) + len(words.NOUN_FRAMES) + len(words.ASK_FRAMES),
        "later_frames": len(words.LATER_VERB_FRAMES) + len(words.LATER_NOUN_FRAMES),
        "frame_grammars": len(frames.VERB_FRAMES) + len(frames.NOUN_FRAMES),
        "frames_held_out": len(words.HELD_VERB_FRAMES) + len(words.HELD_NOUN_FRAMES),
        "mutants": sum(len(found) for (name, _), found in mutants().items() if name in names),
        "mutants_for_evaluation": sum(
            len(found) for (name, _), found in unseen_mutants().items() if name in names
        ),
        "unknown_tasks": len(unknown.TASKS) + len(unknown.CHANGES),
        "near_misses": len(near.TASKS) + len(near.AROUND) + len(near.ELSEWHERE) + len(near.FOREIGN),
        "outliers": round(100 * phrasing.OUTLIERS),
        "unknown_shares": [round(100 * share) for share in examples.UNKNOWN_SHARE],
        "history_share": round(100 * examples.HISTORY_SHARE),
        "defects_examples": examples.DEFECTS_EXAMPLES,
        "vocabulary": VOCABULARY,
    }
