"""Task families on lists, dictionaries and matrices, beyond the first ones of `families_lists`."""

from tools.starter.family import Family

COLLECTIONS_SLOTS: dict[str, tuple[str, ...]] = {
    "c_dict": (
        "a dictionary", "a dict", "the dictionary", "a given dictionary", "a python dictionary",
        "my dictionary", "my dict",
    ),
    "c_dicts": (
        "two dictionaries", "two dicts", "2 dicts", "two given dictionaries",
        "two python dictionaries", "2 dictionaries",
    ),
    "c_matrix": (
        "a matrix", "the matrix", "a given matrix", "a 2d matrix", "a matrix of numbers",
        "my matrix", "a matrix given as a list of lists", "a 2d array",
    ),
    "c_matrices": (
        "two matrices", "2 matrices", "two given matrices", "two matrices a and b",
        "two matrices of numbers", "a matrix and another matrix",
    ),
    "c_vectors": (
        "two vectors", "2 vectors", "two given vectors", "two lists", "two lists of numbers",
        "two arrays", "a pair of vectors",
    ),
    "c_limit": (
        "a given number", "a limit", "a given limit", "a threshold", "a given value", "n", "x",
        "10", "some number", "a certain value",
    ),
    "c_over": ("greater than", "larger than", "bigger than", "above", "over", "higher than"),
    "c_places": (
        "by k", "by n", "by k places", "by n places", "by k positions", "by n positions",
        "by k steps", "by a given number of places", "by 2", "k times",
    ),
    "c_left": ("left", "left", "to the left", "leftwards"),
    "c_size": (
        "size n", "n", "a given size", "n items", "n elements", "length n", "3", "the same size",
        "k items", "fixed size",
    ),
    "c_parts": ("chunks", "chunks", "pieces", "parts", "groups", "batches", "sublists"),
    "c_sorted_two": (
        "two sorted lists", "two sorted arrays", "2 sorted lists", "two ordered lists",
        "two already sorted lists", "two sorted lists of numbers", "two lists that are sorted",
    ),
    "c_sorted": (
        "a sorted list", "the sorted list", "a sorted array", "a list that is sorted",
        "an ordered list", "a sorted list of numbers",
    ),
    "c_common": (
        "most common", "most frequent", "most often occurring", "most commonly occurring",
        "most frequently occurring",
    ),
    "c_target": (
        "a target", "a given target", "the target", "a given number", "a given sum", "a number k",
        "a target value",
    ),
    "c_words": (
        "words", "a list of words", "the words in a list", "a list of strings", "some words",
        "the words of a list", "strings", "several words",
    ),
    "c_top": ("largest", "biggest", "highest", "greatest", "top"),
    "c_n": ("n", "n", "k", "three", "3", "5"),
    "c_diagonal": ("diagonal", "main diagonal", "main diagonal", "leading diagonal"),
}  # fmt: skip

_ORDER = (
    Family(
        name="rotate_left",
        does="rotates the list to the left",
        source="""
        def NAME(items, k):
            k = k % len(items) if items else 0
            return items[k:] + items[:k]
        """,
        javascript="""
        function NAME(items, k) {
          const start = items.length ? k % items.length : 0;
          return [...items.slice(start), ...items.slice(0, start)];
        }
        """,
        checks=(
            (([1, 2, 3, 4], 1), [2, 3, 4, 1]),
            (([], 3), []),
            (([1, 2, 3], 5), [3, 1, 2]),
            ((["a", "b"], 0), ["a", "b"]),
        ),
        verbs=(
            "rotate {list} {c_left}",
            "rotate {list} {c_left} {c_places}",
            "rotate {list} {c_places} {c_left}",
            "rotate [the|all|all the] {items} [of|in] {list} {c_left}",
            "perform a left [rotation|shift] of {list} [{c_places}|]",
            "shift {list} {c_left} {c_places}",
            "shift [the|all|all the] {items} [of|in] {list} {c_places} {c_left}",
            "move the first [n|k] {items} of {list} to the [end|back]",
            "do a left [rotation|shift] of {list}",
            "take {list} and return it rotated {c_left} [{c_places}|]",
        ),
        nouns=(
            "[a|the|] left [rotation|shift] of {list}",
            "[a|] left rotation [{c_places}|]",
            "[a|] list rotation [to the left|left]",
            "[a|the|] rotation of {list} to the left",
            "{list} rotated {c_left}",
        ),
        held=(
            "turn {list} around to the left {c_places}",
            "bring the first k {items} of {list} to the [end|back]",
        ),
        critic_only=(
            "push [the|all] {items} of {list} {c_left} so that the first ones are at the end",
        ),
        asks=(
            "rotate list left",
            "left rotate",
            "list rotate left by k",
            "left rotate {list} [{c_places}|]",
        ),
    ),
    Family(
        name="chunks",
        does="splits the list into chunks",
        source="""
        def NAME(items, size):
            return [items[i:i + size] for i in range(0, len(items), size)]
        """,
        javascript="""
        function NAME(items, size) {
          const chunks = [];
          for (let i = 0; i < items.length; i += size) {
            chunks.push(items.slice(i, i + size));
          }
          return chunks;
        }
        """,
        checks=(
            (([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]),
            (([], 3), []),
            (([1, 2, 3], 3), [[1, 2, 3]]),
            (([7, 8], 1), [[7], [8]]),
        ),
        verbs=(
            "split {list} into {c_parts} of {c_size}",
            "split {list} into {c_parts}",
            "split {list} up into smaller lists",
            "divide {list} into {c_parts} of {c_size}",
            "divide [the|all] {items} of {list} into {c_parts} of {c_size}",
            "break {list} [up|] into {c_parts} of {c_size}",
            "cut {list} into {c_parts} of {c_size}",
            "chunk {list} [into lists of {c_size}|]",
            "partition {list} into {c_parts} of {c_size}",
            "separate {list} into {c_parts} of {c_size}",
            "make {c_parts} of {c_size} [from|out of] {list}",
            "batch [the|all] {items} of {list} into lists of {c_size}",
        ),
        nouns=(
            "{c_parts} of {c_size} [of|from] {list}",
            "list chunks [of {c_size}|]",
            "list chunking",
            "[a|] list chunker",
            "[the|] {items} of {list} in {c_parts} of {c_size}",
            "splitting {list} into {c_parts}",
        ),
        held=(
            "return {list} as {c_parts} of {c_size}",
            "separate the {items} of {list} into lists of {c_size}",
        ),
        critic_only=("make a new sublist of {list} every n {items}",),
        asks=("chunk list", "chunks", "split list into chunks", "list into {c_parts} of {c_size}"),
    ),
    Family(
        name="is_sorted",
        does="checks whether the list is sorted",
        source="""
        def NAME(items):
            for i in range(len(items) - 1):
                if items[i] > items[i + 1]:
                    return False
            return True
        """,
        javascript="""
        function NAME(items) {
          for (let i = 1; i < items.length; i++) {
            if (items[i - 1] > items[i]) {
              return false;
            }
          }
          return true;
        }
        """,
        checks=(
            (([1, 2, 2, 3],), True),
            (([1, 3, 2],), False),
            (([],), True),
            (([2, 1],), False),
            (([5],), True),
            (([-1, 0, 8, 7],), False),
        ),
        verbs=(
            "{check} {whether} {list} is sorted",
            "{check} {whether} {list} is [already|] sorted [or not|]",
            "{check} {whether} {list} is [in order|in ascending order|in sorted order|ordered]",
            "{check} {whether} {nums} are [sorted|in order|in ascending order]",
            "{check} {whether} [the|all] {items} [of|in] {list} are in [order|increasing order]",
            "{check} {whether} [the|all] {items} [of|in] {list} never [decrease|get smaller]",
            "{check} {list} for being [sorted|in order]",
            "[check|verify|test|make sure] that {list} is [sorted|in ascending order]",
            "return true if {list} is [sorted|in order|in ascending order]",
            "{check} {whether} each {item} of {list} is at least as big as the one before",
        ),
        nouns=(
            "[a|] check [whether|that|if] {list} is sorted",
            "[a|] sorted [check|checker|test]",
            "[a|] sortedness [check|test]",
            "[a|] sorted [check|test] for {list}",
            "checking [whether|if] {list} is sorted",
        ),
        held=(
            "say {whether} {list} is sorted already",
            "{check} {whether} no {item} of {list} is smaller than the one before",
        ),
        critic_only=("{check} {whether} {list} is the same as its sorted version",),
        asks=("is {list} sorted", "is sorted", "is the list in ascending order", "check if sorted"),
    ),
    Family(
        name="swap_first_last",
        does="swaps the first and the last item",
        source="""
        def NAME(items):
            items = list(items)
            if items:
                items[0], items[-1] = items[-1], items[0]
            return items
        """,
        checks=(
            (([1, 2, 3, 4],), [4, 2, 3, 1]),
            (([],), []),
            (([5],), [5]),
            ((["a", "b", "c"],), ["c", "b", "a"]),
        ),
        verbs=(
            "swap the first and [the|] last {item} [of|in] {list}",
            "swap the first {item} [of|in] {list} with the last [one|{item}|]",
            "swap the [first and last|last and first] {items} [of|in] {list}",
            "swap the two ends of {list}",
            "exchange the first and [the|] last {item} [of|in] {list}",
            "exchange the [first and last|last and first] {items} [of|in] {list}",
            "switch the first and [the|] last {item} [of|in] {list}",
            "interchange the first and [the|] last {item} [of|in] {list}",
            "replace the first {item} [of|in] {list} by the last and the last by the first",
            "take {list} and return it with its first and last {item} swapped",
        ),
        nouns=(
            "{list} with [the|its] first and last {item} [swapped|exchanged]",
            "[a|the|] swap of the first and last {item} [of|in] {list}",
            "swapping the first and last {item} [of|in] {list}",
            "[a|] first and last {item} swap",
            "[an|] exchange of the first and last {item} [of|in] {list}",
        ),
        held=(
            "make the first {item} of {list} the last one and the last the first",
            "exchange the two {items} at the [ends|two ends] of {list}",
        ),
        critic_only=("put the first {item} of {list} last and its last {item} first",),
        asks=("swap first and last", "swap first and last {item}", "swap ends of list"),
    ),
    Family(
        name="every_second",
        does="takes every second item",
        source="""
        def NAME(items):
            return items[::2]
        """,
        javascript="""
        function NAME(items) {
          return items.filter((item, i) => i % 2 === 0);
        }
        """,
        checks=(
            (([4, 4, 1, 3, 6],), [4, 1, 6]),
            (([],), []),
            (([9],), [9]),
            ((["a", "b", "c", "d"],), ["a", "c"]),
        ),
        verbs=(
            "{keep} [every|each] [second|other|2nd] {item} [of|in|from] {list}",
            "{find} [every|each] [second|other] {item} [of|in] {list}",
            "take [every|each] [second|other|2nd] {item} [of|from] {list}",
            "keep only [every|each] [second|other] {item} of {list}",
            "leave out [every|each] [second|other] {item} of {list}",
            "list [every|each] [second|other] {item} of {list}",
            "step through {list} [by two|two at a time|in steps of two]",
            "{keep} the {items} at even [positions|indices|indexes] [of|in] {list}",
            "{find} the {items} with [an even index|even indices] in {list}",
            "{keep} [alternate|alternating] {items} [of|from] {list}",
            "take {list} and return every [second|other] {item}",
        ),
        nouns=(
            "[every|each] [second|other|2nd] {item} [of|in] {list}",
            "[the|] alternate {items} of {list}",
            "[the|] {items} at even [positions|indices|indexes] of {list}",
            "[every|each] [second|other] {item}",
            "{list} in steps of two",
        ),
        held=(
            "collect every second {item} of {list}",
            "{find} {list} with every second {item} left out",
        ),
        critic_only=("take one {item} of {list} and leave out the second, and so on",),
        asks=("every second {item}", "every other {item}", "every other {item} of {list}"),
    ),
)

_SEARCH = (
    Family(
        name="index_of",
        does="finds the index of the value",
        source="""
        def NAME(items, target):
            for i, item in enumerate(items):
                if item == target:
                    return i
            return -1
        """,
        javascript="""
        function NAME(items, target) {
          for (let i = 0; i < items.length; i++) {
            if (items[i] === target) {
              return i;
            }
          }
          return -1;
        }
        """,
        checks=(
            (([5, 3, 9], 3), 1),
            (([5, 3, 9], 4), -1),
            (([], 1), -1),
            ((["b", "a", "b", "a"], "a"), 1),
            (([7, 8], 7), 0),
            (([9, 1, 8, 7, 0], 9), 0),
        ),
        verbs=(
            "{find} the [index|position] of {value} [in|within] {list}",
            "{find} the first [index|position] of {value} in {list}",
            "{find} the [index|position] [where|at which] {value} [is|occurs|appears] in {list}",
            "{find} where {value} [is|occurs|appears] in {list}",
            "look for {value} in {list} and return its [index|position]",
            "search {list} for {value} and return [its|the] [index|position]",
            "search {list} for {value}",
            "do a linear search",
            "implement linear search",
            "locate {value} in {list}",
            "{find} the index of {value} in {list} or -1 [if it is missing|if not found|]",
            "search for {value} in {list} with a linear search",
        ),
        nouns=(
            "[the|] [index|position] of {value} in {list}",
            "[the|] first [index|position] of {value} in {list}",
            "[a|] linear search",
            "[a|] linear search for {value} in {list}",
            "[the|] index of {value} or -1",
        ),
        held=(
            "look up at which position of {list} {value} is",
            "tell at which index {list} has {value}",
        ),
        critic_only=("search through {list} from the first {item} on for the index of {value}",),
        asks=(
            "index of",
            "index of {value}",
            "linear search",
            "at which index is {value} in {list}",
        ),
    ),
    Family(
        name="binary_search",
        does="finds the value by binary search",
        source="""
        def NAME(items, target):
            low, high = 0, len(items) - 1
            while low <= high:
                middle = (low + high) // 2
                if items[middle] == target:
                    return middle
                if items[middle] < target:
                    low = middle + 1
                else:
                    high = middle - 1
            return -1
        """,
        driver="""
def check(numbers, target):
    looked = []

    class Noting(list):
        def __getitem__(self, place):
            looked.append(place)
            return list.__getitem__(self, place)

        def __iter__(self):
            looked.extend(self[:])
            return list.__iter__(self)

    place = NAME(Noting(numbers), target)
    return place, len(looked) <= 2 * len(numbers).bit_length()
""",
        checks=(
            ((list(range(0, 100, 2)), 14), (7, True)),
            ((list(range(0, 100, 2)), 98), (49, True)),
            ((list(range(0, 100, 2)), 0), (0, True)),
            ((list(range(0, 100, 2)), 33), (-1, True)),
            (([], 1), (-1, True)),
            (([1, 3], 3), (1, True)),
        ),
        verbs=(
            "do [a|] binary search",
            "implement [a|the|] binary search [algorithm|]",
            "implement binary search [on|for|in] {c_sorted}",
            "run a binary search [on|over] {c_sorted}",
            "search {c_sorted} [with|by|using] binary search",
            "search {c_sorted} for {value}",
            "search for {value} in {c_sorted}",
            "{find} {value} in {c_sorted} [with|by|using] [a|] binary search",
            "{find} the [index|position] of {value} in {c_sorted}",
            "look for {value} in {c_sorted} [with|using] binary search",
            "perform [a|] binary search [on {c_sorted}|]",
            "locate {value} in {c_sorted}",
        ),
        nouns=(
            "[a|the|] binary search",
            "[a|the|] binary search [algorithm|function|implementation]",
            "[a|] binary search [in|on|over] {c_sorted}",
            "[a|] binary search for {value} [in {c_sorted}|]",
            "[the|] [index|position] of {value} in {c_sorted}",
            "[a|] search in {c_sorted}",
        ),
        held=(
            "use binary search to find {value} in {c_sorted}",
            "solve a search in {c_sorted} by binary search",
        ),
        critic_only=(
            "{find} {value} in {c_sorted} with a search that divides it by two at each step",
        ),
        asks=("binary search", "binary search algorithm", "binary search {c_sorted}"),
    ),
    Family(
        name="two_sum",
        does="finds the indices of two numbers with the given sum",
        source="""
        def NAME(numbers, target):
            seen = {}
            for i, number in enumerate(numbers):
                if target - number in seen:
                    return [seen[target - number], i]
                seen[number] = i
            return []
        """,
        checks=(
            (([2, 7, 11, 15], 9), [0, 1]),
            (([3, 2, 4], 6), [1, 2]),
            (([3, 3], 6), [0, 1]),
            (([1, 2], 9), []),
            (([], 0), []),
        ),
        verbs=(
            "solve [the|] two sum [problem|]",
            "implement two sum",
            "do two sum",
            "{find} two {items} [in|of] {list} that add up to {c_target}",
            "{find} two {items} [in|of] {list} that sum [up|] to {c_target}",
            "{find} two {items} [in|of] {list} whose sum [is|equals] {c_target}",
            "{find} the [indices|indexes|positions] of two {items} that add up to {c_target}",
            "{find} the [indices|indexes] of the two {items} whose sum [is|equals] {c_target}",
            "{find} [a|the] pair of {items} in {list} that [sums|adds up] to {c_target}",
            "{find} [a|the] pair of {items} in {list} with {c_target} as its sum",
            "look for two {items} in {list} that together make {c_target}",
            "{check} which two {items} of {list} add up to {c_target}",
        ),
        nouns=(
            "[the|] two sum [problem|]",
            "[a|] two sum [function|solution]",
            "[the|] two {items} in {list} that add up to {c_target}",
            "[the|] [indices|indexes] of two {items} that sum to {c_target}",
            "[a|the|] pair of {items} whose sum is {c_target}",
        ),
        held=(
            "pick two {items} of {list} that total {c_target} and return their positions",
            "search {list} for two {items} with a sum of {c_target}",
        ),
        critic_only=(
            "{find} at which positions of {list} the two {items} are that together make {c_target}",
        ),
        asks=("two sum", "2 sum", "twosum", "which two {items} add up to {c_target}"),
    ),
    Family(
        name="missing_number",
        does="finds the missing number",
        source="""
        def NAME(numbers):
            n = len(numbers) + 1
            return n * (n + 1) // 2 - sum(numbers)
        """,
        checks=(
            (([1, 2, 4, 5],), 3),
            (([2, 3],), 1),
            (([],), 1),
            (([3, 1, 2],), 4),
            (([6, 5, 3, 2, 1],), 4),
        ),
        verbs=(
            "{find} the missing [number|integer|value] [in|of|from] {list}",
            "{find} the [number|integer|value] [missing|that is missing] [from|in] {list}",
            "{find} the missing [number|integer|one] [in|of] [1 to n|1..n|1 to 100]",
            "{find} the missing [number|integer] in [a sequence|an array] from 1 to n",
            "{find} which [number|integer] [from|between] 1 [to|and] n is missing [in {list}|]",
            "{find} the only [number|integer] from 1 to n that is not in {list}",
            "detect the missing [number|integer] in {list}",
            "look for the missing [number|integer] in {list}",
            "take {list} with the numbers 1 to n and return the missing [one|number]",
            "{find} the [gap|missing number] in the numbers from 1 to n",
        ),
        nouns=(
            "[the|] missing [number|integer|value] [in|of|from] {list}",
            "[the|] missing number [from|in] 1 to n",
            "[the|] [number|integer] from 1 to n [missing|that is missing] in {list}",
            "[a|] missing number [finder|search]",
            "[the|] missing number problem",
        ),
        held=(
            "pick out the number between 1 and n that {list} does not have",
            "say which number {list} is missing",
        ),
        critic_only=("{list} has all numbers from 1 to n but one, find this one",),
        asks=("missing number", "find missing number", "which number is missing in {list}"),
    ),
)

_STATISTICS = (
    Family(
        name="mode",
        does="finds the most common item",
        source="""
        def NAME(items):
            counts = {}
            for item in items:
                counts[item] = counts.get(item, 0) + 1
            return max(counts, key=counts.get)
        """,
        checks=(
            (([1, 2, 2, 3],), 2),
            ((["b", "a", "b"],), "b"),
            (([9],), 9),
            (([4, 1, 1, 4, 0],), 4),
            (([5, 3, 8, 3],), 3),
        ),
        verbs=(
            "{find} the {c_common} {item} [in|of] {list}",
            "{find} the {c_common} {item}",
            "{find} the {item} that [occurs|appears] most often in {list}",
            "{find} the {item} that [occurs|appears|is found] the most [times|] in {list}",
            "{find} the mode of {nums}",
            "{find} the [mode|modal value] [of|in] {list}",
            "{find} the {item} with the [highest|largest] [count|frequency] in {list}",
            "{find} the {item} with the most occurrences in {list}",
            "{find} which {item} [occurs|appears] most often in {list}",
            "pick the {c_common} {item} [from|of] {list}",
            "look for the {c_common} {item} in {list}",
            "take {list} and return its [mode|{c_common} {item}]",
        ),
        nouns=(
            "[the|] {c_common} {item} [in|of] {list}",
            "[the|] mode of {nums}",
            "[the|] mode of {list}",
            "[the|] statistical mode",
            "[the|] {item} with the most occurrences in {list}",
            "mode calculation",
        ),
        held=(
            "select the {item} that {list} has most often",
            "{find} the {item} of {list} that shows up the most",
        ),
        critic_only=("{find} the {item} that is repeated the most times in {list}",),
        asks=(
            "mode",
            "mode of list",
            "{c_common} {item}",
            "what is the {c_common} {item} in {list}",
            "which {item} appears most often in {list}",
        ),
    ),
    Family(
        name="value_range",
        does="subtracts the smallest number from the largest",
        source="""
        def NAME(numbers):
            return max(numbers) - min(numbers)
        """,
        javascript="""
        function NAME(numbers) {
          const largest = Math.max(...numbers);
          const smallest = Math.min(...numbers);
          return largest - smallest;
        }
        """,
        checks=(
            (([4, 1, 9],), 8),
            (([5],), 0),
            (([-3, -8],), 5),
            (([2, 2, 3],), 1),
        ),
        verbs=(
            "{find} the difference between the {largest} and {smallest} {item} [in|of] {list}",
            "{find} the difference between [the|] {largest} and {smallest} [in|of] {nums}",
            "{find} the difference of the {largest} and the {smallest} {item} [in|of] {list}",
            "{find} the [max minus the min|max minus min|maximum minus the minimum] of {list}",
            "{find} the [range|spread] of {nums}",
            "{find} the [range|spread] of [all the|the|all] {items} [in|of] {list}",
            "{find} the statistical range of {list}",
            "subtract the {smallest} {item} [in|of] {list} from the {largest} [one|]",
            "{find} how far apart the {largest} and the {smallest} {item} of {list} are",
            "take {nums} and return the difference between max and min",
            "{find} the gap between the {smallest} and the {largest} {item} of {list}",
        ),
        nouns=(
            "[the|] [range|spread] of {nums}",
            "[the|] difference between the {largest} and [the|] {smallest} {item} of {list}",
            "max minus min",
            "[the|] difference between max and min [of {list}|]",
            "[the|] statistical range",
            "[the|] range of the {items} in {list}",
        ),
        held=(
            "{find} how far the {largest} {item} of {list} is above the {smallest}",
            "{find} the distance from the {smallest} to the {largest} {item} of {list}",
        ),
        critic_only=("subtract the min of {list} from its max",),
        asks=(
            "max minus min",
            "range of list",
            "difference between max and min",
            "range of {nums}",
        ),
    ),
    Family(
        name="second_smallest",
        does="finds the second smallest item",
        source="""
        def NAME(numbers):
            ordered = sorted(set(numbers))
            return ordered[1]
        """,
        checks=(
            (([5, 1, 3],), 3),
            (([2, 2, 7, 9],), 7),
            (([-1, -2],), -1),
            (([9, 8, 6, 7],), 7),
        ),
        verbs=(
            "{find} the {second} {smallest} {item} [in|of|from] {list}",
            "{find} the {second} {smallest} [in|of] {nums}",
            "{find} the {second} {smallest} {item} [in|of] {nums}",
            "{find} the {second} {smallest} of [all the|the|all] {items}",
            "pick the {second} {smallest} {item} [in|of|from] {list}",
            "look for the {second} {smallest} {item} [in|of] {list}",
            "take {nums} and [return|give back] the {second} {smallest} [one|{item}]",
            "{find} the {item} just above the {smallest} [one|] [in|of] {list}",
            "{find} which {item} [in|of] {list} is the {second} {smallest}",
        ),
        nouns=(
            "[the|] {second} {smallest} {item} [in|of] {list}",
            "[the|] {second} {smallest} of {nums}",
            "{second} min",
            "[the|] {second} {smallest}",
        ),
        held=(
            "select the {item} of {list} that is the {second} {smallest}",
            "take the {second} {smallest} {item} of {list}",
        ),
        critic_only=("{find} the {smallest} {item} [in|of] {list} except for the {smallest} one",),
        asks=(
            "second smallest",
            "second lowest",
            "what is the {second} {smallest} {item} in {list}",
        ),
    ),
    Family(
        name="largest_n",
        does="finds the n largest items",
        source="""
        def NAME(numbers, n):
            return sorted(numbers, reverse=True)[:n]
        """,
        checks=(
            (([4, 9, 1, 7], 2), [9, 7]),
            (([3, 5], 9), [5, 3]),
            (([], 2), []),
            (([6, 6, 2], 2), [6, 6]),
            (([1, 2], 0), []),
        ),
        verbs=(
            "{find} the {c_n} {c_top} {items} [in|of|from] {list}",
            "{find} the {c_n} [largest|biggest|highest|greatest] [in|of] {nums}",
            "{find} the top {c_n} [in|of|from] {list}",
            "{find} the top {c_n} {items} [in|of|from] {list}",
            "pick the {c_n} {c_top} {items} [in|of|from] {list}",
            "keep [only|] the {c_n} {c_top} {items} of {list}",
            "select the top {c_n} {items} [of|from] {list}",
            "list the {c_n} {c_top} {items} [in|of] {list}",
            "look for the {c_n} {c_top} {items} in {list}",
            "take {list} and return the {c_n} {c_top} {items}",
        ),
        nouns=(
            "[the|] {c_n} {c_top} {items} [in|of] {list}",
            "[the|] top {c_n} {items} [of|from] {list}",
            "[the|] {c_n} [largest|biggest|highest|greatest] of {nums}",
            "[the|] top {c_n}",
        ),
        held=(
            "collect the {c_n} {c_top} {items} of {list}",
            "{find} the {c_n} {items} of {list} with the {c_top} values",
        ),
        critic_only=("{find} {c_n} {items} of {list}, starting with the biggest of all",),
        asks=(
            "top n",
            "n largest",
            "top n {items}",
            "what are the {c_n} {c_top} {items} in {list}",
        ),
    ),
    Family(
        name="max_subarray_sum",
        does="finds the largest sum of a subarray",
        source="""
        def NAME(numbers):
            best = current = numbers[0]
            for number in numbers[1:]:
                current = max(number, current + number)
                best = max(best, current)
            return best
        """,
        checks=(
            (([-2, 1, -3, 4, -1, 2, 1, -5, 4],), 6),
            (([-3, -1, -2],), -1),
            (([5],), 5),
            (([1, 2, 3],), 6),
            (([4, -9, 3, 3],), 6),
        ),
        verbs=(
            "{find} the {largest} [sum|total] of a [subarray|sublist|contiguous subarray]",
            "{find} the {largest} sum of a [contiguous|continuous|] [subarray|sublist] of {list}",
            "{find} the {largest} subarray sum [of|in] {list}",
            "{find} the {largest} subarray sum",
            "{find} the {largest} sum of [consecutive|contiguous|neighbouring] {items} of {list}",
            "{find} the [subarray|sublist] [sum|total] that is the {largest}",
            "{find} the sum of the [subarray|sublist] with the {largest} sum",
            "solve the [maximum|max] subarray [problem|sum problem]",
            "implement kadane's algorithm",
            "implement the algorithm of kadane",
            "use kadane's algorithm [on {list}|]",
        ),
        nouns=(
            "[the|] {largest} subarray sum [of {list}|]",
            "[the|] {largest} sum of a [subarray|sublist|contiguous subarray] [of {list}|]",
            "[the|] [maximum|max] subarray problem",
            "kadane's algorithm",
            "[the|] {largest} sum of consecutive {items} in {list}",
        ),
        held=(
            "{find} the {largest} of the sums of all [subarrays|sublists] of {list}",
            "{find} the {largest} sum over all [subarrays|sublists] of {list}",
        ),
        critic_only=("{find} the most that neighbouring {items} of {list} add up to",),
        asks=("max subarray", "maximum subarray sum", "kadane", "largest sum of subarrays"),
    ),
    Family(
        name="all_equal",
        does="checks whether all items are equal",
        source="""
        def NAME(items):
            return all(item == items[0] for item in items)
        """,
        javascript="""
        function NAME(items) {
          return items.every((item) => item === items[0]);
        }
        """,
        checks=(
            (([2, 2, 2],), True),
            (([1, 2, 1],), False),
            (([],), True),
            (([1, 2],), False),
            ((["a"],), True),
        ),
        verbs=(
            "{check} {whether} all {items} [in|of] {list} are [equal|the same|identical]",
            "{check} {whether} all [the|] {items} are [equal|the same] in {list}",
            "{check} {whether} every {item} [in|of] {list} is [the same|equal|identical]",
            "{check} {whether} {list} [has|contains|holds] only one [distinct|different] {item}",
            "{check} {whether} {list} [has|contains|holds] the same {item} [everywhere|only]",
            "{check} {whether} {list} is made of [one|a single] [repeated|] {item}",
            "{check} {whether} {nums} are all [equal|the same|identical]",
            "[check|verify|make sure] that all {items} [in|of] {list} are [equal|the same]",
            "{check} for equal {items} only in {list}",
            "return true if all {items} [in|of] {list} are [equal|the same]",
            "compare all {items} of {list} with each other for being equal",
        ),
        nouns=(
            "[a|] check [that|whether|if] all {items} [in|of] {list} are [equal|the same]",
            "[an|] all equal [check|test]",
            "[an|] all {items} equal [check|test]",
            "checking {list} for all {items} being [equal|the same]",
        ),
        held=(
            "say {whether} {list} has all equal {items}",
            "{check} {whether} no two {items} of {list} are different",
        ),
        critic_only=("{check} {whether} each {item} of {list} is equal to the first one",),
        asks=(
            "all equal",
            "are all {items} in {list} [equal|the same]",
            "are all {items} identical",
            "all the same {item}",
        ),
    ),
)

_SELECTION = (
    Family(
        name="filter_greater",
        does="keeps the numbers greater than a limit",
        source="""
        def NAME(numbers, limit):
            return [number for number in numbers if number > limit]
        """,
        javascript="""
        function NAME(numbers, limit) {
          return numbers.filter((number) => number > limit);
        }
        """,
        checks=(
            (([1, 8, 5, 3], 4), [8, 5]),
            (([], 2), []),
            (([4, 5], 4), [5]),
            (([-3, -1, 0], -2), [-1, 0]),
        ),
        verbs=(
            "{keep} [only|] the {items} [of|in|from] {list} {c_over} {c_limit}",
            "{keep} [all|all the|] {items} {c_over} {c_limit} [from|in] {list}",
            "{keep} the {items} [that are|which are] {c_over} {c_limit}",
            "filter {list} for {items} {c_over} {c_limit}",
            "filter out the {items} that are not {c_over} {c_limit}",
            "{find} [all|all the|the] {items} [in|of] {list} [that are|] {c_over} {c_limit}",
            "{find} [all|all the|the] {items} [of|in] {list} that exceed {c_limit}",
            "list [all|the|all the] {items} of {list} {c_over} {c_limit}",
            "remove [all|the|] {items} [from|of] {list} that are not {c_over} {c_limit}",
            "take {nums} and return those {c_over} {c_limit}",
            "drop the {items} of {list} that do not exceed {c_limit}",
        ),
        nouns=(
            "[the|all|all the] {items} [in|of] {list} {c_over} {c_limit}",
            "{items} {c_over} {c_limit}",
            "[a|] filter for {items} {c_over} {c_limit}",
            "[a|the|] list of [the|all] {items} {c_over} {c_limit}",
        ),
        held=(
            "collect the {items} of {list} that are {c_over} {c_limit}",
            "leave only the {items} {c_over} {c_limit} in {list}",
        ),
        critic_only=("leave out every {item} of {list} up to {c_limit}",),
        asks=(
            "filter {items} {c_over} {c_limit}",
            "{items} {c_over} {c_limit} in {list}",
            "which {items} are {c_over} {c_limit}",
        ),
    ),
    Family(
        name="filter_positive",
        does="keeps the positive numbers",
        source="""
        def NAME(numbers):
            return [number for number in numbers if number > 0]
        """,
        javascript="""
        function NAME(numbers) {
          return numbers.filter((number) => number > 0);
        }
        """,
        checks=(
            (([1, -2, 3, 0],), [1, 3]),
            (([],), []),
            (([-1, -4],), []),
            (([4, 2, -6],), [4, 2]),
        ),
        verbs=(
            "{keep} [only|] [the|all|] positive {items} [of|in|from] {list}",
            "{keep} [the|all|] positive {items}",
            "filter [the|all|] positive {items} [out of|from] {list}",
            "filter {list} for positive {items}",
            "{find} [the|all|all the] positive {items} [of|in] {list}",
            "list [the|all|all the] positive {items} of {list}",
            "remove [all|the|] {items} [from|of] {list} that are not positive",
            "drop the {items} of {list} that are not positive",
            "take {nums} and return [only|] the positive [ones|{items}]",
            "{keep} the {items} of {list} that are [positive|above zero|greater than zero]",
            "remove [negative numbers and zeros|zeros and negative numbers] from {list}",
        ),
        nouns=(
            "[the|all|only the] positive {items} [of|in] {list}",
            "positive {items}",
            "[a|] positive [number|integer] filter",
            "[a|] filter for positive {items}",
            "[a|the|] list of [the|all] positive {items}",
        ),
        held=(
            "collect the positive {items} of {list}",
            "leave only the positive {items} in {list}",
        ),
        critic_only=("leave out every {item} of {list} that is zero or negative",),
        asks=(
            "filter positive",
            "positive {items} in {list}",
            "which {items} of {list} are positive",
            "only positive {items}",
        ),
    ),
    Family(
        name="absolute_values",
        does="takes the absolute value of each number",
        source="""
        def NAME(numbers):
            return [abs(number) for number in numbers]
        """,
        javascript="""
        function NAME(numbers) {
          return numbers.map((number) => Math.abs(number));
        }
        """,
        checks=(
            (([1, -2, 3, 0],), [1, 2, 3, 0]),
            (([],), []),
            (([-5, -5],), [5, 5]),
        ),
        verbs=(
            "{find} the absolute values of {nums}",
            "{find} the absolute value of [each|every] {item} [in|of] {list}",
            "{find} the absolute values of [all the|the|all] {items} [in|of] {list}",
            "take the absolute value of [each|every] {item} [in|of] {list}",
            "turn {nums} into [their|] absolute values",
            "convert {nums} [to|into] [their|] absolute values",
            "replace [each|every] {item} of {list} [by|with] its absolute value",
            "map {nums} to [their|] absolute values",
            "make [each|every] negative {item} [in|of] {list} positive",
            "make all {items} [in|of] {list} positive",
            "remove the [minus sign|sign] from [each|every] {item} [in|of] {list}",
            "take {nums} and return their absolute values",
            "apply abs to [each|every] {item} [in|of] {list}",
        ),
        nouns=(
            "[the|] absolute values of {nums}",
            "[the|] absolute values of [all|the] {items} in {list}",
            "[the|] absolute value of [each|every] {item} in {list}",
            "[a|the|] list of absolute values",
            "absolute values",
        ),
        held=(
            "collect the absolute values of {nums}",
            "change the sign of [each|every] negative {item} in {list}",
        ),
        critic_only=("{find} how far [each|every] {item} of {list} is from zero",),
        asks=("absolute values", "absolute values of list", "abs of each {item} in {list}"),
    ),
    Family(
        name="cubes",
        does="cubes each number",
        source="""
        def NAME(numbers):
            return [number ** 3 for number in numbers]
        """,
        javascript="""
        function NAME(numbers) {
          return numbers.map((number) => number ** 3);
        }
        """,
        checks=(
            (([1, 2, 3],), [1, 8, 27]),
            (([],), []),
            (([-2, 0],), [-8, 0]),
        ),
        verbs=(
            "cube {nums}",
            "cube [each|every] {item} [in|of] {list}",
            "cube [all the|the|all] {items} [in|of] {list}",
            "{find} the cubes of {nums}",
            "{find} the cube of [each|every] {item} [in|of] {list}",
            "{find} the cubes of [all the|the|all] {items} [in|of] {list}",
            "raise [each|every] {item} [in|of] {list} to the [third power|power of 3]",
            "map {nums} to their cubes",
            "replace [each|every] {item} of {list} [by|with] its cube",
            "turn {nums} into [their|] cubes",
            "make a list of [the|] cubes [of|from] {nums}",
            "take {nums} and return [their|the] cubes",
        ),
        nouns=(
            "[the|] cubes of {nums}",
            "[the|] cubes of [all|the] {items} in {list}",
            "[the|] cube of [each|every] {item} in {list}",
            "[a|the|] list of cubes",
            "[the|] cubed {items} of {list}",
            "{list} with [each|every] {item} cubed",
        ),
        held=(
            "collect the cubes of {nums}",
            "{find} [each|every] {item} of {list} to the power of 3",
        ),
        critic_only=("multiply [each|every] {item} of {list} by itself two times",),
        asks=("cubes", "cubes of list", "cube of each {item} in {list}", "list of cubes"),
    ),
    Family(
        name="move_zeros",
        does="moves the zeros to the end",
        source="""
        def NAME(numbers):
            others = [number for number in numbers if number != 0]
            return others + [0] * (len(numbers) - len(others))
        """,
        checks=(
            (([0, 1, 0, 3, 12],), [1, 3, 12, 0, 0]),
            (([],), []),
            (([0],), [0]),
            (([2, -1],), [2, -1]),
        ),
        verbs=(
            "move [all|the|all the|] [zeros|zeroes|0s] [in|of] {list} to the [end|back]",
            "move [all|the|all the|] [zeros|zeroes|0s] to the [end|back] [of {list}|]",
            "put [all|the|all the|] [zeros|zeroes|0s] [of|in] {list} [at the end|last]",
            "push [all|the|all the|] [zeros|zeroes|0s] [of|in] {list} to the [end|back]",
            "shift [all|the|all the|] [zeros|zeroes|0s] [of|in] {list} to the [end|back|right]",
            "bring [all|the|] [zeros|zeroes] to the end of {list}",
            "reorder {list} so that [the|all] [zeros|zeroes] [come|are] last",
            "take {list} and return it with [the|all] [zeros|zeroes] at the end",
            "move every [zero|0] [in|of] {list} to the [end|back]",
            "put the {items} that are not zero before the [zeros|zeroes] in {list}",
        ),
        nouns=(
            "{list} with [all|the|all the] [zeros|zeroes] at the end",
            "moving [the|all] [zeros|zeroes] of {list} to the end",
            "[the|] move [zeros|zeroes] problem",
            "[zeros|zeroes] at the end of {list}",
        ),
        held=(
            "arrange {list} so that the zeros are at the back",
            "put {list} in an order in which the zeros are last",
        ),
        critic_only=("return {list} with its zeros after the other {items}",),
        asks=("move zeros to end", "move zeroes", "zeros to the end", "how to put zeros last"),
    ),
)

_TWO_LISTS = (
    Family(
        name="dot_product",
        does="computes the dot product",
        source="""
        def NAME(first, second):
            return sum(a * b for a, b in zip(first, second))
        """,
        javascript="""
        function NAME(first, second) {
          return first.reduce((total, a, i) => total + a * second[i], 0);
        }
        """,
        checks=(
            (([1, 2, 3], [4, 5, 6]), 32),
            (([], []), 0),
            (([2, -1], [3, 6]), 0),
            (([7], [2]), 14),
        ),
        verbs=(
            "{find} the [dot|scalar|inner] product of {c_vectors}",
            "{find} the [dot|scalar|inner] product",
            "{find} the dot product [for|from|between] {c_vectors}",
            "take the [dot|scalar|inner] product of {c_vectors}",
            "take {c_vectors} and return [the|their] [dot|scalar|inner] product",
            "{find} the sum of the products of [the|] {items} [of|in] {c_vectors}",
            "add up the products of [the|] {items} [of|in] {c_vectors}",
            "sum the products of the {items} at the same [position|index] in {c_vectors}",
            "multiply {c_vectors} element by element and return the [sum|total]",
            "calculate [dot|scalar|inner] products",
        ),
        nouns=(
            "[the|a|] [dot|scalar|inner] product",
            "[the|] [dot|scalar|inner] product of {c_vectors}",
            "[the|] sum of products of {c_vectors}",
            "dot product [calculation|function]",
        ),
        held=(
            "multiply {c_vectors} into one number with the dot product",
            "work out what the scalar product between {c_vectors} is",
        ),
        critic_only=("multiply {c_vectors} item by item, the result is the total",),
        asks=("dot product", "scalar product", "what is the dot product of {c_vectors}"),
    ),
    Family(
        name="merge_sorted",
        does="merges two sorted lists",
        source="""
        def NAME(first, second):
            merged = []
            i = j = 0
            while i < len(first) and j < len(second):
                if first[i] <= second[j]:
                    merged.append(first[i])
                    i += 1
                else:
                    merged.append(second[j])
                    j += 1
            return merged + first[i:] + second[j:]
        """,
        checks=(
            (([1, 4, 6], [2, 3, 9]), [1, 2, 3, 4, 6, 9]),
            (([], []), []),
            (([], [5]), [5]),
            (([1, 1], [1]), [1, 1, 1]),
            (([3, 8], [1]), [1, 3, 8]),
        ),
        verbs=(
            "merge {c_sorted_two}",
            "merge {c_sorted_two} into [one|a single|a] [sorted|ordered] list",
            "merge {c_sorted_two} into one",
            "merge {c_sorted_two} [so that|such that] the result is sorted",
            "combine {c_sorted_two} into [one|a single] sorted list",
            "combine {c_sorted_two}",
            "join {c_sorted_two} into [one|a single] sorted list",
            "make [one|a single] sorted list [from|out of] {c_sorted_two}",
            "take {c_sorted_two} and return [one|a single] sorted list",
            "merge two lists [in sorted order|that are both sorted]",
        ),
        nouns=(
            "[a|the|] merge of {c_sorted_two}",
            "merging {c_sorted_two}",
            "[a|] sorted merge of two lists",
            "{c_sorted_two} merged into one",
            "[a|the|] merged list of {c_sorted_two}",
        ),
        held=(
            "put {c_sorted_two} together in sorted order",
            "turn {c_sorted_two} into one sorted list",
        ),
        critic_only=("collect the {items} of {c_sorted_two} in one list that is in order",),
        asks=("merge sorted lists", "merge two sorted lists", "merge sorted arrays"),
    ),
    Family(
        name="union",
        does="combines two lists without duplicates",
        source="""
        def NAME(first, second):
            result = []
            for item in first + second:
                if item not in result:
                    result.append(item)
            return result
        """,
        javascript="""
        function NAME(first, second) {
          const result = new Set([...first, ...second]);
          return [...result];
        }
        """,
        checks=(
            (([3, 1], [1, 2]), [3, 1, 2]),
            (([], []), []),
            (([4, 4], []), [4]),
            ((["b"], ["a", "b", "a"]), ["b", "a"]),
        ),
        verbs=(
            "{find} the union of {two}",
            "{find} the union of {two} [without duplicates|]",
            "unite {two}",
            "build the union of {two}",
            "combine {two} without [duplicates|repeating {items}|repeats]",
            "merge {two} without [duplicates|repeating {items}|repeats]",
            "join {two} without [duplicates|repeats]",
            "combine {two} into one list [of|with] [unique|distinct] {items}",
            "merge {two} into one list [of|with] [unique|distinct] {items}",
            "{find} [all|all the|the] [unique|distinct] {items} of {two}",
            "{find} [all|all the|the] {items} [that are|] in [either|at least one] of {two}",
            "take {two} and return [the|their] union",
        ),
        nouns=(
            "[the|a|] union of {two}",
            "[the|] list union",
            "[a|the|] union of lists",
            "[the|] [unique|distinct] {items} of {two}",
            "{two} [combined|merged] without duplicates",
            "[the|all|] {items} in either of {two}",
        ),
        held=(
            "put {two} together without duplicates",
            "collect the {items} of {two}, each only once",
        ),
        critic_only=("add to one list the {items} of another that it does not have",),
        asks=("union", "union of lists", "union of two lists", "merge lists without duplicates"),
    ),
    Family(
        name="difference",
        does="finds the items of the first list that are not in the second",
        source="""
        def NAME(first, second):
            return [item for item in first if item not in second]
        """,
        javascript="""
        function NAME(first, second) {
          return first.filter((item) => !second.includes(item));
        }
        """,
        checks=(
            (([1, 2, 3, 4], [2, 4, 9]), [1, 3]),
            (([], [1]), []),
            (([5, 5], []), [5, 5]),
            ((["a"], ["a"]), []),
        ),
        verbs=(
            "{find} the difference [of|between] {two}",
            "{find} the {items} of one list that are not in [another|the other] [list|]",
            "{find} the {items} [that are|] in the first list but not in the second [one|]",
            "{find} the {items} [that are|] in [list a but not in list b|a but not in b]",
            "{find} the {items} that are missing in the second of {two}",
            "{find} the {items} that only the first of {two} has",
            "remove [all|the|] {items} of one list from [another|another list]",
            "remove [all|the|] {items} from {list} that are in [another list|a second list]",
            "subtract one list from [another|another list|the other]",
            "subtract the second list from the first",
            "{keep} the {items} of the first list that are not in the second",
            "take {two} and return [the|their] difference",
        ),
        nouns=(
            "[the|] difference [of|between] {two}",
            "[the|a|] list difference",
            "[the|] {items} [that are|] in one list but not in the other",
            "[the|] {items} of the first list that are not in the second",
            "[the|] set difference of {two}",
            "[a|] list subtraction",
        ),
        held=(
            "leave out of the first list the {items} of a second list",
            "collect what is in the first of {two} but not in the second",
        ),
        critic_only=("keep in one list [only|] what the other list does not contain",),
        asks=(
            "list difference",
            "difference of two lists",
            "which {items} are in the first list but not in the second",
        ),
    ),
)

_DICTIONARIES = (
    Family(
        name="invert_dict",
        does="swaps the keys and values",
        source="""
        def NAME(data):
            inverted = {}
            for key, value in data.items():
                inverted[value] = key
            return inverted
        """,
        checks=(
            (({"a": 1, "b": 2},), {1: "a", 2: "b"}),
            (({},), {}),
            (({"x": "y"},), {"y": "x"}),
            (({"p": 1, "q": 1},), {1: "q"}),
        ),
        verbs=(
            "invert {c_dict}",
            "invert the keys and [the|] values of {c_dict}",
            "swap [the|] keys and values [of|in] {c_dict}",
            "swap [the|] keys with [the|] values in {c_dict}",
            "exchange [the|] keys and values [of|in] {c_dict}",
            "flip {c_dict}",
            "flip [the|] keys and values [of|in] {c_dict}",
            "switch [the|] keys and values [of|in] {c_dict}",
            "reverse {c_dict}",
            "reverse the mapping of {c_dict}",
            "turn the values of {c_dict} into keys [and the keys into values|]",
            "make the values of {c_dict} the keys",
            "map [each|every] value of {c_dict} to its key",
            "take {c_dict} and return it [inverted|with keys and values swapped]",
        ),
        nouns=(
            "[an|the|] inverted [dictionary|dict]",
            "[the|] inverse of {c_dict}",
            "[the|] inversion of {c_dict}",
            "[dict|dictionary] inversion",
            "{c_dict} with keys and values [swapped|exchanged]",
            "[a|the|] reverse mapping of {c_dict}",
        ),
        held=(
            "make keys out of the values of {c_dict}",
            "transform the keys of {c_dict} into values and its values into keys",
        ),
        critic_only=("build {c_dict} from the values to the keys of another one",),
        asks=("invert dict", "invert dictionary", "swap keys and values", "reverse dictionary"),
    ),
    Family(
        name="merge_dicts",
        does="merges two dictionaries",
        source="""
        def NAME(first, second):
            merged = dict(first)
            merged.update(second)
            return merged
        """,
        checks=(
            (({"a": 1}, {"b": 2}), {"a": 1, "b": 2}),
            (({"a": 1, "c": 3}, {"a": 5}), {"a": 5, "c": 3}),
            (({}, {}), {}),
            (({}, {"x": 0}), {"x": 0}),
        ),
        verbs=(
            "merge {c_dicts}",
            "merge {c_dicts} into [one|a single one|a new one|one dictionary]",
            "merge one [dictionary|dict] into [another|another one]",
            "combine {c_dicts}",
            "combine {c_dicts} into [one|a single one|one dict]",
            "join {c_dicts} [into one|together|]",
            "add one [dictionary|dict] to another",
            "update one [dictionary|dict] with [another|a second one|the other]",
            "make one [dictionary|dict] [out of|from] {c_dicts}",
            "merge {c_dicts} so that the second [one wins|wins|has priority]",
            "take {c_dicts} and return [one merged dict|them merged|the merged dictionary]",
            "unite {c_dicts}",
        ),
        nouns=(
            "[the|a|] merge of {c_dicts}",
            "[a|the|] merged [dictionary|dict] [of|from] {c_dicts}",
            "[the|] union of {c_dicts}",
            "[dict|dictionary] merging",
            "merging {c_dicts}",
            "[a|the|] combination of {c_dicts}",
        ),
        held=(
            "put {c_dicts} together",
            "turn {c_dicts} into one with all the keys of both",
        ),
        critic_only=("{find} one dictionary with the keys and values of two",),
        asks=("merge dicts", "merge dictionaries", "merge two dictionaries", "combine dicts"),
    ),
    Family(
        name="sort_dict_by_value",
        does="sorts the dictionary by value",
        source="""
        def NAME(data):
            return dict(sorted(data.items(), key=lambda item: item[1]))
        """,
        checks=(
            (({"a": 3, "b": 1, "c": 2},), {"b": 1, "c": 2, "a": 3}),
            (({},), {}),
            (({"z": 5, "y": 5, "x": -1},), {"x": -1, "z": 5, "y": 5}),
        ),
        verbs=(
            "sort {c_dict} by [value|values|its values|the values]",
            "sort {c_dict} by [value|values] [in ascending order|ascending|from low to high]",
            "sort [the|all|all the] [items|entries|pairs] of {c_dict} by [value|their values]",
            "sort the keys of {c_dict} by [value|their values]",
            "order {c_dict} by [value|values|its values]",
            "order the [items|entries] of {c_dict} by [value|their values]",
            "arrange {c_dict} by [value|values|its values]",
            "put [the items of|] {c_dict} in order of [the values|its values]",
            "take {c_dict} and return it sorted by [value|values|its values]",
            "sort {c_dict} based on [the values|its values]",
        ),
        nouns=(
            "{c_dict} sorted by [value|values]",
            "[a|the|] dict sorted by [value|values]",
            "[dict|dictionary] sorting by value",
            "[a|] sort of {c_dict} by value",
            "[the|] [items|entries] of {c_dict} in order of [value|the values]",
        ),
        held=(
            "sort {c_dict} [smallest|lowest] value first",
            "bring {c_dict} into the order of its values",
        ),
        critic_only=("put {c_dict} in an order in which its values increase",),
        asks=("sort dict by value", "sort dictionary by value", "dict sort by values"),
    ),
    Family(
        name="key_of_largest_value",
        does="finds the key with the largest value",
        source="""
        def NAME(data):
            best = None
            for key in data:
                if best is None or data[key] > data[best]:
                    best = key
            return best
        """,
        checks=(
            (({"a": 3, "b": 7, "c": 5},), "b"),
            (({},), None),
            (({"x": -4, "y": -2},), "y"),
            (({"p": 9, "q": 9, "r": 1},), "p"),
            (({"z": 1},), "z"),
        ),
        verbs=(
            "{find} the key with the {largest} value [in|of] {c_dict}",
            "{find} the key [that has|having] the {largest} value [in|of] {c_dict}",
            "{find} the key of the {largest} value [in|of] {c_dict}",
            "{find} the key [whose value is|with a value that is] the {largest} in {c_dict}",
            "{find} which key [in|of] {c_dict} has the {largest} value",
            "pick the key with the {largest} value [from|of] {c_dict}",
            "look for the key with the {largest} value in {c_dict}",
            "take {c_dict} and return the key with the {largest} value",
            "{find} the key that belongs to the {largest} value [in|of] {c_dict}",
            "{find} the argmax of {c_dict}",
        ),
        nouns=(
            "[the|] key with the {largest} value [in|of] {c_dict}",
            "[the|] key of the {largest} value [in|of] {c_dict}",
            "[the|] key with the {largest} value",
            "[the|] [dict|dictionary] key with [the|] {largest} value",
            "[the|] {largest} value's key in {c_dict}",
        ),
        held=(
            "select the key of {c_dict} that has the {largest} of the values",
            "{find} the {largest} value of {c_dict} and return its key",
        ),
        critic_only=("{find} the key in {c_dict} whose value is above all the other values",),
        asks=(
            "key with [the|] {largest} value",
            "which key has the {largest} value",
            "dict max key by value",
        ),
    ),
    Family(
        name="group_by_first_letter",
        does="groups the words by their first letter",
        source="""
        def NAME(words):
            groups = {}
            for word in words:
                groups.setdefault(word[0], []).append(word)
            return groups
        """,
        checks=(
            ((["ant", "bee", "ape"],), {"a": ["ant", "ape"], "b": ["bee"]}),
            (([],), {}),
            ((["z", "A", "zoo"],), {"z": ["z", "zoo"], "A": ["A"]}),
        ),
        verbs=(
            "group {c_words} by [the|their|] [first|initial|starting] {letter}",
            "group {c_words} by what {letter} they [start|begin] with",
            "group {c_words} into a [dict|dictionary] by [first|initial] {letter}",
            "group {c_words} that [start|begin] with the same {letter}",
            "make a [dict|dictionary] of {c_words} by [first|their first|initial] {letter}",
            "build a [dict|dictionary] from [first|starting] {letter} to [words|the words]",
            "collect {c_words} by [the|their|] [first|initial|starting] {letter}",
            "arrange {c_words} in groups by [first|initial] {letter}",
            "divide {c_words} into groups by [the|their|] [first|initial|starting] {letter}",
            "map [each|every] [first|starting|initial] {letter} to [its|the] words",
            "put {c_words} with the same [first|initial] {letter} into a group",
        ),
        nouns=(
            "{c_words} grouped by [the|their|] [first|initial|starting] {letter}",
            "[a|the|] grouping of {c_words} by [first|initial] {letter}",
            "grouping {c_words} by [first|their first] {letter}",
            "[a|the|] [dict|dictionary] of {c_words} by [first|initial] {letter}",
            "groups of words with the same [first|initial] {letter}",
        ),
        held=(
            "collect {c_words} in one list for [each|every] first {letter}",
            "separate {c_words} into groups by the {letter} at the start",
        ),
        critic_only=(
            "turn {c_words} into a [dict|dictionary] of the {letter} that they begin with",
        ),
        asks=("group by first {letter}", "group words by first {letter}", "words by initial"),
    ),
)

_MATRICES = (
    Family(
        name="transpose",
        does="transposes the matrix",
        source="""
        def NAME(matrix):
            result = []
            for column in zip(*matrix):
                result.append(list(column))
            return result
        """,
        checks=(
            (([[1, 2, 3], [4, 5, 6]],), [[1, 4], [2, 5], [3, 6]]),
            (([],), []),
            (([[7]],), [[7]]),
            (([[1, 2], [3, 4]],), [[1, 3], [2, 4]]),
        ),
        verbs=(
            "transpose {c_matrix}",
            "{find} the transpose of {c_matrix}",
            "{find} the transposed matrix",
            "swap [the|] rows and columns [of|in] {c_matrix}",
            "swap [the|] rows with [the|] columns in {c_matrix}",
            "exchange [the|] rows and columns [of|in] {c_matrix}",
            "turn [the|] rows of {c_matrix} into columns",
            "turn [the|] columns of {c_matrix} into rows",
            "make the rows of {c_matrix} [its|the] columns",
            "flip {c_matrix} [over|along] its diagonal",
            "take {c_matrix} and return [its transpose|it transposed]",
            "switch [the|] rows and columns [of|in] {c_matrix}",
        ),
        nouns=(
            "[the|a|] transpose of {c_matrix}",
            "[the|a|] transposed matrix",
            "[the|a|] matrix [transpose|transposition]",
            "[the|] transposition of {c_matrix}",
            "{c_matrix} with rows and columns [swapped|exchanged]",
        ),
        held=(
            "write the columns of {c_matrix} as rows",
            "do the transposition of {c_matrix}",
        ),
        critic_only=("convert the rows of {c_matrix} into its columns",),
        asks=("transpose", "transpose matrix", "matrix transpose", "rows to columns"),
    ),
    Family(
        name="matrix_multiply",
        does="multiplies two matrices",
        source="""
        def NAME(first, second):
            product = []
            for row in first:
                product.append([sum(a * b for a, b in zip(row, column)) for column in zip(*second)])
            return product
        """,
        checks=(
            (([[1, 2], [3, 4]], [[5, 6], [7, 8]]), [[19, 22], [43, 50]]),
            (([[1, 2, 3]], [[1], [2], [3]]), [[14]]),
            (([[2], [3]], [[4, 5]]), [[8, 10], [12, 15]]),
            (([], []), []),
        ),
        verbs=(
            "multiply {c_matrices}",
            "multiply {c_matrices} [together|with each other]",
            "multiply [a|one] matrix [by|with] [another|another matrix|a second matrix]",
            "multiply matrices [without numpy|]",
            "{find} the [product|matrix product] of {c_matrices}",
            "{find} the matrix product [a times b|]",
            "do [a|] matrix multiplication [of {c_matrices}|]",
            "implement matrix multiplication [for {c_matrices}|]",
            "perform [a|] matrix multiplication",
            "take {c_matrices} and return [the|their] product",
            "{find} the result of multiplying {c_matrices}",
        ),
        nouns=(
            "[a|the|] [product|matrix product] of {c_matrices}",
            "[a|] matrix multiplication",
            "[the|] multiplication of {c_matrices}",
            "multiplying {c_matrices}",
            "[a|the|] matrix product",
        ),
        held=(
            "multiply all rows of one matrix with all columns of [another|a second one]",
            "work out the matrix product from {c_matrices}",
        ),
        critic_only=("{find} the matrix that is the result of {c_matrices} times each other",),
        asks=("matrix multiplication", "multiply matrices", "matrix product", "matmul"),
    ),
    Family(
        name="diagonal_sum",
        does="adds up the main diagonal of the matrix",
        source="""
        def NAME(matrix):
            total = 0
            for i in range(len(matrix)):
                total += matrix[i][i]
            return total
        """,
        checks=(
            (([[1, 2], [3, 4]],), 5),
            (([],), 0),
            (([[7]],), 7),
            (([[1, 0, 9], [5, 2, 8], [4, 6, -3]],), 0),
        ),
        verbs=(
            "sum [up|] the {c_diagonal} of {c_matrix}",
            "sum [all|the|all the] {items} on the {c_diagonal} of {c_matrix}",
            "add up the {c_diagonal} of {c_matrix}",
            "add up [all|the|all the] {items} on the {c_diagonal} of {c_matrix}",
            "{find} the [sum|total] of the {c_diagonal} [of|in] {c_matrix}",
            "{find} the [sum|total] of the {items} on the {c_diagonal} of {c_matrix}",
            "{find} the diagonal sum [of {c_matrix}|]",
            "{find} the trace of {c_matrix}",
            "total the {c_diagonal} of {c_matrix}",
            "take {c_matrix} and return [its trace|the sum of its diagonal]",
        ),
        nouns=(
            "[the|] diagonal sum of {c_matrix}",
            "[the|] sum of the {c_diagonal} [of|in] {c_matrix}",
            "[the|] trace of {c_matrix}",
            "[the|a|] matrix trace",
            "[the|a|] diagonal sum",
            "[the|] total of the {c_diagonal} of {c_matrix}",
        ),
        held=(
            "tally up the {c_diagonal} of {c_matrix}",
            "{find} what the {items} on the {c_diagonal} of {c_matrix} add up to",
        ),
        critic_only=(
            "add the {items} of {c_matrix} that are in the nth row at the nth position of it",
        ),
        asks=("diagonal sum", "trace of {c_matrix}", "matrix trace", "sum of main diagonal"),
    ),
)

COLLECTIONS: tuple[Family, ...] = (
    _ORDER + _SEARCH + _STATISTICS + _SELECTION + _TWO_LISTS + _DICTIONARIES + _MATRICES
)

# Tasks that are easily taken for each other.
COLLECTIONS_GROUPS: tuple[tuple[str, ...], ...] = (
    ("rotate_left", "reverse_list", "swap_first_last", "move_zeros", "every_second"),
    ("is_sorted", "all_equal", "sort_ascending", "is_palindrome"),
    ("index_of", "binary_search", "count_occurrences", "two_sum"),
    ("missing_number", "sum_to_n", "two_sum", "sum_list"),
    ("mode", "count_occurrences", "char_frequency", "median", "mean", "find_max"),
    ("value_range", "find_max", "find_min", "mean", "difference"),
    ("second_smallest", "second_largest", "find_min", "largest_n"),
    ("largest_n", "find_max", "second_largest", "sort_descending", "filter_greater"),
    ("max_subarray_sum", "find_max", "running_total", "sum_list"),
    ("filter_greater", "filter_positive", "filter_even", "filter_odd", "absolute_values"),
    ("absolute_values", "cubes", "squares", "filter_positive"),
    ("chunks", "flatten", "every_second", "group_by_first_letter"),
    ("union", "difference", "common_elements", "remove_duplicates", "merge_sorted"),
    ("merge_sorted", "merge_sort", "union", "merge_dicts", "sort_ascending"),
    ("dot_product", "matrix_multiply", "product_list"),
    ("invert_dict", "merge_dicts", "sort_dict_by_value", "key_of_largest_value"),
    ("sort_dict_by_value", "sort_ascending", "group_by_first_letter", "char_frequency"),
    ("key_of_largest_value", "find_max", "mode"),
    ("transpose", "matrix_multiply", "diagonal_sum", "flatten"),
    ("diagonal_sum", "nested_sum", "sum_list"),
)
