"""Task families on whole numbers."""

from tools.starter.family import Family

NUMBERS = (
    Family(
        name="factorial",
        does="computes the factorial",
        source="""
        def NAME(n):
            result = 1
            for i in range(2, n + 1):
                result *= i
            return result
        """,
        checks=(((0,), 1), ((1,), 1), ((5,), 120), ((3,), 6)),
        verbs=(
            "{find} the factorial of {number}",
            "{find} [factorials|a factorial|the factorial]",
            "{find} n factorial",
            "{find} {number} factorial",
            "take {number} and [return|give back] its factorial",
            "multiply [all the|all|the] numbers from 1 [to|up to] n",
            "{find} the product of [all|the] [numbers|integers] from 1 to n",
        ),
        nouns=(
            "[the|] factorial of {number}",
            "[the|a|] factorial",
            "n factorial",
            "factorial [function|calculation|calculator]",
            "factorials",
            "[the|] product of the numbers 1 to n",
        ),
        held=("{find} the factorial for {number}", "{find} n!"),
        critic_only=("multiply {number} by all the positive numbers below it",),
        asks=("factorial", "what is the factorial of {number}", "n!"),
    ),
    Family(
        name="fibonacci",
        does="computes the n-th Fibonacci number",
        source="""
        def NAME(n):
            a, b = 0, 1
            for _ in range(n):
                a, b = b, a + b
            return a
        """,
        checks=(((0,), 0), ((1,), 1), ((2,), 1), ((7,), 13), ((10,), 55)),
        verbs=(
            "{find} the {nth} {fib} number",
            "{find} the {nth} number [in|of] the {fib} [sequence|series]",
            "{find} the {nth} [term|element] [in|of] the {fib} [sequence|series]",
            "{find} [a|the] {fib} number",
            "{find} the {fib} number [for|of|at position|at index] n",
            "{find} the {fib} number for a given n",
            "take n and [return|give back] the {nth} {fib} number",
        ),
        nouns=(
            "[the|] {nth} {fib} number",
            "[the|a|] {fib} number",
            "{fib} [function|of n]",
            "[the|] {nth} number of the {fib} [sequence|series]",
            "[the|] {nth} [term|element] [in|of] the {fib} [sequence|series]",
            "{fib}",
        ),
        held=("{find} the {fib} number with index n", "look up the {nth} {fib} number"),
        critic_only=("{find} {fib} number number n",),
        asks=("{fib}", "fib", "what is the {nth} {fib} number", "fib(n)"),
    ),
    Family(
        name="fibonacci_up_to",
        does="lists the Fibonacci numbers up to a limit",
        source="""
        def NAME(limit):
            numbers = []
            a, b = 0, 1
            while a <= limit:
                numbers.append(a)
                a, b = b, a + b
            return numbers
        """,
        checks=(((10,), [0, 1, 1, 2, 3, 5, 8]), ((0,), [0]), ((13,), [0, 1, 1, 2, 3, 5, 8, 13])),
        verbs=(
            "{find} [all|the|all the|] {fib} numbers [up to|until|below] {limit}",
            "list [all|the|all the|] {fib} numbers [up to|until|below] {limit}",
            "generate [all|the|all the|] {fib} numbers [up to|until|below] {limit}",
            "print [all|the|all the|] {fib} numbers [up to|until|below] {limit}",
            "{find} the {fib} [sequence|series] [up to|until] {limit}",
            "generate the {fib} [sequence|series] [up to|until] {limit}",
            "print the {fib} [sequence|series] [up to|until] {limit}",
            "make a list of {fib} numbers [up to|until] {limit}",
            "{find} [all|the] {fib} numbers [not greater|not larger|smaller] than {limit}",
        ),
        nouns=(
            "{fib} numbers [up to|until|below] {limit}",
            "[all|the] {fib} numbers [up to|until|below] {limit}",
            "{fib} [up to|until] {limit}",
            "[the|] {fib} [sequence|series] [up to|until] {limit}",
            "[a|] list of {fib} numbers [up to|until] {limit}",
        ),
        held=(
            "collect the {fib} numbers up to {limit}",
            "{find} every {fib} number up to {limit}",
        ),
        critic_only=("show the {fib} numbers that do not go past {limit}",),
        asks=("{fib} numbers up to {limit}", "which {fib} numbers are [below|up to] {limit}"),
    ),
    Family(
        name="first_fibonacci",
        does="lists the first n Fibonacci numbers",
        source="""
        def NAME(n):
            numbers = []
            a, b = 0, 1
            for _ in range(n):
                numbers.append(a)
                a, b = b, a + b
            return numbers
        """,
        checks=(((0,), []), ((1,), [0]), ((6,), [0, 1, 1, 2, 3, 5]), ((3,), [0, 1, 1])),
        verbs=(
            "{find} the first n {fib} numbers",
            "{find} the first [few|ten|10|5|20] {fib} numbers",
            "list the first n {fib} numbers",
            "print the first n {fib} numbers",
            "generate the first n {fib} numbers",
            "generate n {fib} numbers",
            "generate [the|a] {fib} [sequence|series]",
            "print [the|a] {fib} [sequence|series]",
            "{find} the first n [terms|numbers|elements] of the {fib} [sequence|series]",
            "generate the {fib} [sequence|series] [with n terms|of length n]",
            "make a list of the first n {fib} numbers",
            "{find} [the|a] {fib} [sequence|series]",
            "list {fib} numbers",
        ),
        nouns=(
            "[the|] first n {fib} numbers",
            "[the|a|] {fib} [sequence|series]",
            "[a|the|] list of [the first n|n] {fib} numbers",
            "[the|] first n [terms|numbers] of the {fib} [sequence|series]",
            "{fib} numbers",
            "n {fib} numbers",
        ),
        held=(
            "collect the first n {fib} numbers",
            "{find} n [terms|numbers] of the {fib} [sequence|series]",
        ),
        critic_only=("show how the {fib} sequence starts, n numbers of it",),
        asks=("{fib} sequence", "{fib} series", "what are the first n {fib} numbers"),
    ),
    Family(
        name="is_prime",
        does="checks for a prime",
        source="""
        def NAME(n):
            if n < 2:
                return False
            for i in range(2, int(n ** 0.5) + 1):
                if n % i == 0:
                    return False
            return True
        """,
        checks=(((1,), False), ((2,), True), ((9,), False), ((15,), False), ((13,), True)),
        verbs=(
            "{check} {whether} {number} is [a prime|prime|a prime number]",
            "{check} {whether} {number} is [a prime|prime] or not",
            "{check} for [primes|primality|prime numbers|a prime]",
            "{check} {number} for primality",
            "{check} the primality of {number}",
            "detect prime numbers",
            "{check} {whether} {number} has no divisors [except|other than] 1 and itself",
            "{check} {whether} {number} is only divisible by 1 and itself",
            "return true if {number} is [prime|a prime]",
        ),
        nouns=(
            "[a|] [prime|primality|prime number] [check|checker|test]",
            "[a|] prime check for {number}",
            "primality of {number}",
            "checking for prime numbers",
        ),
        held=("say {whether} {number} is a prime or not", "recognise [primes|prime numbers]"),
        critic_only=("{check} {whether} {number} has exactly two divisors",),
        asks=("is {number} [a prime|prime]", "prime", "is prime", "is it prime", "prime number"),
    ),
    Family(
        name="primes_up_to",
        does="lists the primes up to a limit",
        source="""
        def NAME(limit):
            primes = []
            for n in range(2, limit + 1):
                if all(n % p != 0 for p in primes):
                    primes.append(n)
            return primes
        """,
        checks=(((10,), [2, 3, 5, 7]), ((1,), []), ((2,), [2]), ((13,), [2, 3, 5, 7, 11, 13])),
        verbs=(
            "{find} [all|the|all the|] {primes} [up to|until|below] {limit}",
            "list [all|the|all the|] {primes} [up to|until|below] {limit}",
            "generate [all|the|all the|] {primes} [up to|until|below] {limit}",
            "print [all|the|all the|] {primes} [up to|until|below] {limit}",
            "make a list of {primes} [up to|until|below] {limit}",
            "{find} [all|the] {primes} [not greater|not larger|smaller] than {limit}",
            "{find} [all|the] {primes} [from|between] [1 to|2 to|1 and|2 and] {limit}",
            "generate [a list of|] {primes}",
            "list {primes}",
        ),
        nouns=(
            "{primes} [up to|until|below] {limit}",
            "[all|the] {primes} [up to|until|below] {limit}",
            "[a|the|] list of {primes} [up to|until|below] {limit}",
            "list of {primes}",
            "sieve of eratosthenes",
            "[a|] prime sieve",
            "[a|] prime number generator",
        ),
        held=("collect the {primes} up to {limit}", "{find} every prime [number|] up to {limit}"),
        critic_only=("show the {primes} that do not go past {limit}",),
        asks=("{primes} up to {limit}", "which {primes} are [below|up to] {limit}", "primes"),
    ),
    Family(
        name="gcd",
        does="computes the greatest common divisor",
        source="""
        def NAME(a, b):
            while b:
                a, b = b, a % b
            return a
        """,
        checks=(((12, 18), 6), ((7, 5), 1), ((0, 4), 4), ((9, 3), 3)),
        verbs=(
            "{find} the {gcd} of {pair}",
            "{find} the {gcd}",
            "{find} the {gcd} for {pair}",
            "{find} the [largest|biggest|greatest] number that divides {pair}",
            "take {pair} and [return|give back] [the|their] {gcd}",
            "implement [euclid's algorithm|the euclidean algorithm]",
            "{find} the {gcd} [with|using] the euclidean algorithm",
        ),
        nouns=(
            "[the|] {gcd} of {pair}",
            "[the|] {gcd}",
            "{gcd} [function|calculation]",
            "euclidean algorithm",
            "euclid's algorithm",
        ),
        held=("look for the {gcd} of {pair}", "{find} the {gcd} between {pair}"),
        critic_only=("{find} the largest integer by which {pair} can both be divided",),
        asks=("{gcd}", "what is the {gcd} of {pair}"),
    ),
    Family(
        name="lcm",
        does="computes the least common multiple",
        source="""
        def NAME(a, b):
            multiple = a
            while multiple % b != 0:
                multiple += a
            return multiple
        """,
        checks=(((4, 6), 12), ((3, 5), 15), ((7, 7), 7), ((2, 8), 8)),
        verbs=(
            "{find} the {lcm} of {pair}",
            "{find} the {lcm}",
            "{find} the {lcm} for {pair}",
            "{find} the [smallest|lowest|least] number that {pair} divide",
            "{find} the [smallest|lowest] number divisible by {pair}",
            "take {pair} and [return|give back] [the|their] {lcm}",
        ),
        nouns=(
            "[the|] {lcm} of {pair}",
            "[the|] {lcm}",
            "{lcm} [function|calculation]",
        ),
        held=("look for the {lcm} of {pair}", "{find} the {lcm} between {pair}"),
        critic_only=("{find} the smallest integer that is a multiple of {pair}",),
        asks=("{lcm}", "what is the {lcm} of {pair}"),
    ),
    Family(
        name="is_even",
        does="checks for an even number",
        source="""
        def NAME(n):
            return n % 2 == 0
        """,
        checks=(((2,), True), ((3,), False), ((0,), True), ((-7,), False)),
        verbs=(
            "{check} {whether} {number} is even",
            "{check} {whether} {number} is an even number",
            "{check} {whether} {number} is even or not",
            "{check} {whether} {number} is even or odd",
            "{check} {whether} {number} is [divisible by|a multiple of] [2|two]",
            "{check} {whether} {number} can be divided by [2|two]",
            "{check} for [even numbers|evenness|an even number]",
            "return true if {number} is even",
            "{check} {number} for being even",
            "{check} the parity of {number}",
        ),
        nouns=(
            "[an|] even [check|checker|test]",
            "[an|] even number [check|checker|test]",
            "even or odd check",
            "[an|] even check for {number}",
            "checking for even numbers",
        ),
        held=("say {whether} {number} is even", "recognise an even number"),
        critic_only=("{check} {whether} dividing {number} by two leaves no remainder",),
        asks=("is {number} even", "is even", "even or odd", "even", "is {number} even or odd"),
    ),
    Family(
        name="is_odd",
        does="checks for an odd number",
        source="""
        def NAME(n):
            return n % 2 == 1
        """,
        checks=(((2,), False), ((3,), True), ((0,), False), ((-7,), True)),
        verbs=(
            "{check} {whether} {number} is odd",
            "{check} {whether} {number} is an odd number",
            "{check} {whether} {number} is odd or not",
            "{check} {whether} {number} is odd or even",
            "{check} {whether} {number} is not [divisible by|a multiple of] [2|two]",
            "{check} {whether} {number} is not even",
            "{check} for [odd numbers|oddness|an odd number]",
            "return true if {number} is odd",
            "{check} {number} for being odd",
        ),
        nouns=(
            "[an|] odd [check|checker|test]",
            "[an|] odd number [check|checker|test]",
            "odd or even check",
            "[an|] odd check for {number}",
            "checking for odd numbers",
        ),
        held=("say {whether} {number} is odd", "recognise an odd number"),
        critic_only=("{check} {whether} dividing {number} by two leaves a remainder",),
        asks=("is {number} odd", "is odd", "odd or even", "odd", "is {number} odd or even"),
    ),
    Family(
        name="digit_sum",
        does="adds up the digits",
        source="""
        def NAME(n):
            total = 0
            while n > 0:
                total += n % 10
                n //= 10
            return total
        """,
        checks=(((123,), 6), ((0,), 0), ((999,), 27), ((5,), 5)),
        verbs=(
            "add up [the|all|all the] digits [of|in] {number}",
            "add the digits [of|in] {number}",
            "add [the|all] digits of {number} together",
            "add up digits",
            "sum [the|all|all the|] digits [of|in] {number}",
            "sum up the digits of {number}",
            "sum digits",
            "{find} the [sum|total] of [the|all|all the] digits [of|in] {number}",
            "{find} the digit sum of {number}",
            "{find} the digit sum",
            "take {number} and [return|give back] the sum of its digits",
            "total the digits of {number}",
        ),
        nouns=(
            "[the|] digit sum of {number}",
            "[the|] sum of [the|all] digits [of|in] {number}",
            "[the|] sum of digits",
            "[the|a|] digit sum",
            "digits sum",
            "[the|] digit total of {number}",
        ),
        held=("tally up the digits of {number}", "{find} the sum over the digits of {number}"),
        critic_only=("{find} the crossfoot of {number}",),
        asks=("digit sum", "sum of digits", "what is the digit sum of {number}"),
    ),
    Family(
        name="is_leap_year",
        does="checks for a leap year",
        source="""
        def NAME(year):
            return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        """,
        checks=(((2024,), True), ((2023,), False), ((1900,), False), ((2000,), True)),
        verbs=(
            "{check} {whether} {year} is a leap year",
            "{check} {whether} {year} is a leap year or not",
            "{check} for [leap years|a leap year]",
            "{check} {year} for being a leap year",
            "{check} {whether} {year} has 366 days",
            "detect leap years",
            "return true if {year} is a leap year",
        ),
        nouns=(
            "[a|] leap year [check|checker|test]",
            "leap year check for {year}",
            "leap year detection",
            "checking for leap years",
        ),
        held=("say {whether} {year} is a leap year", "recognise [leap years|a leap year]"),
        critic_only=("{check} {whether} february of {year} has 29 days",),
        asks=("is {year} a leap year", "leap year", "is leap year"),
    ),
    Family(
        name="celsius_to_fahrenheit",
        does="converts Celsius to Fahrenheit",
        source="""
        def NAME(celsius):
            return celsius * 9 / 5 + 32
        """,
        checks=(((0,), 32.0), ((100,), 212.0), ((-40,), -40.0), ((10,), 50.0)),
        verbs=(
            "convert {celsius} [to|into] {fahrenheit}",
            "convert [a temperature|temperatures|degrees] from {celsius} to {fahrenheit}",
            "change {celsius} [to|into] {fahrenheit}",
            "turn {celsius} [to|into] {fahrenheit}",
            "transform {celsius} [to|into] {fahrenheit}",
            "take {celsius} and [return|give back] {fahrenheit}",
            "{find} the {fahrenheit} [value|temperature] for {celsius}",
        ),
        nouns=(
            "{celsius} to {fahrenheit}",
            "{celsius} to {fahrenheit} [conversion|converter]",
            "[a|] conversion [from|of] {celsius} to {fahrenheit}",
            "[a|] converter from {celsius} to {fahrenheit}",
            "temperature [conversion|converter]",
        ),
        held=("translate {celsius} to {fahrenheit}", "express {celsius} in {fahrenheit}"),
        critic_only=("{find} how much {celsius} is in {fahrenheit}",),
        asks=("{celsius} to {fahrenheit}", "what is {celsius} in {fahrenheit}"),
    ),
    Family(
        name="fizz_buzz",
        does="plays FizzBuzz",
        source="""
        def NAME(n):
            lines = []
            for i in range(1, n + 1):
                if i % 15 == 0:
                    lines.append("FizzBuzz")
                elif i % 3 == 0:
                    lines.append("Fizz")
                elif i % 5 == 0:
                    lines.append("Buzz")
                else:
                    lines.append(str(i))
            return lines
        """,
        checks=(
            ((3,), ["1", "2", "Fizz"]),
            ((0,), []),
            (
                (15,),
                "1 2 Fizz 4 Buzz Fizz 7 8 Fizz Buzz 11 Fizz 13 14 FizzBuzz".split(" "),  # noqa: SIM905
            ),
        ),
        verbs=(
            "play {fizz}",
            "implement {fizz}",
            "solve {fizz}",
            "do {fizz}",
            "{find} the {fizz} [sequence|list|lines|output] [up to|for] n",
            "print {fizz}",
            "run {fizz} up to n",
            "solve the {fizz} [problem|task|puzzle|challenge]",
            "replace multiples of [3|three] [by|with] fizz "
            "and multiples of [5|five] [by|with] buzz",
        ),
        nouns=(
            "{fizz}",
            "[the|] {fizz} [problem|game|task|challenge|puzzle]",
            "{fizz} up to n",
            "[a|] {fizz} [program|implementation|solution]",
            "[the|] {fizz} sequence",
        ),
        held=("{find} the numbers from 1 to n as {fizz}", "generate {fizz} for n numbers"),
        critic_only=("say fizz for three and buzz for five",),
        asks=("{fizz}", "fizz", "{fizz} please"),
    ),
)
