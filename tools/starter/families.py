"""The tasks that the starter model knows; it knows nothing else."""

from tools.starter.families_lists import LISTS
from tools.starter.families_numbers import NUMBERS
from tools.starter.families_strings import STRINGS
from tools.starter.family import Family

FAMILIES: tuple[Family, ...] = LISTS + STRINGS + NUMBERS
