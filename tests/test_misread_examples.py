"""Requests that state no example and have values that look like one, or state one that can be read
the wrong way round: what a model makes of them, by itself, is none."""

import pytest

from pipeline.review.tester import read_tests
from pipeline.testcases.examples.grounded_examples import grounded, may_have_examples

MISREAD = [
    (
        "Write can_vote(age). Return False if the age is under 18, True otherwise.",
        "can_vote(18) == False",
    ),
    (
        "Write level(n): it returns 'low' below 10, 'mid' below 50 and 'high' from 50 on.",
        "level(10) == 'low'",
    ),
    (
        "Write discount(total). Orders over 100 get 10 off, orders over 500 get 60 off.",
        "discount(100) == 10",
    ),
    ("Write shipping(kg): 5 euros under 2 kg, 9 euros under 10 kg, 20 above.", "shipping(2) == 5"),
    (
        "Write describe(temp) that returns 'cold' if temp < 10, 'warm' if temp < 25, else 'hot'.",
        "describe(10) == 'cold'",
    ),
    ("Write ticket(age). Children under 12 pay 5, adults 10.", "ticket(12) == 5"),
    ("Write in_range(n), True where n is strictly between 1 and 10.", "in_range(1) == True"),
    (
        "Write is_newer(a, b) for versions such as 1.2 and 1.10; the newer is 1.10.",
        "is_newer('1.2', '1.10') == True",
    ),
    (
        "Write bump(version): 1.9 goes to 2.0 only for majors, 1.9 becomes 1.10 for minors.",
        "bump(1.9) == 2.0",
    ),
    (
        "Write parse(d). Dates look like '2024-05-01' or '01.05.2024'.",
        "parse('2024-05-01') == '01.05.2024'",
    ),
    ("Meine Funktion mittel liefert bei [1, 2] nur 1. Schreib sie richtig.", "mittel([1, 2]) == 1"),
    ("La función media devuelve 1 con [1, 2]. Arréglala.", "media([1, 2]) == 1"),
    ("Write mean so that [1, 2] gives not 1.", "mean([1, 2]) == 1"),
    (
        "Write fizz(n): 'Fizz' for multiples of 3, 'Buzz' for multiples of 5, 'FizzBuzz' for both.",
        "fizz(3) == 'Fizz'",
    ),
    ("Write count(s), words of s: 'the cat sat' has 3.", "count('cat') == 3"),
    ("def f(a, b) -> int: add 2 and 3 if a is 4", "f(2, 3) == 4"),
    (
        "Write bmi_class(b): under 18.5 'thin', up to 25 'normal', else 'fat'.",
        "bmi_class(18.5) == 'thin'",
    ),
    ("Write rnd(x) with 2 decimals; 3.14159 has 5.", "rnd(2) == 3.14159"),
    ("Write common(a, b). Use it for [1, 2, 3] and [2, 3, 4].", "common([1, 2, 3]) == [2, 3, 4]"),
    (
        "Schreib stufe(n): unter 10 'klein', unter 100 'mittel', sonst 'gross'.",
        "stufe(10) == 'klein'",
    ),
    ("Write safe_div(a, b): return 0 if b is 0, and round to 2 digits.", "safe_div(0, 0) == 2"),
    ("Write speeding(v): more than 50 is a fine of 30, more than 70 of 80.", "speeding(50) == 30"),
    ("Write tally(s). The result is 2 for 'aab'.", "tally(2) == 'aab'"),
    (
        "Write merge(a, b). [1, 2, 3] is what merging [1, 3] and [2] gives.",
        "merge([1, 2, 3], [1, 3]) == [2]",
    ),
    ("Write factorial(n). We want 120 out of 5.", "factorial(120) == 5"),
    ("Write parity(n). It says 'even' when given 4 and 'odd' when given 7.", "parity('even') == 4"),
    ("Write vowels(s). Expect 3 with 'banana'.", "vowels(3) == 'banana'"),
    ("Write vowels(s). There are 3 vowels in 'banana'.", "vowels(3) == 'banana'"),
    ("Write fizz(n): 'Fizz' for multiples of 3, 'Buzz' for multiples of 5.", "fizz('Fizz') == 3"),
    ("Write grade(s): 'A' from 90, 'B' from 80, 'C' below.", "grade('A') == 90"),
    ("Write days(m) with 28 for 'February', 30 for 'April'.", "days(28) == 'February'"),
    ("Write grade(score): 'A' is 90 and up, 'B' is 80 and up, otherwise 'C'.", "grade('A') == 90"),
    ("Write fee(weight): under 2 kg it is 5, under 10 kg it is 9.", "fee(2) == 5"),
    ("mean returns 1 for [1, 2]. Expected 1.5.", "mean(1) == [1, 2]"),
    ("mean returns 1 when given [1, 2]", "mean(1) == [1, 2]"),
    ("Unlike round, which makes 2 of 2.5, write round_up(x).", "round_up(2) == 2.5"),
    ("Write slug(title), which makes 'A B' not 'a_b' but 'a-b'.", "slug('A B') == 'a_b'"),
    ("Write pick(xs, k): k from 1 to 3, else return [].", "pick(1, 3) == []"),
    (
        "Write luhn(number) for cards of 16 digits; from the right every 2nd is doubled, minus 9.",
        "luhn(16) == True",
    ),
    (
        "def two_sum(nums, target): 2 <= len(nums) <= 10000, there is 1 answer",
        "two_sum(2, 10000) == 1",
    ),
    ("Write hello(name): 'Hello, ' then the name, then '!'.", "hello('Hello, ') == '!'"),
    (
        "Write join(words) with ', ' between them and ' and ' before the last.",
        "join(', ') == ' and '",
    ),
    ("Write strip_tags(s) that removes '<b>' and '</b>'.", "strip_tags('<b>') == '</b>'"),
    ("Write swap(s): replace 'a' with 'b' and 'c' with 'd'.", "swap('a') == 'b'"),
    ("Write swap(s): 'a' and 'b' change places.", "swap('a') == 'b'"),
    ("Write score(word): 'a' counts 1, 'z' counts 10, all others 3.", "score('a') == 1"),
    ("Write to_roman(n) with I 1, V 5, X 10.", "to_roman(1) == 'I'"),
    (
        "Write total(basket): apples cost 3 and pears 4, from 10 on there is 5% off.",
        "total(3) == 4",
    ),
    ("Write next_port(n) from 8000 to 9000, then again 8000.", "next_port(9000) == 8000"),
    ("Write f(n): 1. double it 2. add 10", "f(1) == 2"),
    ("Schreib fakultaet(n): 120 ist die Fakultät von 5.", "fakultaet(120) == 5"),
    ("Écris fact(n) : 120 est la factorielle de 5.", "fact(120) == 5"),
    ("Escribe fact(n): 120 es lo que da con 5.", "fact(120) == 5"),
    ("Schreib wurzel(n): für 4 kommt 2, für 9 kommt 3.", "wurzel(9) == 2"),
    ("Schreib wurzel(n), so dass für 4 2 und für 9 3 herauskommt.", "wurzel(9) == 2"),
    ("Schreib porto(kg): unter 2 kg sind es 5, bis 10 kg sind es 9.", "porto(2) == 5"),
    ("Schreib porto(kg): mindestens 2 kg sind 5, ab 10 kg ist es 9.", "porto(2) == 5"),
    ("Schreib note(p): von 90 bis 100 ist es 'A', von 80 bis 89 'B'.", "note(90) == 'A'"),
    ("Schreib note(p): von 90 bis 100 ist es 'A', von 80 bis 89 'B'.", "note(100) == 'A'"),
    (
        "Schreib fizz(n): 'Fizz' für Vielfache von 3, 'Buzz' bei Vielfachen von 5.",
        "fizz(3) == 'Fizz'",
    ),
    ("Schreib fizz(n): ist n durch 3 teilbar, gibt es 'Fizz', bei 5 'Buzz'.", "fizz(3) == 'Fizz'"),
    ("Écris prix(age) : moins de 12 ans c'est 5, de 12 à 18 ans c'est 8.", "prix(12) == 5"),
    ("Écris prix(age) : jusqu'à 12 ans le prix est 5, ensuite il est 8.", "prix(12) == 5"),
    ("Écris note(n) : 90 et plus est 'A', 80 et plus est 'B'.", "note(90) == 'A'"),
    ("Écris fizz(n) : pour les multiples de 3 c'est 'Fizz', de 5 'Buzz'.", "fizz(3) == 'Fizz'"),
    ("Escribe precio(edad): menos de 12 es 5, de 12 a 18 es 8.", "precio(12) == 5"),
    ("Escribe precio(edad): menos de 12 es 5, de 12 a 18 es 8.", "precio(18) == 8"),
    ("Escribe grande(n): si es mayor que 5 es True, si no False.", "grande(5) == True"),
    ("Escribe nota(n): 90 o más es 'A', 80 o más es 'B'.", "nota(90) == 'A'"),
    ("Schreib f(n), 5 soll nie 6 ergeben, 7 ergibt 8.", "f(5) == 6"),
    ("Écris f(n) : 5 ne doit pas donner 6.", "f(5) == 6"),
]


@pytest.mark.parametrize(("request_", "test"), MISREAD)
def test_a_misreading_is_no_example(request_, test):
    """A model is asked, and the test that it may write is not believed."""
    tests = read_tests(f"1. assert {test}").cases
    assert may_have_examples(request_) and len(tests) == 1
    assert grounded(tests, request_) == ()
