"""Task families on arithmetic, conversions, recursion and classic algorithms."""

from tools.starter.family import Family

ALGORITHMS_SLOTS: dict[str, tuple[str, ...]] = {
    "a_base": ("a number", "a base", "a given number", "x", "an integer", "one number"),
    "a_power": (
        "a power", "a given power", "an exponent", "the nth power", "a given exponent",
        "the power of another number", "the power n", "the n-th power",
    ),
    "a_square": ("a perfect square", "a square number", "a perfect square number"),
    "a_bounds": (
        "a minimum and a maximum", "two bounds", "a lower and an upper bound", "low and high",
        "a min and a max", "two limits", "a lower and an upper limit", "two given values",
    ),
    "a_binary": ("binary", "binary", "a binary string", "a binary number", "base 2", "base two"),
    "a_bits": (
        "a binary string", "a binary number", "binary", "a string of bits", "a base 2 number",
        "a string of zeros and ones", "a string of 0s and 1s",
    ),
    "a_decimal": (
        "decimal", "a decimal number", "an integer", "an int", "a number", "base 10", "a decimal",
    ),
    "a_roman": ("roman numerals", "a roman numeral", "Roman numerals", "a Roman numeral"),
    "a_numeral": (
        "a roman numeral", "roman numerals", "Roman numerals", "a Roman numeral",
        "a given roman numeral", "a roman number",
    ),
    "a_two": ("two", "2", "two", "2"),
    "a_km": (
        "kilometres", "kilometers", "km", "kms", "a distance in kilometers",
        "a distance in kilometres", "a length in km",
    ),
    "a_miles": ("miles", "miles", "mi", "english miles"),
    "a_circle": ("a circle", "the circle", "a given circle", "a circle with radius r"),
    "a_right": ("a right triangle", "a right-angled triangle", "a right angled triangle"),
    "a_quadratic": (
        "a quadratic equation", "the quadratic equation", "a quadratic", "a quadratic polynomial",
        "ax^2 + bx + c = 0", "a second degree equation",
    ),
    "a_roots": ("roots", "real roots", "solutions", "real solutions", "zeros"),
    "a_hanoi": (
        "towers of hanoi", "tower of hanoi", "the towers of hanoi", "the tower of hanoi",
        "Towers of Hanoi", "Tower of Hanoi", "hanoi",
    ),
    "a_pascal": ("pascal's triangle", "Pascal's triangle", "pascals triangle", "pascal triangle"),
    "a_brackets": ("brackets", "parentheses", "parens", "braces and brackets"),
    "a_words": (
        "a list of words", "a list of strings", "several strings", "an array of strings",
        "some words", "the words in a list", "several words", "strings",
    ),
    "a_edit": (
        "levenshtein distance", "Levenshtein distance", "edit distance", "edit distance",
    ),
    "a_both": ("two strings", "two words", "2 strings", "two given words", "a pair of words"),
    "a_bunch": (
        "a list", "the list", "a given list", "a set", "some items", "an array", "a list of items",
    ),
    "a_bubble": ("bubble sort", "bubble sort", "bubblesort", "bubble-sort", "Bubble Sort"),
    "a_merge": ("merge sort", "merge sort", "mergesort", "merge-sort", "Merge Sort"),
    "a_quick": ("quicksort", "quick sort", "quicksort", "quick-sort", "Quicksort"),
}  # fmt: skip

_POWERS = (
    Family(
        name="power",
        does="raises the base to the exponent",
        source="""
        def NAME(base, exponent):
            result = 1
            for _ in range(exponent):
                result *= base
            return result
        """,
        javascript="""
        function NAME(base, exponent) {
          let result = 1;
          for (let i = 0; i < exponent; i++) {
            result *= base;
          }
          return result;
        }
        """,
        checks=(((2, 5), 32), ((3, 2), 9), ((7, 0), 1), ((5, 1), 5), ((-2, 3), -8)),
        verbs=(
            "raise {a_base} to {a_power}",
            "raise one number to the power of [another|a second]",
            "{find} {a_base} [to|raised to] {a_power}",
            "{find} the power of {a_base}",
            "{find} the power from [a base and an exponent|base and exponent]",
            "{find} the {nth} power of {a_base}",
            "{find} a to the power [of|] b",
            "multiply {a_base} by itself n times",
            "take a base and an exponent and [return|give back] the power",
            "do exponentiation",
            "{find} powers [of numbers|with a loop|] without **",
        ),
        nouns=(
            "[the|] {nth} power of {a_base}",
            "[a|the|] power [function|calculation]",
            "exponentiation [of {a_base}|]",
            "{a_base} [to|raised to] {a_power}",
            "[the|] power of {a_base} with an exponent",
            "a to the power [of|] b",
        ),
        held=(
            "take {a_base} to {a_power}",
            "{find} base to the exponent",
        ),
        critic_only=("{find} what {a_base} multiplied by itself several times is",),
        asks=("power", "exponentiation", "what is {a_base} to {a_power}", "x to the power of n"),
    ),
    Family(
        name="is_perfect_square",
        does="checks for a perfect square",
        source="""
        import math

        def NAME(n):
            return n >= 0 and math.isqrt(n) ** 2 == n
        """,
        javascript="""
        function NAME(n) {
          return n >= 0 && Math.floor(Math.sqrt(n)) ** 2 === n;
        }
        """,
        checks=(
            ((16,), True),
            ((0,), True),
            ((1,), True),
            ((8,), False),
            ((-4,), False),
            ((49,), True),
            ((50,), False),
        ),
        verbs=(
            "{check} {whether} {number} is {a_square}",
            "{check} {whether} {number} is {a_square} or not",
            "{check} for [perfect squares|square numbers|a perfect square]",
            "{check} {number} for being {a_square}",
            "{check} {whether} the square root of {number} is [an integer|a whole number|whole]",
            "{check} {whether} {number} is the square of [an integer|a whole number]",
            "{check} {whether} {number} has [an integer|a whole] square root",
            "detect [perfect squares|square numbers]",
            "return true if {number} is {a_square}",
        ),
        nouns=(
            "[a|] perfect square [check|checker|test]",
            "[a|] square number [check|checker|test]",
            "[a|] perfect square [check|test] for {number}",
            "checking for [perfect squares|square numbers]",
            "perfect square detection",
        ),
        held=(
            "say {whether} {number} is {a_square}",
            "recognise [perfect squares|a square number]",
        ),
        critic_only=("{check} {whether} {number} is some whole number times itself",),
        asks=("is {number} {a_square}", "perfect square", "is perfect square", "is square number"),
    ),
    Family(
        name="is_power_of_two",
        does="checks for a power of two",
        source="""
        def NAME(n):
            while n > 1 and n % 2 == 0:
                n //= 2
            return n == 1
        """,
        javascript="""
        function NAME(n) {
          while (n > 1 && n % 2 === 0) {
            n /= 2;
          }
          return n === 1;
        }
        """,
        checks=(
            ((1,), True),
            ((16,), True),
            ((2,), True),
            ((0,), False),
            ((6,), False),
            ((12,), False),
            ((9,), False),
            ((-8,), False),
        ),
        verbs=(
            "{check} {whether} {number} is a power of {a_two}",
            "{check} {whether} {number} is a power of {a_two} or not",
            "{check} for [powers|a power] of {a_two}",
            "{check} {number} for being a power of {a_two}",
            "{check} {whether} {number} is one of the powers of {a_two}",
            "{check} {whether} {number} is {a_two} to some power",
            "{check} {whether} {number} is {a_two} raised to [a power|an exponent]",
            "detect powers of {a_two}",
            "say {whether} {number} is a power of {a_two}",
            "return true if {number} is a power of {a_two}",
        ),
        nouns=(
            "[a|] power of {a_two} [check|checker|test]",
            "[a|] check for powers of {a_two}",
            "checking for [powers|a power] of {a_two}",
            "powers of {a_two} detection",
            "[a|] power of {a_two} [check|test] for {number}",
        ),
        held=(
            "tell powers of {a_two} from other numbers",
            "find out {whether} {number} can be a power of {a_two}",
        ),
        critic_only=("{check} {whether} {number} can be halved again and again down to one",),
        asks=(
            "is {number} a power of {a_two}",
            "is power of {a_two}",
            "power of {a_two}",
        ),
    ),
    Family(
        name="sum_to_n",
        does="adds up the numbers from 1 to n",
        source="""
        def NAME(n):
            return n * (n + 1) // 2
        """,
        javascript="""
        function NAME(n) {
          return n * (n + 1) / 2;
        }
        """,
        checks=(((10,), 55), ((1,), 1), ((0,), 0), ((4,), 10), ((100,), 5050)),
        verbs=(
            "add up [all the|the|all] [numbers|integers] from 1 [to|up to] {limit}",
            "add [all the|the|all] [numbers|integers] from [1|one] to n",
            "sum [up|] [all the|the|all|] [numbers|integers] from 1 [to|up to|through] {limit}",
            "sum [the|all|] [numbers|integers] 1 to n",
            "{find} the [sum|total] of [all|the|all the|] [numbers|integers] from 1 to {limit}",
            "{find} the [sum|total] of [all|the] [numbers|integers] between 1 and {limit}",
            "{find} the [sum|total] of the first n [integers|natural numbers|numbers]",
            "{find} the {nth} [triangular|triangle] number",
            "{find} 1 + 2 + 3 [up|and so on up|] to n",
            "total the numbers from 1 to {limit}",
            "tally up the numbers from 1 to {limit}",
        ),
        nouns=(
            "[the|] [sum|total] of [the|all|all the|] [numbers|integers] from 1 to {limit}",
            "[the|] sum of the first n [integers|natural numbers|numbers]",
            "[the|] sum from 1 to {limit}",
            "[the|] [sum|total] of 1 to n",
            "[the|] {nth} [triangular|triangle] number",
            "1 + 2 + ... + n",
        ),
        held=(
            "{find} what the numbers 1 to {limit} add up to",
            "total up all the integers from 1 to n",
        ),
        critic_only=("add {number} to all the positive numbers below it",),
        asks=(
            "sum of [numbers from|] 1 to n",
            "sum of first n numbers",
            "triangular number",
            "what is the sum of all numbers from 1 to {limit}",
        ),
    ),
    Family(
        name="multiplication_table",
        does="lists the multiplication table of the number",
        source="""
        def NAME(n):
            return [n * i for i in range(1, 11)]
        """,
        checks=(
            ((3,), [3, 6, 9, 12, 15, 18, 21, 24, 27, 30]),
            ((0,), [0] * 10),
            ((7,), [7, 14, 21, 28, 35, 42, 49, 56, 63, 70]),
        ),
        verbs=(
            "{find} the [multiplication|times] table [of|for] {number}",
            "make [a|the] [multiplication|times] table [of|for] {number}",
            "print [a|the] [multiplication|times] table [of|for] {number}",
            "list the [multiplication|times] table [of|for] {number}",
            "show the first [ten|10] multiples of {number}",
            "generate [a|the] [multiplication|times] table [of|for|with] {number}",
            "create [a|the] [multiplication|times] table",
            "{find} the first [ten|10] multiples of {number}",
            "list the [first ten|first 10] multiples of {number}",
            "multiply {number} by [all the numbers|every number|each number] from 1 to 10",
            "multiply {number} by 1, 2, 3 [up to|to|and so on up to] 10",
        ),
        nouns=(
            "[the|a|] [multiplication|times] table [of|for] {number}",
            "[a|the|] [multiplication|times] table",
            "[the|] first [ten|10] multiples of {number}",
            "[a|the|] list of [the first|] [ten|10] multiples of {number}",
            "[the|] times table of [7|5|3|a number]",
        ),
        held=(
            "show the [multiplication|times] table of {number}",
            "{find} {number} times 1 up to {number} times 10",
        ),
        critic_only=("collect ten multiples of {number}, from once to ten times",),
        asks=(
            "multiplication table",
            "times table",
            "what is the [multiplication|times] table of {number}",
        ),
    ),
    Family(
        name="clamp",
        does="keeps the value between two bounds",
        source="""
        def NAME(value, low, high):
            return max(low, min(value, high))
        """,
        javascript="""
        function NAME(value, low, high) {
          if (value < low) {
            return low;
          }
          if (value > high) {
            return high;
          }
          return value;
        }
        """,
        checks=(((5, 0, 10), 5), ((-3, 0, 10), 0), ((12, 0, 10), 10), ((3, 4, 9), 4)),
        verbs=(
            "clamp {number} [between|to] {a_bounds}",
            "clamp {number} to [a range|an interval|a given range]",
            "clamp [a value|x|the value] [between|to] {a_bounds}",
            "limit {number} to [a range|an interval|a given range]",
            "limit [a value|{number}] [between|to|by] {a_bounds}",
            "restrict [a value|{number}] to [a range|an interval|a given range]",
            "keep [a value|{number}] [between|within] {a_bounds}",
            "keep {number} [inside|within|in] [a range|an interval|a given range]",
            "force {number} [into|to be in|to stay in] [a range|an interval]",
            "force [a value|{number}] [between|to be between] {a_bounds}",
            "constrain [a value|{number}] [to a range|between two bounds]",
        ),
        nouns=(
            "clamping of [a value|{number}]",
            "[a|] clamp function",
            "{number} clamped [between|to] {a_bounds}",
            "{number} limited to [a range|an interval|two bounds]",
            "limiting {number} to a range",
            "clamping [a value|{number}] between {a_bounds}",
        ),
        held=(
            "make {number} stay [between|within] {a_bounds}",
            "bound {number} by a minimum and a maximum",
        ),
        critic_only=("{find} the value, or the bound that it goes past",),
        asks=("clamp", "clamp a value", "clamp number to range"),
    ),
)

_FACTORS = (
    Family(
        name="divisors",
        does="lists the divisors",
        source="""
        def NAME(n):
            return [d for d in range(1, n + 1) if n % d == 0]
        """,
        javascript="""
        function NAME(n) {
          const found = [];
          for (let d = 1; d <= n; d++) {
            if (n % d === 0) {
              found.push(d);
            }
          }
          return found;
        }
        """,
        checks=(((12,), [1, 2, 3, 4, 6, 12]), ((1,), [1]), ((7,), [1, 7]), ((9,), [1, 3, 9])),
        verbs=(
            "{find} [all|the|all the] divisors of {number}",
            "list [all|the|all the] divisors of {number}",
            "print [all|the|all the] divisors of {number}",
            "{find} divisors",
            "{find} [all|the|all the] factors of {number}",
            "list [all|the|all the] factors of {number}",
            "collect [all|the|all the] divisors of {number}",
            "{find} [all|the|all the] [numbers|integers] that divide {number} [evenly|]",
            "{find} [all|the|all the] [numbers|integers] that {number} is divisible by",
            "list the [numbers|integers] which divide {number} without [a|any] remainder",
            "make a list of [all|the|all the] [divisors|factors] of {number}",
            "take {number} and [return|give back] [its|all its] divisors",
        ),
        nouns=(
            "[the|all|all the|] divisors of {number}",
            "[a|the|] list of [the|all] divisors of {number}",
            "[all|the|all the] factors of {number}",
            "[all|the] [numbers|integers] that divide {number}",
            "[all|the|] divisors",
        ),
        held=(
            "show [all|the|] [divisors|factors] of {number}",
            "{find} every divisor of {number}",
        ),
        critic_only=("look for each number that goes into {number} with no remainder",),
        asks=(
            "divisors",
            "what are the [divisors|factors] of {number}",
            "divisors of a number",
            "which numbers divide {number}",
        ),
    ),
    Family(
        name="prime_factors",
        does="finds the prime factors",
        source="""
        def NAME(n):
            factors = []
            divisor = 2
            while divisor * divisor <= n:
                if n % divisor == 0:
                    factors.append(divisor)
                    n //= divisor
                else:
                    divisor += 1
            if n > 1:
                factors.append(n)
            return factors
        """,
        checks=(
            ((12,), [2, 2, 3]),
            ((13,), [13]),
            ((1,), []),
            ((9,), [3, 3]),
            ((70,), [2, 5, 7]),
            ((16,), [2, 2, 2, 2]),
        ),
        verbs=(
            "{find} [all|the|all the] prime factors of {number}",
            "list [all|the|all the] prime factors of {number}",
            "print the prime factors of {number}",
            "{find} prime factors",
            "{find} the prime [factorization|factorisation] of {number}",
            "do [prime factorization|prime factorisation|a prime factorization]",
            "[factorize|factorise|factor] {number} into [primes|prime numbers|prime factors]",
            "[factorize|factorise] {number}",
            "decompose {number} into [primes|prime numbers|prime factors|its prime factors]",
            "break {number} [down|] into [primes|prime numbers|prime factors|its prime factors]",
            "take {number} and [return|give back] its prime factors",
            "write {number} as a product of [primes|prime numbers]",
        ),
        nouns=(
            "[the|all|all the|] prime factors of {number}",
            "[the|] prime [factorization|factorisation] of {number}",
            "prime [factorization|factorisation]",
            "[a|the|] list of [the|all] prime factors of {number}",
            "[the|] prime factors",
            "[the|] decomposition of {number} into [primes|prime factors]",
        ),
        held=(
            "{find} the primes that {number} is the product of",
            "collect the prime factors of {number}",
        ),
        critic_only=("{find} which prime numbers multiplied together give {number}",),
        asks=(
            "prime factors",
            "what are the prime factors of {number}",
            "prime [factorization|factorisation]",
            "factorize a number",
        ),
    ),
    Family(
        name="is_perfect_number",
        does="checks for a perfect number",
        source="""
        def NAME(n):
            return n > 0 and sum(d for d in range(1, n) if n % d == 0) == n
        """,
        checks=(
            ((6,), True),
            ((28,), True),
            ((1,), False),
            ((0,), False),
            ((12,), False),
            ((8,), False),
            ((16,), False),
        ),
        verbs=(
            "{check} {whether} {number} is [perfect|a perfect number]",
            "{check} {whether} {number} is a perfect number or not",
            "{check} for [perfect numbers|a perfect number]",
            "{check} {number} for being [perfect|a perfect number]",
            "{check} {whether} {number} is equal to the sum of its [proper|] divisors",
            "{check} {whether} {number} equals the sum of its [proper|] divisors",
            "{check} {whether} the [proper|] divisors of {number} add up to [it|the number itself]",
            "{check} {whether} the [proper|] [divisors|factors] of {number} sum to the number",
            "detect perfect numbers",
            "recognise perfect numbers",
            "return true if {number} is [perfect|a perfect number]",
        ),
        nouns=(
            "[a|] perfect number [check|checker|test]",
            "[a|] perfect number [check|test] for {number}",
            "checking for perfect numbers",
            "perfect number detection",
        ),
        held=(
            "say {whether} {number} is a perfect number",
            "tell perfect numbers from other numbers",
        ),
        critic_only=(
            "{check} {whether} {number} is the total of all the smaller numbers that divide it",
        ),
        asks=("is {number} [perfect|a perfect number]", "perfect number", "is perfect number"),
    ),
    Family(
        name="collatz_sequence",
        does="lists the Collatz sequence",
        source="""
        def NAME(n):
            sequence = [n]
            while n > 1:
                if n % 2 == 0:
                    n //= 2
                else:
                    n = 3 * n + 1
                sequence.append(n)
            return sequence
        """,
        checks=(
            ((6,), [6, 3, 10, 5, 16, 8, 4, 2, 1]),
            ((1,), [1]),
            ((4,), [4, 2, 1]),
            ((3,), [3, 10, 5, 16, 8, 4, 2, 1]),
        ),
        verbs=(
            "{find} the [collatz|Collatz] [sequence|series] [of|for|from|starting at] {number}",
            "generate [a|the] [collatz|Collatz] [sequence|series] [of|for|from] {number}",
            "list the [collatz|Collatz] [sequence|series|numbers] [of|for|from] {number}",
            "print the [collatz|Collatz] [sequence|series|numbers] [of|for|from] {number}",
            "{find} [a|the] [collatz|Collatz] sequence",
            "implement the [collatz|Collatz|3n+1] [conjecture|sequence|problem]",
            "{find} the [3n+1|3n + 1] sequence [of|for|from|starting at] {number}",
            "{find} the hailstone sequence [of|for] {number}",
            "apply the [collatz|Collatz|3n+1] rule to {number} until [it is|it reaches] 1",
        ),
        nouns=(
            "[the|a|] [collatz|Collatz] [sequence|series] [of|for|from|starting at] {number}",
            "[the|a|] [collatz|Collatz] sequence",
            "[the|] [collatz|Collatz] conjecture",
            "[the|] 3n+1 [sequence|problem]",
            "[the|] hailstone [sequence|numbers] [of|for] {number}",
        ),
        held=(
            "collect the [collatz|Collatz] numbers from {number} [down|] to 1",
            "show the [collatz|3n+1] sequence of {number}",
        ),
        critic_only=("follow {number} through the [collatz|Collatz] sequence to 1",),
        asks=(
            "collatz",
            "collatz sequence",
            "collatz conjecture",
            "hailstone sequence",
            "what is the collatz sequence of {number}",
        ),
    ),
    Family(
        name="count_digits",
        does="counts the digits",
        source="""
        def NAME(n):
            return len(str(abs(n)))
        """,
        javascript="""
        function NAME(n) {
          let count = 1;
          n = Math.abs(n);
          while (n >= 10) {
            n = Math.floor(n / 10);
            count += 1;
          }
          return count;
        }
        """,
        checks=(((123,), 3), ((0,), 1), ((-45,), 2), ((1000,), 4), ((7,), 1)),
        verbs=(
            "count [the|all|all the|] digits [of|in] {number}",
            "count [the number of|how many] digits {number} has",
            "count the number of digits [of|in] {number}",
            "count how many digits [are in|there are in] {number}",
            "{find} the number of digits [of|in] {number}",
            "{find} how many digits {number} [has|contains]",
            "{find} how many digits are in {number}",
            "{find} the [length|digit count] of {number} in digits",
            "{find} the digit count of {number}",
            "take {number} and [return|give back] [the number of its digits|its number of digits]",
        ),
        nouns=(
            "[the|] number of digits [of|in] {number}",
            "[the|a|] digit count [of|for] {number}",
            "[a|] digit counter",
            "[the|] count of [the|] digits in {number}",
            "how many digits {number} has",
        ),
        held=(
            "count every digit in {number}",
            "{find} how many digits make up {number}",
        ),
        critic_only=("{find} how long {number} is in digits",),
        asks=(
            "how many digits does {number} have",
            "how many digits are in {number}",
            "digit count",
            "number of digits",
        ),
    ),
    Family(
        name="reverse_number",
        does="reverses the digits",
        source="""
        def NAME(n):
            digits = int(str(abs(n))[::-1])
            return -digits if n < 0 else digits
        """,
        checks=(((123,), 321), ((0,), 0), ((120,), 21), ((-45,), -54), ((7,), 7)),
        verbs=(
            "reverse the digits [of|in] {number}",
            "reverse the order of the digits [of|in] {number}",
            "reverse {number}",
            "flip the digits [of|in] {number}",
            "turn the digits of {number} around",
            "put the digits of {number} in [reverse|the opposite] order",
            "return {number} with its digits [reversed|in reverse order|backwards]",
            "write {number} backwards",
            "take {number} and [return|give back] its digits [reversed|in reverse|backwards]",
            "{find} the reverse of {number}",
        ),
        nouns=(
            "[the|] reversed digits of {number}",
            "[the|] reverse of {number}",
            "[the|] digits of {number} [in reverse order|in reverse|backwards|reversed]",
            "{number} [backwards|with reversed digits|with its digits reversed]",
            "digit reversal",
            "[a|] reversed number",
        ),
        held=(
            "reverse all [the|] digits [of|in] {number}",
            "spell the digits of {number} backwards",
        ),
        critic_only=("{find} the number whose digits are those of {number} from last to first",),
        asks=(
            "reverse [number|integer|digits]",
            "number reverse",
            "reverse digits of a number",
        ),
    ),
)

_CONVERSIONS = (
    Family(
        name="to_binary",
        does="converts the number to binary",
        source="""
        def NAME(n):
            sign = "-" if n < 0 else ""
            return sign + bin(abs(n))[2:]
        """,
        javascript="""
        function NAME(n) {
          const sign = n < 0 ? "-" : "";
          return sign + Math.abs(n).toString(2);
        }
        """,
        checks=(((5,), "101"), ((0,), "0"), ((8,), "1000"), ((-2,), "-10")),
        verbs=(
            "convert {number} [to|into] {a_binary}",
            "convert [decimal|a decimal|a decimal number|base 10] [to|into] {a_binary}",
            "turn {number} into {a_binary}",
            "change {number} [to|into] {a_binary}",
            "transform {number} [to|into] {a_binary}",
            "write {number} in [binary|base 2]",
            "express {number} in [binary|base 2]",
            "translate {number} [to|into] {a_binary}",
            "encode {number} [in|as] binary",
            "{find} the binary [representation|form|digits|string] of {number}",
            "{find} the [bits|bit string] of {number}",
            "take {number} and [return|give back] its binary [representation|form]",
            "return {number} [in binary|as a binary string|as binary]",
        ),
        nouns=(
            "{number} in [binary|base 2]",
            "[the|] binary [representation|form|digits] of {number}",
            "[decimal|integer|int|number] to binary [conversion|converter|]",
            "[a|] conversion [of {number} |from decimal |]to [binary|base 2]",
            "[the|] bits of {number}",
            "{number} as [a binary string|binary]",
        ),
        held=(
            "encode {number} as zeros and ones",
            "give {number} back as [a string of bits|bits]",
        ),
        critic_only=("{find} how {number} is written in [binary|base 2]",),
        asks=(
            "[decimal|int|integer|number] to binary",
            "to binary",
            "what is {number} in binary",
        ),
    ),
    Family(
        name="from_binary",
        does="converts binary to a number",
        source="""
        def NAME(text):
            return int(text, 2)
        """,
        javascript="""
        function NAME(text) {
          let value = 0;
          for (const bit of text) {
            value = value * 2 + Number(bit);
          }
          return value;
        }
        """,
        checks=((("101",), 5), (("0",), 0), (("1000",), 8), (("0011",), 3)),
        verbs=(
            "convert {a_bits} [to|into] {a_decimal}",
            "convert from {a_bits} to {a_decimal}",
            "turn {a_bits} into {a_decimal}",
            "change {a_bits} [to|into] {a_decimal}",
            "transform {a_bits} [to|into] {a_decimal}",
            "parse {a_bits}",
            "parse {a_bits} as {a_decimal}",
            "read {a_bits} as {a_decimal}",
            "decode {a_bits} to {a_decimal}",
            "{find} the [decimal|integer|numeric|] value of {a_bits}",
            "take {a_bits} and [return|give back] [the number|an integer|the decimal value]",
        ),
        nouns=(
            "{a_bits} to {a_decimal}",
            "[a|] conversion [from|of] {a_bits} to {a_decimal}",
            "[the|] [decimal|integer|numeric|] value of {a_bits}",
            "binary to [decimal|integer|int|number] [conversion|converter]",
            "[a|] converter from binary to {a_decimal}",
        ),
        held=(
            "translate {a_bits} to {a_decimal}",
            "{find} {a_decimal} from {a_bits}",
        ),
        critic_only=("{find} which number {a_bits} stands for",),
        asks=(
            "binary to [decimal|int|integer|number]",
            "from binary",
            "what is {a_bits} in decimal",
        ),
    ),
    Family(
        name="to_roman",
        does="converts the number to Roman numerals",
        source="""
        def NAME(n):
            values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
            symbols = "M CM D CD C XC L XL X IX V IV I".split()
            result = ""
            for value, symbol in zip(values, symbols):
                result += symbol * (n // value)
                n %= value
            return result
        """,
        checks=(
            ((1994,), "MCMXCIV"),
            ((3,), "III"),
            ((58,), "LVIII"),
            ((449,), "CDXLIX"),
            ((1,), "I"),
            ((1500,), "MD"),
            ((900,), "CM"),
        ),
        verbs=(
            "convert {number} [to|into] {a_roman}",
            "convert [decimal|arabic numbers|integers|numbers] [to|into] {a_roman}",
            "turn {number} into {a_roman}",
            "change {number} [to|into] {a_roman}",
            "transform {number} [to|into] {a_roman}",
            "write {number} [in roman numerals|as a roman numeral|in Roman numerals]",
            "express {number} [in roman numerals|as a roman numeral|in Roman numerals]",
            "{find} the [roman|Roman] numeral [for|of] {number}",
            "{find} the [roman|Roman] numerals [for|of] {number}",
            "take {number} and [return|give back] [the|its] roman numeral",
            "return {number} [in roman numerals|as a roman numeral]",
        ),
        nouns=(
            "{number} [in roman numerals|as a roman numeral|in Roman numerals]",
            "[the|] [roman|Roman] [numeral|numerals] [for|of] {number}",
            "[integer|int|number|decimal] to roman [numeral|numerals|] [conversion|converter|]",
            "[a|] conversion [of {number} |from integers |]to {a_roman}",
            "[a|] roman numeral [generator|representation of {number}]",
        ),
        held=(
            "translate {number} [to|into] {a_roman}",
            "encode {number} as {a_roman}",
        ),
        critic_only=("{find} how {number} is written in roman numerals",),
        asks=(
            "[integer|int|number] to roman",
            "to roman numerals",
            "what is {number} in roman numerals",
        ),
    ),
    Family(
        name="from_roman",
        does="converts Roman numerals to a number",
        source="""
        def NAME(text):
            values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
            total = 0
            previous = 0
            for symbol in reversed(text):
                value = values[symbol]
                if value < previous:
                    total -= value
                else:
                    total += value
                previous = value
            return total
        """,
        checks=(
            (("MCMXCIV",), 1994),
            (("III",), 3),
            (("LVIII",), 58),
            (("CDXLIX",), 449),
            (("",), 0),
        ),
        verbs=(
            "convert {a_numeral} [to|into] {a_decimal}",
            "convert from {a_numeral} to {a_decimal}",
            "turn {a_numeral} into {a_decimal}",
            "change {a_numeral} [to|into] {a_decimal}",
            "transform {a_numeral} [to|into] {a_decimal}",
            "parse {a_numeral}",
            "read {a_numeral} as {a_decimal}",
            "decode {a_numeral}",
            "decode {a_numeral} to {a_decimal}",
            "translate {a_numeral} [to|into] {a_decimal}",
            "{find} the [decimal|integer|numeric|] value of {a_numeral}",
            "take {a_numeral} and [return|give back] [the number|an integer|the decimal value]",
        ),
        nouns=(
            "{a_numeral} to {a_decimal}",
            "[a|] conversion [from|of] {a_numeral} to {a_decimal}",
            "[the|] [decimal|integer|numeric|] value of {a_numeral}",
            "[roman|roman numeral|roman numerals] to [integer|int|number|decimal] [converter|]",
            "[a|] roman numeral [parser|decoder]",
        ),
        held=(
            "express {a_numeral} as {a_decimal}",
            "{find} {a_decimal} from {a_numeral}",
        ),
        critic_only=("{find} which number {a_numeral} stands for",),
        asks=(
            "roman to [integer|int|number|decimal]",
            "from roman numerals",
            "what is {a_numeral} as {a_decimal}",
        ),
    ),
    Family(
        name="fahrenheit_to_celsius",
        does="converts Fahrenheit to Celsius",
        source="""
        def NAME(fahrenheit):
            return (fahrenheit - 32) * 5 / 9
        """,
        javascript="""
        function NAME(fahrenheit) {
          return (fahrenheit - 32) * 5 / 9;
        }
        """,
        checks=(((32,), 0.0), ((212,), 100.0), ((-40,), -40.0), ((50,), 10.0)),
        verbs=(
            "convert {fahrenheit} [to|into] {celsius}",
            "convert [a temperature|temperatures|degrees] from {fahrenheit} to {celsius}",
            "change {fahrenheit} [to|into] {celsius}",
            "turn {fahrenheit} [to|into] {celsius}",
            "transform {fahrenheit} [to|into] {celsius}",
            "take [a temperature in|] {fahrenheit} and [return|give back] {celsius}",
            "{find} the [celsius|Celsius] [value|temperature] [for|of] {fahrenheit}",
            "convert a [fahrenheit|Fahrenheit] temperature [to|into] {celsius}",
        ),
        nouns=(
            "{fahrenheit} to {celsius}",
            "{fahrenheit} to {celsius} [conversion|converter]",
            "[a|] conversion [from|of] {fahrenheit} to {celsius}",
            "[a|] converter from {fahrenheit} to {celsius}",
            "[the|] [celsius|Celsius] [value|temperature] for {fahrenheit}",
        ),
        held=("translate {fahrenheit} to {celsius}", "express {fahrenheit} in {celsius}"),
        critic_only=("{find} how much {fahrenheit} is in {celsius}",),
        asks=("{fahrenheit} to {celsius}", "what is {fahrenheit} in {celsius}"),
    ),
    Family(
        name="km_to_miles",
        does="converts kilometres to miles",
        source="""
        def NAME(kilometers):
            return kilometers / 1.609344
        """,
        javascript="""
        function NAME(kilometers) {
          return kilometers / 1.609344;
        }
        """,
        checks=(((1.609344,), 1.0), ((0,), 0.0), ((10,), 10 / 1.609344), ((-4,), -4 / 1.609344)),
        verbs=(
            "convert {a_km} [to|into] {a_miles}",
            "convert [a distance|distances|a length] from [kilometres|kilometers|km] to {a_miles}",
            "change {a_km} [to|into] {a_miles}",
            "turn {a_km} into {a_miles}",
            "transform {a_km} [to|into] {a_miles}",
            "take {a_km} and [return|give back] {a_miles}",
            "{find} the [number of|distance in|] miles for {a_km}",
            "{find} the [number of|] miles [from|of|in] {a_km}",
        ),
        nouns=(
            "{a_km} to {a_miles}",
            "{a_km} to {a_miles} [conversion|converter]",
            "[a|] conversion [from|of] {a_km} to {a_miles}",
            "[a|] converter from {a_km} to {a_miles}",
            "{a_km} in {a_miles}",
        ),
        held=("translate {a_km} to {a_miles}", "express {a_km} in {a_miles}"),
        critic_only=("{find} how many {a_miles} {a_km} are",),
        asks=("{a_km} to {a_miles}", "how many miles are {a_km}", "what is {a_km} in {a_miles}"),
    ),
)

_GEOMETRY = (
    Family(
        name="circle_area",
        does="computes the area of the circle",
        source="""
        import math

        def NAME(radius):
            return math.pi * radius ** 2
        """,
        javascript="""
        function NAME(radius) {
          return Math.PI * radius ** 2;
        }
        """,
        checks=(((1,), 3.141592653589793), ((0,), 0.0), ((2,), 12.566370614359172)),
        verbs=(
            "{find} the area of {a_circle}",
            "{find} the area of a circle [from|given|by|with] [its|the|a] radius",
            "{find} [a circle's|the circle's] area",
            "{find} the area of a [disk|disc]",
            "{find} how [large|big] the area of {a_circle} is",
            "{find} pi [times|*] r squared",
            "take [a|the] radius and [return|give back] the area of the circle",
            "calculate the [circle area|area of circles]",
            "measure the area of {a_circle}",
        ),
        nouns=(
            "[the|] area of {a_circle}",
            "[the|a|] circle area",
            "[the|] area of a circle [with a given radius|from its radius|given the radius]",
            "circle area [function|calculation|calculator]",
            "pi r squared",
        ),
        held=(
            "{find} the area for the radius of a circle",
            "{find} the area inside {a_circle}",
        ),
        critic_only=("{find} how much space {a_circle} covers",),
        asks=("circle area", "area of a circle", "what is the area of {a_circle}"),
    ),
    Family(
        name="hypotenuse",
        does="computes the hypotenuse",
        source="""
        def NAME(a, b):
            return (a ** 2 + b ** 2) ** 0.5
        """,
        javascript="""
        function NAME(a, b) {
          return Math.sqrt(a ** 2 + b ** 2);
        }
        """,
        checks=(((3, 4), 5.0), ((5, 12), 13.0), ((0, 2), 2.0), ((8, 15), 17.0)),
        verbs=(
            "{find} the hypotenuse of {a_right}",
            "{find} the [length of the|] hypotenuse",
            "{find} the hypotenuse [from|given|for] [two|the two|the other] sides",
            "{find} the hypotenuse [from|given|for] the legs [a and b|of {a_right}]",
            "{find} the longest side of {a_right}",
            "use [pythagoras|the pythagorean theorem] to [find|get|compute] the hypotenuse",
            "apply [pythagoras|the pythagorean theorem|the theorem of pythagoras]",
            "implement [pythagoras|the pythagorean theorem|the theorem of pythagoras]",
            "take [two sides|the legs] of {a_right} and [return|give back] the hypotenuse",
        ),
        nouns=(
            "[the|] hypotenuse of {a_right}",
            "[the|] [length of the|] hypotenuse",
            "[the|] pythagorean theorem",
            "[the|] theorem of pythagoras",
            "hypotenuse [function|calculation|calculator]",
            "[the|] longest side of {a_right}",
        ),
        held=(
            "{find} the longest side from the legs of {a_right}",
            "find the hypotenuse with [pythagoras|the pythagorean theorem]",
        ),
        critic_only=("{find} how long the side opposite the right angle is",),
        asks=("hypotenuse", "pythagoras", "pythagorean theorem", "what is the hypotenuse"),
    ),
    Family(
        name="quadratic_roots",
        does="solves the quadratic equation",
        source="""
        def NAME(a, b, c):
            d = b * b - 4 * a * c
            if d < 0:
                return []
            root = d ** 0.5
            return sorted({(-b - root) / (2 * a), (-b + root) / (2 * a)})
        """,
        checks=(
            ((1, -3, 2), [1.0, 2.0]),
            ((1, 2, 1), [-1.0]),
            ((1, 0, 1), []),
            ((2, 2, -4), [-2.0, 1.0]),
            ((-1, 1, 6), [-2.0, 3.0]),
        ),
        verbs=(
            "solve {a_quadratic}",
            "solve quadratic equations",
            "solve {a_quadratic} for x",
            "solve a quadratic equation [with|given] [the coefficients|coefficients] a, b and c",
            "{find} the {a_roots} of {a_quadratic}",
            "{find} [all|both] {a_roots} of {a_quadratic}",
            "{find} x in {a_quadratic}",
            "use the quadratic formula",
            "implement the quadratic formula",
            "apply the quadratic formula to [a, b and c|a, b, c]",
            "take a, b and c and [return|give back] the {a_roots} of {a_quadratic}",
        ),
        nouns=(
            "[the|] {a_roots} of {a_quadratic}",
            "[a|] quadratic [equation|] solver",
            "[the|] quadratic formula",
            "[the|] quadratic roots",
            "[the|a|] solution of {a_quadratic}",
            "solving {a_quadratic}",
        ),
        held=(
            "work {a_quadratic} out for x",
            "look for the {a_roots} of {a_quadratic}",
        ),
        critic_only=("{find} where the parabola of a, b and c is zero",),
        asks=(
            "quadratic formula",
            "quadratic equation",
            "what are the {a_roots} of {a_quadratic}",
        ),
    ),
)

_RECURSION = (
    Family(
        name="hanoi",
        does="lists the moves of the towers of Hanoi",
        source="""
        def NAME(n, source="A", target="C", spare="B"):
            if n == 0:
                return []
            before = NAME(n - 1, source, spare, target)
            after = NAME(n - 1, spare, target, source)
            return before + [(source, target)] + after
        """,
        checks=(
            ((0,), []),
            ((1,), [("A", "C")]),
            ((2,), [("A", "B"), ("A", "C"), ("B", "C")]),
            ((2, "x", "y", "z"), [("x", "z"), ("x", "y"), ("z", "y")]),
        ),
        verbs=(
            "solve {a_hanoi}",
            "solve {a_hanoi} [recursively|with recursion|for n disks|with n discs]",
            "solve the {a_hanoi} [puzzle|problem|game]",
            "{find} the [moves|steps] [of|for] {a_hanoi}",
            "{find} the [moves|steps] that solve {a_hanoi}",
            "list the [moves|steps] [of|for] {a_hanoi}",
            "print the [moves|steps] [of|for] {a_hanoi}",
            "implement {a_hanoi}",
            "play {a_hanoi}",
            "move n [disks|discs] [in|of] {a_hanoi}",
            "move n [disks|discs] from one [peg|rod|tower] to another [in hanoi|recursively|]",
        ),
        nouns=(
            "{a_hanoi}",
            "{a_hanoi} [solver|solution|puzzle|problem|moves]",
            "[the|] [moves|steps] [of|for] {a_hanoi}",
            "[a|] recursive {a_hanoi}",
            "[a|the|] solution of {a_hanoi}",
            "{a_hanoi} [with recursion|with n disks|for n discs]",
        ),
        held=(
            "generate the [moves|steps] of {a_hanoi}",
            "show how to solve {a_hanoi}",
        ),
        critic_only=("move a stack of [disks|discs], never a bigger one onto a smaller one",),
        asks=("{a_hanoi}", "how to solve {a_hanoi}", "hanoi moves", "hanoi recursive"),
    ),
    Family(
        name="permutations",
        does="lists the permutations",
        source="""
        def NAME(items):
            if not items:
                return [[]]
            result = []
            for i, item in enumerate(items):
                for rest in NAME(items[:i] + items[i + 1:]):
                    result.append([item] + rest)
            return result
        """,
        checks=(
            (([1, 2, 3],), [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]),
            (([],), [[]]),
            (("ab",), [["a", "b"], ["b", "a"]]),
            (([7],), [[7]]),
        ),
        verbs=(
            "{find} [all|the|all the|all possible] permutations of {a_bunch}",
            "generate [all|the|all the|all possible] permutations of {a_bunch}",
            "list [all|the|all the|all possible] permutations of {a_bunch}",
            "print [all|all the|] permutations of {a_bunch}",
            "{find} [all|all possible|] permutations [recursively|with recursion|]",
            "{find} [all|all possible] [orders|orderings|arrangements] of {a_bunch}",
            "list [all|all possible] [orders|orderings|arrangements] of {a_bunch}",
            "permute {a_bunch}",
            "permute {a_bunch} in [all possible ways|every possible way]",
            "arrange {a_bunch} in [all possible ways|every possible way|every possible order]",
            "put {a_bunch} in [all possible orders|every possible order]",
        ),
        nouns=(
            "[all|the|all the|all possible|] permutations of {a_bunch}",
            "permutations [with recursion|recursively|without itertools|]",
            "[a|the|] list of [all|the] permutations of {a_bunch}",
            "[all|all possible] [orders|orderings|arrangements] of {a_bunch}",
            "[a|] permutation generator",
        ),
        held=(
            "{find} every permutation of {a_bunch}",
            "collect the permutations of {a_bunch}",
        ),
        critic_only=("show {a_bunch} in all the orders that there are",),
        asks=("permutations", "what are the permutations of {a_bunch}", "all permutations"),
    ),
    Family(
        name="subsets",
        does="lists the subsets",
        source="""
        def NAME(items):
            result = [[]]
            for item in items:
                result += [subset + [item] for subset in result]
            return result
        """,
        checks=(
            (([1, 2, 3],), [[], [1], [2], [1, 2], [3], [1, 3], [2, 3], [1, 2, 3]]),
            (([],), [[]]),
            (([5],), [[], [5]]),
            ((["a", "b"],), [[], ["a"], ["b"], ["a", "b"]]),
        ),
        verbs=(
            "{find} [all|the|all the|all possible] subsets of {a_bunch}",
            "generate [all|the|all the|all possible] subsets of {a_bunch}",
            "list [all|the|all the|all possible] subsets of {a_bunch}",
            "print [all|all the|] subsets of {a_bunch}",
            "{find} [all|all possible|] subsets",
            "{find} the [power set|powerset] of {a_bunch}",
            "generate the [power set|powerset] of {a_bunch}",
            "make the [power set|powerset] of {a_bunch}",
            "collect all [possible|] subsets of {a_bunch}",
            "{find} [the|a] [power set|powerset]",
            "{find} [all|all possible] ways to choose [some|any number of] items from {a_bunch}",
        ),
        nouns=(
            "[all|the|all the|all possible|] subsets of {a_bunch}",
            "[the|a|] [power set|powerset] of {a_bunch}",
            "[a|the|] list of [all|the] subsets of {a_bunch}",
            "[the|a|] [power set|powerset]",
            "[all|] subsets",
        ),
        held=(
            "{find} the set of all subsets of {a_bunch}",
            "show all the subsets of {a_bunch}",
        ),
        critic_only=("{find} all the smaller sets that can be made from {a_bunch}",),
        asks=("subsets", "power set", "powerset", "what are the subsets of {a_bunch}"),
    ),
    Family(
        name="pascals_triangle",
        does="lists the rows of Pascal's triangle",
        source="""
        def NAME(n):
            rows = []
            row = [1]
            for _ in range(n):
                rows.append(row)
                row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
            return rows
        """,
        checks=(
            ((5,), [[1], [1, 1], [1, 2, 1], [1, 3, 3, 1], [1, 4, 6, 4, 1]]),
            ((0,), []),
            ((1,), [[1]]),
            ((2,), [[1], [1, 1]]),
        ),
        verbs=(
            "{find} {a_pascal}",
            "generate {a_pascal}",
            "build {a_pascal}",
            "make {a_pascal}",
            "print {a_pascal}",
            "create {a_pascal} [with|of] n [rows|lines]",
            "{find} the first n [rows|lines] of {a_pascal}",
            "generate [n|the first n|the] [rows|lines] of {a_pascal}",
            "list [n|the first n|the] [rows|lines] of {a_pascal}",
            "show {a_pascal}",
            "{find} {a_pascal} [up to row n|with n rows|as a list of rows]",
            "implement {a_pascal}",
        ),
        nouns=(
            "{a_pascal}",
            "[the|] first n [rows|lines] of {a_pascal}",
            "{a_pascal} [with n rows|up to n rows|as a list of lists|of n lines]",
            "[the|] [rows|lines] of {a_pascal}",
            "{a_pascal} [generator|rows]",
        ),
        held=(
            "show n rows of {a_pascal}",
            "collect the [rows|lines] of {a_pascal}",
        ),
        critic_only=("build a triangle of numbers, each the sum of the two above it",),
        asks=("{a_pascal}", "how to make {a_pascal}", "triangle of pascal"),
    ),
    Family(
        name="nested_sum",
        does="adds up the numbers in the nested list",
        source="""
        def NAME(items):
            total = 0
            for item in items:
                if isinstance(item, list):
                    total += NAME(item)
                else:
                    total += item
            return total
        """,
        checks=(
            (([1, [2, [3, 4]], 5],), 15),
            (([],), 0),
            (([[[]]],), 0),
            (([[1, 2], [3]],), 6),
            (([[-2], 7],), 5),
        ),
        verbs=(
            "sum {nested}",
            "sum [up|] [all the|all|the|] [numbers|values|integers] in {nested}",
            "add up {nested}",
            "add up [all the|all|the] [numbers|values|integers] [in|of] {nested}",
            "{find} the [sum|total] of {nested}",
            "{find} the [sum|total] of [all the|all|the] [numbers|values|integers] in {nested}",
            "{find} the sum of {nested} recursively",
            "sum {nested} [recursively|with recursion|of any depth]",
            "total [all the|all|the] [numbers|values|integers] in {nested}",
            "add [all the|the] [numbers|values] in {nested} together",
        ),
        nouns=(
            "[the|] [sum|total] of {nested}",
            "[the|] sum of [all|the|all the] [numbers|values|integers] in {nested}",
            "[a|the|] nested sum",
            "nested list sum",
            "[the|] recursive sum of {nested}",
            "[the|a|] sum over {nested}",
        ),
        held=(
            "tally up {nested}",
            "{find} what all the [numbers|values] in {nested} add up to",
        ),
        critic_only=("go through {nested} and return the sum of everything in it",),
        asks=(
            "nested sum",
            "sum of nested list",
            "what is the sum of {nested}",
            "recursive list sum",
        ),
    ),
)

# How many comparisons are made tells the ways of sorting apart.
_SORTED_AND_COMPARED = """
def check(numbers):
    compared = []

    def noting(operator):
        def compare(self, other):
            compared.append(operator)
            return getattr(int, operator)(self, other)

        return compare

    operators = ("__lt__", "__le__", "__gt__", "__ge__")
    Item = type("Item", (int,), {operator: noting(operator) for operator in operators})
    found = NAME([Item(number) for number in numbers])
    return [int(item) for item in found], len(compared)
"""

_CLASSICS = (
    Family(
        name="bubble_sort",
        does="sorts by bubble sort",
        source="""
        def NAME(items):
            items = list(items)
            for end in range(len(items) - 1, 0, -1):
                for i in range(end):
                    if items[i] > items[i + 1]:
                        items[i], items[i + 1] = items[i + 1], items[i]
            return items
        """,
        driver=_SORTED_AND_COMPARED,
        checks=(
            (([3, 1, 2],), ([1, 2, 3], 3)),
            (([],), ([], 0)),
            (([5, 4, 4, 1],), ([1, 4, 4, 5], 6)),
            (([2, -1],), ([-1, 2], 1)),
            (([1, 2, 4, 3, 6, 5],), ([1, 2, 3, 4, 5, 6], 15)),
        ),
        verbs=(
            "implement [the|] {a_bubble} [algorithm|]",
            "implement [a|] {a_bubble}",
            "sort {nums} [with|using|by] {a_bubble}",
            "sort {list} [with|using|by] {a_bubble}",
            "sort {nums} [with|using] the {a_bubble} algorithm",
            "do [a|] {a_bubble} [on|of] {nums}",
            "use {a_bubble} to [sort|order] {nums}",
            "order {nums} [with|using|by] {a_bubble}",
            "run [a|] {a_bubble} on {list}",
            "sort {list} by swapping neighbours",
            "code {a_bubble}",
        ),
        nouns=(
            "[a|the|] {a_bubble}",
            "[a|the|] {a_bubble} [algorithm|function|implementation|program|example]",
            "{a_bubble} [of|for|on] {nums}",
            "[the|] {a_bubble} algorithm",
            "sorting {nums} [with|using|by] {a_bubble}",
        ),
        held=(
            "apply {a_bubble} to {nums}",
            "put {nums} in order [with|using|by] {a_bubble}",
        ),
        critic_only=("sort {nums} the {a_bubble} way",),
        asks=("{a_bubble}", "{a_bubble} algorithm"),
    ),
    Family(
        name="merge_sort",
        does="sorts by merge sort",
        source="""
        def NAME(items):
            if len(items) < 2:
                return items
            middle = len(items) // 2
            left = NAME(items[:middle])
            right = NAME(items[middle:])
            merged = []
            while left and right:
                smaller = left if left[0] <= right[0] else right
                merged.append(smaller.pop(0))
            return merged + left + right
        """,
        driver=_SORTED_AND_COMPARED,
        checks=(
            (([3, 1, 2],), ([1, 2, 3], 3)),
            (([],), ([], 0)),
            (([5, 4, 4, 1],), ([1, 4, 4, 5], 5)),
            (([2, -1],), ([-1, 2], 1)),
            (([1, 2, 4, 3, 6, 5],), ([1, 2, 3, 4, 5, 6], 8)),
        ),
        verbs=(
            "implement [the|] {a_merge} [algorithm|]",
            "implement [a|] {a_merge}",
            "sort {nums} [with|using|by] {a_merge}",
            "sort {list} [with|using|by] {a_merge}",
            "sort {nums} [with|using] the {a_merge} algorithm",
            "do [a|] {a_merge} [on|of] {nums}",
            "use {a_merge} to [sort|order] {nums}",
            "order {nums} [with|using|by] {a_merge}",
            "run [a|] {a_merge} on {list}",
            "sort {list} by sorting both halves and merging them",
            "code {a_merge}",
        ),
        nouns=(
            "[a|the|] {a_merge}",
            "[a|the|] {a_merge} [algorithm|function|implementation|program|example]",
            "{a_merge} [of|for|on] {nums}",
            "[a|] recursive {a_merge}",
            "sorting {nums} [with|using|by] {a_merge}",
        ),
        held=(
            "apply {a_merge} to {nums}",
            "put {nums} in order [with|using|by] {a_merge}",
        ),
        critic_only=("sort {nums} the {a_merge} way",),
        asks=("{a_merge}", "{a_merge} algorithm"),
    ),
    Family(
        name="quicksort",
        does="sorts by quicksort",
        source="""
        def NAME(items):
            if len(items) < 2:
                return items
            pivot = items[0]
            smaller = [item for item in items[1:] if item < pivot]
            larger = [item for item in items[1:] if item >= pivot]
            return NAME(smaller) + [pivot] + NAME(larger)
        """,
        driver=_SORTED_AND_COMPARED,
        checks=(
            (([3, 1, 2],), ([1, 2, 3], 6)),
            (([],), ([], 0)),
            (([5, 4, 4, 1],), ([1, 4, 4, 5], 10)),
            (([2, -1],), ([-1, 2], 2)),
            (([1, 2, 4, 3, 6, 5],), ([1, 2, 3, 4, 5, 6], 26)),
        ),
        verbs=(
            "implement [the|] {a_quick} [algorithm|]",
            "implement [a|] {a_quick}",
            "sort {nums} [with|using|by] {a_quick}",
            "sort {list} [with|using|by] {a_quick}",
            "sort {nums} [with|using] the {a_quick} algorithm",
            "do [a|] {a_quick} [on|of] {nums}",
            "use {a_quick} to [sort|order] {nums}",
            "order {nums} [with|using|by] {a_quick}",
            "run [a|] {a_quick} on {list}",
            "sort {list} [with|using|around] a pivot",
            "code {a_quick}",
        ),
        nouns=(
            "[a|the|] {a_quick}",
            "[a|the|] {a_quick} [algorithm|function|implementation|program|example]",
            "{a_quick} [of|for|on] {nums}",
            "[a|] recursive {a_quick}",
            "sorting {nums} [with|using|by] {a_quick}",
        ),
        held=(
            "apply {a_quick} to {nums}",
            "put {nums} in order [with|using|by] {a_quick}",
        ),
        critic_only=("sort {nums} the {a_quick} way",),
        asks=("{a_quick}", "{a_quick} algorithm"),
    ),
    Family(
        name="balanced_brackets",
        does="checks for balanced brackets",
        source="""
        def NAME(text):
            pairs = {")": "(", "]": "[", "}": "{"}
            stack = []
            for char in text:
                if char in "([{":
                    stack.append(char)
                elif char in pairs:
                    if not stack or stack.pop() != pairs[char]:
                        return False
            return not stack
        """,
        checks=(
            (("(a[b]{c})",), True),
            (("(]",), False),
            (("",), True),
            (("((",), False),
            ((")",), False),
            (("([)]",), False),
            (("ab",), True),
            (("{}",), True),
        ),
        verbs=(
            "{check} {whether} the {a_brackets} [in|of] {string} are balanced",
            "{check} {whether} [the|all|] {a_brackets} are balanced",
            "{check} {whether} the {a_brackets} [in|of] {string} match",
            "{check} {whether} {string} has [balanced|matching|valid] {a_brackets}",
            "{check} for [balanced|matching|valid|unbalanced] {a_brackets}",
            "[check|test|verify|validate] the {a_brackets} [in|of] {string}",
            "{check} {whether} [each|every] opening [bracket|parenthesis] [in {string} |]is closed",
            "{check} {whether} [all|the] {a_brackets} in {string} are closed [correctly|]",
            "match {a_brackets} [in {string}|]",
            "return true if [the|all] {a_brackets} in {string} are balanced",
        ),
        nouns=(
            "[balanced|matching|valid] {a_brackets} [in {string}|check|checker|test]",
            "[balanced|matching|valid] {a_brackets}",
            "[bracket|parenthesis] [matching|checker|validation|balance]",
            "[a|] check for [balanced|matching|unbalanced] {a_brackets}",
            "checking for [balanced|matching] {a_brackets}",
        ),
        held=(
            "{check} {whether} {string} is balanced in its {a_brackets}",
            "{check} {string} for {a_brackets} that do not match",
        ),
        critic_only=("{check} {whether} {string} opens and closes its {a_brackets} in order",),
        asks=(
            "are the {a_brackets} [in {string} |]balanced",
            "balanced {a_brackets}",
            "valid {a_brackets}",
            "matching {a_brackets}",
        ),
    ),
    Family(
        name="longest_common_prefix",
        does="finds the longest common prefix",
        source="""
        def NAME(words):
            if not words:
                return ""
            prefix = words[0]
            for word in words[1:]:
                while not word.startswith(prefix):
                    prefix = prefix[:-1]
            return prefix
        """,
        checks=(
            ((["flower", "flow", "flight"],), "fl"),
            (([],), ""),
            ((["abc"],), "abc"),
            ((["dog", "cat"],), ""),
            ((["ab", "abc", "abd"],), "ab"),
        ),
        verbs=(
            "{find} the longest common prefix [of|in|from|for] {a_words}",
            "{find} the [longest|largest] prefix [shared by|common to] {a_words}",
            "{find} the longest common prefix",
            "{find} the common prefix of {a_words}",
            "{find} the [longest|] prefix that {a_words} have in common",
            "{find} the longest [beginning|start] [shared by|common to|of all] {a_words}",
            "{find} the longest common [beginning|start] of {a_words}",
            "look for the longest common prefix [of|in] {a_words}",
            "{find} the prefix that is common to {a_words}",
            "{find} what {a_words} all start with",
        ),
        nouns=(
            "[the|] longest common prefix [of|in|for] {a_words}",
            "[the|] longest common prefix",
            "[the|a|] common prefix of {a_words}",
            "[the|] longest prefix [shared by|common to] {a_words}",
            "[the|] longest common [beginning|start] of {a_words}",
        ),
        held=(
            "pick the longest common prefix of {a_words}",
            "{find} the longest shared prefix of {a_words}",
        ),
        critic_only=("{find} the most letters that {a_words} have in common at the start",),
        asks=(
            "longest common prefix",
            "common prefix",
            "what is the longest common prefix of {a_words}",
        ),
    ),
    Family(
        name="levenshtein",
        does="computes the edit distance",
        source="""
        def NAME(first, second):
            row = list(range(len(second) + 1))
            for i, a in enumerate(first, 1):
                following = [i]
                for j, b in enumerate(second, 1):
                    changed = row[j - 1] + (a != b)
                    following.append(min(row[j] + 1, following[-1] + 1, changed))
                row = following
            return row[-1]
        """,
        checks=(
            (("kitten", "sitting"), 3),
            (("", "abc"), 3),
            (("same", "same"), 0),
            (("ab", "ba"), 2),
            (("abc", ""), 3),
            (("flaw", "lawn"), 2),
        ),
        verbs=(
            "{find} the {a_edit} [of|between] {a_both}",
            "{find} the {a_edit}",
            "{find} the {a_edit} from one [word|string] to another",
            "implement [the|] {a_edit}",
            "measure the {a_edit} [of|between] {a_both}",
            "{find} the [minimum|smallest|least] number of edits between {a_both}",
            "{find} how many edits turn one [word|string] into [another|the other]",
            "{find} the number of edits [needed|it takes] to turn one [word|string] into another",
            "count the [edits|insertions, deletions and substitutions] between {a_both}",
            "take {a_both} and [return|give back] [their|the] {a_edit}",
            "compare {a_both} by {a_edit}",
        ),
        nouns=(
            "[the|] {a_edit} [of|between] {a_both}",
            "[the|] {a_edit}",
            "{a_edit} [algorithm|function|calculation]",
            "[the|] [minimum|smallest] number of edits between {a_both}",
            "[levenshtein|Levenshtein]",
            "[the|] number of edits [from one word to another|between {a_both}]",
        ),
        held=(
            "work the {a_edit} of {a_both} out",
            "{find} the least edits from one [word|string] to another",
        ),
        critic_only=("{find} how many letters to add, drop or change to turn a word into another",),
        asks=("{a_edit}", "levenshtein", "what is the {a_edit} of {a_both}"),
    ),
)

ALGORITHMS: tuple[Family, ...] = (
    _POWERS + _FACTORS + _CONVERSIONS + _GEOMETRY + _RECURSION + _CLASSICS
)

# Tasks that are easily taken for each other.
ALGORITHMS_GROUPS: tuple[tuple[str, ...], ...] = (
    ("power", "is_power_of_two", "is_perfect_square", "multiplication_table", "squares"),
    ("sum_to_n", "factorial", "sum_list", "nested_sum", "digit_sum"),
    ("divisors", "prime_factors", "is_prime", "primes_up_to", "gcd"),
    ("is_perfect_number", "is_perfect_square", "is_power_of_two", "is_prime", "is_even"),
    ("count_digits", "digit_sum", "reverse_number", "reverse_string"),
    ("to_binary", "from_binary", "to_roman", "from_roman"),
    ("fahrenheit_to_celsius", "celsius_to_fahrenheit", "km_to_miles"),
    ("circle_area", "hypotenuse", "quadratic_roots"),
    ("permutations", "subsets", "pascals_triangle", "hanoi"),
    ("nested_sum", "flatten", "sum_list"),
    ("bubble_sort", "merge_sort", "quicksort", "sort_ascending", "sort_descending"),
    ("balanced_brackets", "is_palindrome", "longest_common_prefix", "levenshtein", "is_anagram"),
    ("longest_common_prefix", "longest_word", "common_elements"),
    ("collatz_sequence", "first_fibonacci", "fibonacci_up_to", "multiplication_table"),
    ("clamp", "find_max", "find_min"),
)
