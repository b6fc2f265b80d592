"""Task families on lists."""

from tools.starter.family import Family

LISTS = (
    Family(
        name="sum_list",
        does="adds up the numbers",
        source="""
        def NAME(numbers):
            total = 0
            for number in numbers:
                total += number
            return total
        """,
        checks=((([1, 2, 3],), 6), (([],), 0), (([-4, 10, 5],), 11), (([7],), 7)),
        verbs=(
            "add up {nums}",
            "add up [all the|the|all] {items} [in|of] {list}",
            "add [all the|the] {items} [in|of] {list} together",
            "add together {nums}",
            "sum {nums}",
            "sum [up|] [all the|the|all] {items} [in|of] {list}",
            "sum {list}",
            "{find} the [sum|total] of {nums}",
            "{find} the [sum|total] of [all the|the|all] {items} [in|of] {list}",
            "total {nums}",
            "total [up|] [all the|the] {items} [in|of] {list}",
            "take {nums} and [return|give back] [its|the|their] [sum|total]",
        ),
        nouns=(
            "[the|] sum of {nums}",
            "[the|] sum of [all|the] {items} in {list}",
            "[the|] total of {nums}",
            "list sum",
            "addition of all {items} in {list}",
        ),
        held=("tally up {nums}", "compute what all the {items} of {list} add up to"),
        critic_only=("{find} the grand total of {nums}",),
        asks=("sum", "what do [the|all] {items} in {list} add up to", "sum of list"),
    ),
    Family(
        name="product_list",
        does="multiplies the numbers",
        source="""
        def NAME(numbers):
            result = 1
            for number in numbers:
                result *= number
            return result
        """,
        checks=((([1, 2, 3, 4],), 24), (([],), 1), (([-4, 5],), -20), (([7],), 7)),
        verbs=(
            "multiply {nums}",
            "multiply [all the|the|all] {items} [in|of] {list}",
            "multiply [all the|the] {items} [in|of] {list} together",
            "multiply together {nums}",
            "multiply all {items} with each other",
            "{find} the product of {nums}",
            "{find} the product of [all the|the|all] {items} [in|of] {list}",
            "take {nums} and [return|give back] [its|the|their] product",
            "take the product of {list}",
        ),
        nouns=(
            "[the|] product of {nums}",
            "[the|] product of [all|the] {items} in {list}",
            "list product",
            "multiplication of all {items} in {list}",
        ),
        held=(
            "{find} the result of multiplying {nums}",
            "work out all the {items} of {list} multiplied",
        ),
        critic_only=("{find} what you get when you multiply every [number|value] in {list}",),
        asks=("product", "product of list", "what is the product of {nums}"),
    ),
    Family(
        name="mean",
        does="computes the average",
        source="""
        def NAME(numbers):
            return sum(numbers) / len(numbers)
        """,
        checks=((([1, 2, 3],), 2.0), (([4, 5],), 4.5), (([10],), 10.0), (([-2, 2, 3],), 1.0)),
        verbs=(
            "{find} the [mean|average|arithmetic mean|mean value|average value] of {nums}",
            "{find} the [mean|average] of [all the|the|all] {items} [in|of] {list}",
            "average {nums}",
            "average [all the|the] {items} [in|of] {list}",
            "take {nums} and [return|give back] [its|the|their] [mean|average]",
            "take the [mean|average] of {list}",
            "work out how big {items} are on average",
        ),
        nouns=(
            "[the|] [mean|average] of {nums}",
            "[the|] [mean|average] of [all|the] {items} in {list}",
            "[the|] arithmetic mean of {list}",
            "[the|] [mean|average] value of {list}",
            "list average",
            "[mean|average] calculation",
        ),
        held=(
            "{find} the average [number|item] in {list}",
            "{find} the [mean|average] over {nums}",
        ),
        critic_only=("calculate the central arithmetic mean for {list}",),
        asks=("mean", "average", "what is the [mean|average] of {nums}"),
    ),
    Family(
        name="median",
        does="finds the median",
        source="""
        def NAME(numbers):
            ordered = sorted(numbers)
            middle = len(ordered) // 2
            if len(ordered) % 2 == 1:
                return ordered[middle]
            return (ordered[middle - 1] + ordered[middle]) / 2
        """,
        checks=((([3, 1, 2],), 2), (([4, 1, 3, 2],), 2.5), (([9],), 9), (([5, 1, 9, 7, 30],), 7)),
        verbs=(
            "{find} the [median|median value] of {nums}",
            "{find} the median of [all the|the|all] {items} [in|of] {list}",
            "{find} the median of {list}",
            "{find} the [middle|middle value] of {nums} [when|once] sorted",
            "{find} the middle [value|number] of a sorted list",
            "take {nums} and [return|give back] [its|the|their] median",
            "take the median of {list}",
        ),
        nouns=(
            "[the|] median of {nums}",
            "[the|] median of [all|the] {items} in {list}",
            "[the|] median value of {list}",
            "[the|] middle value of {nums}",
            "list median",
            "median calculation",
        ),
        held=("{find} the median [number|item] in {list}", "{find} the median over {nums}"),
        critic_only=("{find} the [number|value] in the middle of sorted {items}",),
        asks=("median", "what is the median of {nums}"),
    ),
    Family(
        name="find_max",
        does="finds the largest item",
        source="""
        def NAME(numbers):
            largest = numbers[0]
            for number in numbers:
                if number > largest:
                    largest = number
            return largest
        """,
        checks=((([1, 5, 3],), 5), (([-4, -2, -9],), -2), (([7],), 7), (([1, 2, 8],), 8)),
        verbs=(
            "{find} the {largest} {item} [in|of|from] {list}",
            "{find} the {largest} [in|of] {nums}",
            "{find} the {largest} {item} [in|of] {nums}",
            "{find} the max [in|of] {list}",
            "{find} the {largest} of [all the|the|all] {items}",
            "pick the {largest} {item} [in|of|from] {list}",
            "look for the {largest} {item} [in|of] {list}",
            "take {nums} and [return|give back] the {largest} [one|{item}]",
            "{find} which {item} [in|of] {list} is the {largest}",
        ),
        nouns=(
            "[the|] {largest} {item} [in|of] {list}",
            "[the|] {largest} of {nums}",
            "[the|] max of {list}",
            "list [maximum|max]",
            "[maximum|max] value",
        ),
        held=(
            "select the {item} of {list} that is {largest}",
            "{find} the {largest} among {nums}",
        ),
        critic_only=("{find} the {item} that is bigger than all the others [in|of] {list}",),
        asks=(
            "max",
            "maximum",
            "what is the {largest} {item} in {list}",
            "which {item} in {list} is the {largest}",
        ),
    ),
    Family(
        name="find_min",
        does="finds the smallest item",
        source="""
        def NAME(numbers):
            smallest = numbers[0]
            for number in numbers:
                if number < smallest:
                    smallest = number
            return smallest
        """,
        checks=((([4, 1, 3],), 1), (([-4, -2, -9],), -9), (([7],), 7), (([5, 2],), 2)),
        verbs=(
            "{find} the {smallest} {item} [in|of|from] {list}",
            "{find} the {smallest} [in|of] {nums}",
            "{find} the {smallest} {item} [in|of] {nums}",
            "{find} the min [in|of] {list}",
            "{find} the {smallest} of [all the|the|all] {items}",
            "pick the {smallest} {item} [in|of|from] {list}",
            "look for the {smallest} {item} [in|of] {list}",
            "take {nums} and [return|give back] the {smallest} [one|{item}]",
            "{find} which {item} [in|of] {list} is the {smallest}",
        ),
        nouns=(
            "[the|] {smallest} {item} [in|of] {list}",
            "[the|] {smallest} of {nums}",
            "[the|] min of {list}",
            "list [minimum|min]",
            "[minimum|min] value",
        ),
        held=(
            "select the {item} of {list} that is {smallest}",
            "{find} the {smallest} among {nums}",
        ),
        critic_only=("{find} the {item} that is less than all the others [in|of] {list}",),
        asks=(
            "min",
            "minimum",
            "what is the {smallest} {item} in {list}",
            "which {item} in {list} is the {smallest}",
        ),
    ),
    Family(
        name="second_largest",
        does="finds the second largest item",
        source="""
        def NAME(numbers):
            ordered = sorted(set(numbers))
            return ordered[-2]
        """,
        checks=((([1, 5, 3],), 3), (([5, 5, 2],), 2), (([9, 8, 7, 6],), 8), (([-1, -2],), -2)),
        verbs=(
            "{find} the {second} {largest} {item} [in|of|from] {list}",
            "{find} the {second} {largest} [in|of] {nums}",
            "{find} the {second} {largest} {item} [in|of] {nums}",
            "{find} the {second} {largest} of [all the|the|all] {items}",
            "pick the {second} {largest} {item} [in|of|from] {list}",
            "look for the {second} {largest} {item} [in|of] {list}",
            "take {nums} and [return|give back] the {second} {largest} [one|{item}]",
            "{find} the [runner-up|number two] [in|of] {nums}",
            "{find} the {item} just below the {largest} [in|of] {list}",
            "{find} which {item} [in|of] {list} is the {second} {largest}",
        ),
        nouns=(
            "[the|] {second} {largest} {item} [in|of] {list}",
            "[the|] {second} {largest} of {nums}",
            "{second} max",
            "[the|] {second} {largest}",
        ),
        held=(
            "select the {item} of {list} that is the {second} {largest}",
            "{find} the {second} {largest} among {nums}",
        ),
        critic_only=("{find} the {largest} {item} [in|of] {list} after the {largest} one",),
        asks=("second largest", "what is the {second} {largest} {item} in {list}"),
    ),
    Family(
        name="sort_ascending",
        does="sorts the list upwards",
        source="""
        def NAME(items):
            return sorted(items)
        """,
        checks=((([3, 1, 2],), [1, 2, 3]), (([],), []), (([5, 5, -1],), [-1, 5, 5])),
        verbs=(
            "sort {list}",
            "sort {nums}",
            "sort {list} [in ascending order|ascending|from low to high|in increasing order]",
            "sort {nums} [in ascending order|ascending|from smallest to largest]",
            "sort [all the|the|all] {items} [in|of] {list}",
            "sort [all the|the] {items} [in|of] {list} [from lowest to highest|upwards]",
            "sort {items} [smallest first|from small to big|from small to large|lowest first]",
            "order {nums} [from smallest to largest|ascending|in increasing order|upwards]",
            "order {list}",
            "put {nums} in [order|ascending order|increasing order]",
            "arrange {nums} [from smallest to biggest|in ascending order|in order]",
            "take {nums} and [return|give back] it sorted",
        ),
        nouns=(
            "[a|the|] sorted list",
            "ascending sort of {list}",
            "list sorting",
            "list [sorting|sort] [ascending|in ascending order]",
            "[the|] {items} of {list} in [ascending|increasing|sorted] order",
            "[the|] sorted version of {list}",
        ),
        held=(
            "bring {nums} into ascending order",
            "sort {list} so that the {smallest} comes first",
        ),
        critic_only=("rearrange {list} so that the {items} go up",),
        asks=("sort", "sort ascending", "sort list"),
    ),
    Family(
        name="sort_descending",
        does="sorts the list downwards",
        source="""
        def NAME(items):
            return sorted(items, reverse=True)
        """,
        checks=((([3, 1, 2],), [3, 2, 1]), (([],), []), (([5, 5, -1, 6],), [6, 5, 5, -1])),
        verbs=(
            "sort {list} [in descending order|descending|from high to low|in decreasing order]",
            "sort {nums} [in descending order|descending|from largest to smallest]",
            "sort {nums} [in decreasing order|in reverse order|backwards]",
            "sort [all the|the] {items} [in|of] {list} [from highest to lowest|downwards]",
            "sort {items} [largest first|biggest first|from big to small|highest first]",
            "sort {list} from [big to small|large to small|biggest to smallest]",
            "order {nums} [from largest to smallest|descending|in decreasing order|downwards]",
            "put {nums} in [descending order|decreasing order|reverse sorted order]",
            "arrange {nums} [from biggest to smallest|in descending order]",
            "take {nums} and [return|give back] it sorted [descending|in descending order]",
            "reverse sort {list}",
        ),
        nouns=(
            "descending sort of {list}",
            "reverse sort of {list}",
            "list [sorting|sort] [descending|in descending order]",
            "[the|] {items} of {list} in [descending|decreasing|reverse sorted] order",
            "[a|the|] list sorted [from high to low|in descending order]",
        ),
        held=(
            "bring {nums} into descending order",
            "sort {list} so that the {largest} comes first",
        ),
        critic_only=("rearrange {list} so that the {items} go down",),
        asks=("sort descending", "reverse sort", "sort list descending"),
    ),
    Family(
        name="reverse_list",
        does="reverses the list",
        source="""
        def NAME(items):
            return items[::-1]
        """,
        checks=((([3, 1, 2, 4],), [4, 2, 1, 3]), (([],), []), ((["a", "b"],), ["b", "a"])),
        verbs=(
            "reverse {list}",
            "reverse the order of {list}",
            "reverse {nums}",
            "reverse [all the|the] {items} [in|of] {list}",
            "reverse the order of [all the|the] {items} [in|of] {list}",
            "turn {list} around",
            "flip {list}",
            "flip the order of {list}",
            "flip the order of the {items} [in|of] {list}",
            "return {list} [in reverse|in reverse order|backwards|reversed]",
            "put [the|] {items} of {list} in [reverse|backward|the opposite] order",
            "{find} the reverse of {list}",
        ),
        nouns=(
            "[a|the|] reversed list",
            "[the|] reverse of {list}",
            "list reversal",
            "list reverse",
            "{list} in reverse [order|]",
            "[the|] {items} of {list} in reverse order",
        ),
        held=("give {list} back to front", "invert the order of {list}"),
        critic_only=("return the {items} of {list} from last to first",),
        asks=("reverse list", "list reverse", "reverse array"),
    ),
    Family(
        name="filter_even",
        does="keeps the even numbers",
        source="""
        def NAME(numbers):
            return [number for number in numbers if number % 2 == 0]
        """,
        checks=((([1, 2, 3, 4],), [2, 4]), (([],), []), (([5, 7],), []), (([0, -2, 3],), [0, -2])),
        verbs=(
            "{keep} [only|just|] the even {items} [in|of|from] {list}",
            "{keep} [only|just|] [the|] even numbers",
            "{keep} [all|all the] even {items} [in|of|from] {list}",
            "filter {list} [for|to] even {items}",
            "filter {nums} to keep [only|just] [the|] even ones",
            "filter out the odd {items} [in|of|from] {list}",
            "filter even numbers",
            "remove [all the|the|all|] odd {items} [from|of|in] {list}",
            "drop [all the|the|all] odd {items} [from|of|in] {list}",
            "{find} [all the|the|all] even {items} [in|of] {list}",
            "take {nums} and [return|give back] the even [ones|{items}]",
        ),
        nouns=(
            "[the|all|all the|] even {items} [in|of|from] {list}",
            "[the|all|only the|] even {items} of {nums}",
            "even number filter",
            "list of even {items} [from|in|of] {list}",
            "[a|] filter for even numbers",
        ),
        held=(
            "leave only the even {items} in {list}",
            "{find} every {item} of {list} that is even",
        ),
        critic_only=("{keep} the {items} of {list} that are divisible by two",),
        asks=(
            "filter even",
            "which {items} in {list} are even",
            "evens from {list}",
        ),
    ),
    Family(
        name="filter_odd",
        does="keeps the odd numbers",
        source="""
        def NAME(numbers):
            return [number for number in numbers if number % 2 == 1]
        """,
        checks=((([1, 2, 3, 4],), [1, 3]), (([],), []), (([6, 8],), []), (([0, -3, 5],), [-3, 5])),
        verbs=(
            "{keep} [only|just|] the odd {items} [in|of|from] {list}",
            "{keep} [only|just|] [the|] odd numbers",
            "{keep} [all|all the] odd {items} [in|of|from] {list}",
            "filter {list} [for|to] odd {items}",
            "filter {nums} to keep [only|just] [the|] odd ones",
            "filter out the even {items} [in|of|from] {list}",
            "filter odd numbers",
            "remove [all the|the|all|] even {items} [from|of|in] {list}",
            "drop [all the|the|all] even {items} [from|of|in] {list}",
            "{find} [all the|the|all] odd {items} [in|of] {list}",
            "take {nums} and [return|give back] the odd [ones|{items}]",
        ),
        nouns=(
            "[the|all|all the|] odd {items} [in|of|from] {list}",
            "[the|all|only the|] odd {items} of {nums}",
            "odd number filter",
            "list of odd {items} [from|in|of] {list}",
            "[a|] filter for odd numbers",
        ),
        held=(
            "leave only the odd {items} in {list}",
            "{find} every {item} of {list} that is odd",
        ),
        critic_only=("{keep} the {items} of {list} that are not divisible by two",),
        asks=(
            "filter odd",
            "which {items} in {list} are odd",
            "odds from {list}",
        ),
    ),
    Family(
        name="squares",
        does="squares each number",
        source="""
        def NAME(numbers):
            return [number ** 2 for number in numbers]
        """,
        checks=((([1, 2, 3],), [1, 4, 9]), (([],), []), (([-4, 0],), [16, 0])),
        verbs=(
            "square [every|each] {item} [in|of] {list}",
            "square [all the|the|all] {items} [in|of] {list}",
            "square {nums}",
            "{find} the squares of {nums}",
            "{find} the squares of [all the|the|all] {items} [in|of] {list}",
            "{find} the square of [every|each] {item} [in|of] {list}",
            "raise [every|each] {item} [in|of] {list} to the power of two",
            "multiply [every|each] {item} [in|of] {list} by itself",
            "replace [every|each] {item} [in|of] {list} [by|with] its square",
            "map {nums} to their squares",
            "make a list of squares [of|from] {nums}",
            "take {nums} and [return|give back] [the|their] squares",
        ),
        nouns=(
            "[the|] squares of {nums}",
            "[the|a|] list of squares",
            "[the|] squares of [all|the] {items} in {list}",
            "[the|] square of [every|each] {item} in {list}",
            "squared {items} of {list}",
        ),
        held=(
            "turn each {item} of {list} into its square",
            "calculate all squares for {nums}",
        ),
        critic_only=("raise all {items} of {list} to the second power",),
        asks=("squares", "square list"),
    ),
    Family(
        name="remove_duplicates",
        does="removes the duplicates",
        source="""
        def NAME(items):
            unique = []
            for item in items:
                if item not in unique:
                    unique.append(item)
            return unique
        """,
        checks=((([1, 2, 1, 3, 2],), [1, 2, 3]), (([],), []), ((["b", "a", "b"],), ["b", "a"])),
        verbs=(
            "remove [all|all the|the|] [duplicates|duplicate {items}|doubles] from {list}",
            "remove [repeated|repeating|double] {items} from {list}",
            "remove [all|] duplicates",
            "delete [all|the|] [duplicates|duplicate {items}|repeated {items}] [in|from] {list}",
            "drop [all|the|] [duplicates|duplicate {items}] [in|from] {list}",
            "eliminate duplicates [in|from] {list}",
            "get rid of [duplicates|duplicate {items}] in {list}",
            "filter out [duplicates|duplicate {items}] [in|from] {list}",
            "strip duplicates from {list}",
            "deduplicate {list}",
            "dedupe {list}",
            "{find} the [unique|distinct] {items} [in|of] {list}",
            "keep only [unique|distinct] {items} [in|of] {list}",
            "make [all|the] {items} [in|of] {list} unique",
        ),
        nouns=(
            "[the|] [unique|distinct] {items} [in|of] {list}",
            "{list} without duplicates",
            "duplicate removal",
            "[the|] list with duplicates removed",
            "list deduplication",
        ),
        held=(
            "clean {list} of duplicate {items}",
            "return {list} with each {item} only once",
        ),
        critic_only=("throw away {items} of {list} that were seen before",),
        asks=("remove duplicates", "dedupe", "unique {items}"),
    ),
    Family(
        name="flatten",
        does="flattens the nested list",
        source="""
        def NAME(nested):
            flat = []
            for inner in nested:
                for item in inner:
                    flat.append(item)
            return flat
        """,
        checks=((([[1, 2], [3]],), [1, 2, 3]), (([],), []), (([[], [4], [5, 6]],), [4, 5, 6])),
        verbs=(
            "flatten {nested}",
            "flatten a list",
            "flatten {nested} into [a single|one|a flat] list",
            "turn {nested} into [a single|one|a flat] list",
            "convert {nested} [to|into] [a single|one|a flat] list",
            "make {nested} flat",
            "unnest {nested}",
            "merge {nested} into [one|a single] list",
            "join [the|all|all the] [inner|nested] lists into [one|a single] list",
            "collapse {nested} into [one|a single|a flat] list",
            "combine [the|all] [inner lists|sublists] into [one|a single] list",
        ),
        nouns=(
            "[a|the|] flattened list",
            "[a|the|] flat version of {nested}",
            "list flattening",
            "[the|] flattening of {nested}",
            "all {items} of {nested} in one list",
        ),
        held=("make one flat list out of {nested}", "put all {items} of {nested} in one flat list"),
        critic_only=("unpack {nested} into a one-dimensional list",),
        asks=("flatten", "flatten list", "flatten nested list"),
    ),
    Family(
        name="count_occurrences",
        does="counts how often a value occurs",
        source="""
        def NAME(items, target):
            count = 0
            for item in items:
                if item == target:
                    count += 1
            return count
        """,
        checks=((([1, 2, 1], 1), 2), (([], 5), 0), ((["a", "b"], "b"), 1), (([3, 3, 3, 4], 3), 3)),
        verbs=(
            "count how [often|many times] {value} [appears|occurs|shows up|is] in {list}",
            "count [the|all|] [occurrences|appearances] of {value} in {list}",
            "count {value} in {list}",
            "{find} how [often|many times] {value} [appears|occurs|is] in {list}",
            "{find} the number of [times|occurrences] {value} [appears|occurs|is found] in {list}",
            "{find} the number of [occurrences|appearances] of {value} in {list}",
            "{find} the [count|frequency] of {value} in {list}",
        ),
        nouns=(
            "[the|] number of times {value} [appears|occurs] in {list}",
            "[the|] number of occurrences of {value} in {list}",
            "[the|] count of {value} in {list}",
            "occurrences of {value} in {list}",
            "occurrence count",
        ),
        held=(
            "count how frequently {value} comes up in {list}",
            "{find} how many of {list} are equal to {value}",
        ),
        critic_only=("count the {items} of {list} that match {value}",),
        asks=("how [often|many times] does {value} [appear|occur] in {list}", "count occurrences"),
    ),
    Family(
        name="common_elements",
        does="finds the common items of two lists",
        source="""
        def NAME(first, second):
            return [item for item in first if item in second]
        """,
        checks=((([1, 2, 3], [2, 3, 4]), [2, 3]), (([], [1]), []), ((["a"], ["a", "b"]), ["a"])),
        verbs=(
            "{find} [the|all the|all|] [common|shared] {items} [of|in|between] {two}",
            "{find} the {items} that {two} [share|have in common]",
            "{find} the {items} [that are|] in both lists",
            "{find} the [intersection|overlap] of {two}",
            "{keep} [only|] the {items} [that are|] in both lists",
            "intersect {two}",
            "compare {two} and [return|find] the common {items}",
            "{find} what {two} have in common",
        ),
        nouns=(
            "[the|] common {items} [of|in|between] {two}",
            "[the|] intersection of {two}",
            "[the|] {items} in both lists",
            "list intersection",
            "[the|] overlap [of|between] {two}",
            "[the|] shared {items} of {two}",
        ),
        held=(
            "{find} the {items} that appear in both of {two}",
            "take {two} and return their common {items}",
        ),
        critic_only=("{find} [every|each] {item} of one list that is in the other list as well",),
        asks=("intersection", "which {items} are in both lists", "common {items}"),
    ),
    Family(
        name="running_total",
        does="computes the running totals",
        source="""
        def NAME(numbers):
            total = 0
            totals = []
            for number in numbers:
                total += number
                totals.append(total)
            return totals
        """,
        checks=((([1, 2, 3],), [1, 3, 6]), (([],), []), (([5, -5, 2],), [5, 0, 2])),
        verbs=(
            "{find} the {running} of {nums}",
            "{find} the {running} of [all the|the] {items} [in|of] {list}",
            "{find} the {running} of {list}",
            "make a list of {running}s [of|from] {nums}",
            "{find} the [list of|] {running}s of {nums}",
            "accumulate {nums}",
            "take {nums} and [return|give back] the {running}",
            "add up {nums} [step by step|cumulatively]",
        ),
        nouns=(
            "[the|] {running} of {nums}",
            "[the|] {running} of {list}",
            "{running}",
            "[the|] {running}s",
            "[the|] prefix sums of {nums}",
        ),
        held=("calculate all {running}s for {nums}", "turn {nums} into their {running}s"),
        critic_only=("{find} the sum of {nums} up to every position",),
        asks=("{running}", "prefix sums"),
    ),
)
