"""Task families on text: characters, words, notations, what a text contains; dates and times."""

from tools.starter.family import Family

TEXT_SLOTS: dict[str, tuple[str, ...]] = {
    "t_remove": (
        "remove", "remove", "delete", "drop", "strip", "take out", "get rid of", "erase",
        "throw out", "eliminate", "discard", "filter out",
    ),
    "t_all": ("the", "all", "all the", "", "every one of the"),
    "t_spaces": (
        "spaces", "spaces", "blanks", "whitespace", "white space", "space characters",
        "whitespace characters",
    ),
    "t_punct": (
        "punctuation", "punctuation", "punctuation marks", "punctuation characters",
        "punctuation symbols",
    ),
    "t_part": (
        "a substring", "a given substring", "a character", "a letter", "a given character",
        "a given letter", "a certain character", "a certain word", "a given word",
        "another string", "a specific letter", "a particular character",
    ),
    "t_once": ("once", "only once", "exactly once", "just once", "one time"),
    "t_words": (
        "a list of words", "a list of words", "a list of strings", "some words", "words",
        "strings", "an array of strings", "several words", "my list of words", "the words",
    ),
    "t_camel": ("camel case", "camelCase", "camelcase", "camel-case", "lower camel case"),
    "t_snake": ("snake case", "snake_case", "snakecase", "snake-case"),
    "t_name": (
        "a name", "a variable name", "an identifier", "a string", "a given name",
        "a function name", "a text", "a key",
    ),
    "t_caesar": (
        "caesar cipher", "caesar cipher", "Caesar cipher", "caesar code", "ceasar cipher",
        "caesar's cipher",
    ),
    "t_rle": ("run-length encoding", "run length encoding", "run-length code", "rle", "RLE"),
    "t_slug": ("a slug", "a url slug", "an url slug", "a URL slug", "a slug for a url"),
    "t_long": (
        "a long text", "a long string", "a string", "a text", "a given string", "some text",
        "a sentence", "a long sentence", "a title",
    ),
    "t_dots": ("an ellipsis", "three dots", "dots", "...", "3 dots"),
    "t_emails": (
        "email addresses", "email addresses", "emails", "e-mail addresses", "mail addresses",
        "e-mails",
    ),
    "t_digits": ("digits", "digits", "numeric characters", "the digits 0 to 9"),
    "t_date": (
        "a date", "a date", "a given date", "an iso date", "the date", "a date string",
        "an ISO date", "some date", "a calendar date",
    ),
    "t_dates": (
        "two dates", "two dates", "two given dates", "two iso dates", "2 dates",
        "a start date and an end date", "one date and another", "a pair of dates",
    ),
    "t_days": (
        "n days", "n days", "some days", "a number of days", "a given number of days",
        "several days", "x days",
    ),
    "t_month": (
        "a month", "a month", "a given month", "the month", "some month", "a certain month",
        "a month of a year", "a given month and year", "a calendar month",
    ),
    "t_seconds": (
        "seconds", "seconds", "a number of seconds", "a given number of seconds",
        "a duration in seconds", "a time in seconds", "the seconds",
    ),
    "t_hms": (
        "hh:mm:ss", "HH:MM:SS", "hours, minutes and seconds", "hours minutes seconds",
        "the format hh:mm:ss", "hours:minutes:seconds", "h:m:s",
    ),
}  # fmt: skip

_CHARACTERS = (
    Family(
        name="remove_vowels",
        does="removes the vowels",
        source="""
        def NAME(text):
            return "".join(char for char in text if char.lower() not in "aeiou")
        """,
        javascript="""
        function NAME(text) {
          let result = "";
          for (const char of text) {
            if (!"aeiou".includes(char.toLowerCase())) {
              result += char;
            }
          }
          return result;
        }
        """,
        checks=((("Hello",), "Hll"), (("",), ""), (("AEIOUx y",), "x y"), (("sky!",), "sky!")),
        verbs=(
            "{t_remove} {t_all} vowels [from|in|of] {string}",
            "{t_remove} vowels",
            "{t_remove} [each|every] vowel [from|in] {string}",
            "return {string} without [vowels|its vowels|the vowels|any vowels]",
            "{keep} only the {letters} of {string} that are not vowels",
            "replace [the|all|all the] vowels [in|of] {string} [with|by] nothing",
            "take {string} and [return|give back] it without vowels",
            "take [all|the] vowels out of {string}",
            "make {string} free of vowels",
        ),
        nouns=(
            "{string} without [vowels|its vowels|the vowels|any vowels]",
            "[the|] removal of [vowels|all vowels] from {string}",
            "[a|] vowel remover",
            "removing [the|all|] vowels from {string}",
        ),
        held=(
            "clean {string} of vowels",
            "{find} {string} with no vowels in it",
        ),
        critic_only=("{keep} all {letters} of {string} except a, e, i, o and u",),
        asks=(
            "remove vowels",
            "string without vowels",
            "how does {string} look without vowels",
        ),
    ),
    Family(
        name="remove_spaces",
        does="removes the spaces",
        source="""
        def NAME(text):
            parts = text.split()
            return "".join(parts)
        """,
        javascript=r"""
        function NAME(text) {
          const parts = text.split(/\s+/);
          return parts.join("");
        }
        """,
        checks=(((" a b  c ",), "abc"), (("",), ""), (("x\ty\nz",), "xyz"), (("Ab",), "Ab")),
        verbs=(
            "{t_remove} {t_all} {t_spaces} [from|in|of] {string}",
            "{t_remove} {t_spaces}",
            "{t_remove} [each|every] [space|blank] [from|in] {string}",
            "return {string} without [{t_spaces}|any {t_spaces}|the {t_spaces}]",
            "replace [the|all|all the] {t_spaces} [in|of] {string} [with|by] nothing",
            "take {string} and [return|give back] it without {t_spaces}",
            "take [all|the] {t_spaces} out of {string}",
            "make {string} free of {t_spaces}",
            "join the words of {string} without [spaces|blanks]",
        ),
        nouns=(
            "{string} without [{t_spaces}|any {t_spaces}]",
            "[the|] removal of [{t_spaces}|all {t_spaces}] from {string}",
            "[a|] [space|whitespace|blank] remover",
            "removing [the|all|] {t_spaces} from {string}",
        ),
        held=(
            "clean {string} of {t_spaces}",
            "{find} {string} with no {t_spaces} in it",
        ),
        critic_only=("{keep} all {letters} of {string} except the [spaces|blanks]",),
        asks=("remove {t_spaces}", "string without spaces", "how to write {string} without spaces"),
    ),
    Family(
        name="remove_punctuation",
        does="removes the punctuation",
        source="""
        import string

        def NAME(text):
            return "".join(char for char in text if char not in string.punctuation)
        """,
        checks=((("Hi, you!",), "Hi you"), (("",), ""), (("a.b-c?",), "abc"), (("x y",), "x y")),
        verbs=(
            "{t_remove} {t_all} {t_punct} [from|in|of] {sentence}",
            "{t_remove} {t_punct}",
            "{t_remove} [each|every] punctuation [mark|character] [from|in] {sentence}",
            "{t_remove} [commas, dots|dots, commas] and other {t_punct} from {sentence}",
            "return {sentence} without [{t_punct}|any {t_punct}|the {t_punct}]",
            "replace [the|all|all the] {t_punct} [in|of] {sentence} [with|by] nothing",
            "take {sentence} and [return|give back] it without {t_punct}",
            "take [all|the] {t_punct} out of {sentence}",
            "clean {sentence} of {t_punct}",
        ),
        nouns=(
            "{sentence} without [{t_punct}|any {t_punct}]",
            "[the|] removal of {t_punct} from {sentence}",
            "[a|] punctuation [remover|filter]",
            "removing [the|all|] {t_punct} from {sentence}",
        ),
        held=(
            "make {sentence} free of {t_punct}",
            "{find} {sentence} with no {t_punct} in it",
        ),
        critic_only=("{keep} all {letters} of {sentence} except the {t_punct}",),
        asks=("remove punctuation", "text without punctuation", "how to strip {t_punct}"),
    ),
    Family(
        name="swap_case",
        does="swaps upper and lower case",
        source="""
        def NAME(text):
            result = ""
            for char in text:
                result += char.lower() if char.isupper() else char.upper()
            return result
        """,
        checks=((("Hello World",), "hELLO wORLD"), (("",), ""), (("aB1",), "Ab1")),
        verbs=(
            "swap the case of {string}",
            "swap the case of [each|every] {letter} [in|of] {string}",
            "swap [upper and lower|lower and upper|uppercase and lowercase] case in {string}",
            "swap [uppercase and lowercase|lowercase and uppercase|big and small] letters",
            "invert the case of [{string}|all {letters} in {string}]",
            "flip the case of [{string}|each letter|every letter of {string}]",
            "toggle the case of [{string}|each letter in {string}]",
            "reverse the case of [each|every] {letter} in {string}",
            "make [uppercase|capital] letters lowercase and [lowercase|small] letters uppercase",
            "change [upper case to lower case|lower case to upper case] and vice versa in {string}",
            "turn [small letters into capitals|capitals into small letters] and vice versa",
        ),
        nouns=(
            "[a|] case swap [of {string}|]",
            "{string} with [swapped|inverted|flipped|toggled] case",
            "[a|] case [swapper|inverter]",
            "swapping upper and lower case [in {string}|]",
            "case [inversion|swapping]",
        ),
        held=(
            "toggle lower and upper case in {string}",
            "return {string} with the case of all {letters} inverted",
        ),
        critic_only=(
            "put the capitals of {string} in lower case and its small letters in capitals",
        ),
        asks=("swap case", "swapcase", "toggle case", "invert case"),
    ),
    Family(
        name="caesar_cipher",
        does="encrypts the text with a Caesar cipher",
        source="""
        def NAME(text, shift):
            result = ""
            for char in text:
                if "a" <= char.lower() <= "z":
                    start = ord("A") if char.isupper() else ord("a")
                    char = chr((ord(char) - start + shift) % 26 + start)
                result += char
            return result
        """,
        checks=(
            (("abc", 1), "bcd"),
            (("xyz!", 3), "abc!"),
            (("Hello, Z", 2), "Jgnnq, B"),
            (("b a", -1), "a z"),
            (("", 5), ""),
        ),
        verbs=(
            "encrypt {string} with [a|the|] {t_caesar}",
            "encode {string} with [a|the|] {t_caesar}",
            "encrypt {string} using [a|the|] {t_caesar}",
            "implement [a|the] {t_caesar}",
            "do [a|the] {t_caesar}",
            "apply [a|the] {t_caesar} to {string}",
            "shift [the|all|each of the|all the] letters [of|in] {string} by n [places|positions|]",
            "shift [each|every] letter [of|in] {string} by a [given|fixed] number [of places|]",
            "shift [each|every] letter by n [places in the alphabet|in the alphabet]",
            "move [each|every] letter [of|in] {string} n places [forward |]in the alphabet",
            "rotate the letters of {string} by n in the alphabet",
        ),
        nouns=(
            "[a|the|] {t_caesar}",
            "[a|the|] {t_caesar} of {string}",
            "[a|the|] {t_caesar} with a [given|variable] shift",
            "{string} with [each|every] letter shifted by n",
            "caesar [encryption|shift] [of {string}|]",
        ),
        held=(
            "turn {string} into [a|the] {t_caesar}",
            "encrypt {string} with a shift of n letters",
        ),
        critic_only=("replace [each|every] letter of {string} by the one n places later",),
        asks=("{t_caesar}", "caesar", "caesar shift", "shift cipher"),
    ),
    Family(
        name="has_unique_chars",
        does="checks that no character repeats",
        source="""
        def NAME(text):
            return len(set(text)) == len(text)
        """,
        javascript="""
        function NAME(text) {
          return new Set(text).size === text.length;
        }
        """,
        checks=((("abc",), True), (("abca",), False), (("",), True), (("aA",), True)),
        verbs=(
            "{check} {whether} [all|the|all the] {letters} [of|in] {string} are [unique|different]",
            "{check} {whether} {string} has [only|all|] [unique|different|distinct] {letters}",
            "{check} {whether} {string} contains only [unique|different|distinct] {letters}",
            "{check} {whether} [each|every] {letter} [of|in] {string} is unique",
            "{check} {whether} [each|every] {letter} [of|in] {string} [occurs|appears] {t_once}",
            "{check} {whether} no {letter} [of|in] {string} [repeats|occurs twice|is repeated]",
            "{check} {whether} {string} has no [repeated|duplicate|repeating] {letters}",
            "{check} {string} for unique {letters}",
            "return true if all {letters} [of|in] {string} are [unique|different]",
            "{check} for unique {letters} in {string}",
        ),
        nouns=(
            "[a|] [check|test] for unique {letters} [in {string}|]",
            "[a|] unique {letters} [check|test|checker]",
            "checking for unique {letters}",
            "[a|] check that all {letters} in {string} are different",
            "uniqueness of the {letters} in {string}",
        ),
        held=(
            "say {whether} all {letters} of {string} are different",
            "say {whether} {string} has no {letter} twice",
        ),
        critic_only=("{check} {whether} {string} uses none of its {letters} more than once",),
        asks=(
            "are all {letters} [in|of] {string} [unique|different]",
            "unique characters",
            "has {string} only unique {letters}",
        ),
    ),
    Family(
        name="most_common_char",
        does="finds the most common character",
        source="""
        from collections import Counter

        def NAME(text):
            if not text:
                return ""
            return Counter(text).most_common(1)[0][0]
        """,
        checks=((("abcb",), "b"), (("",), ""), (("aabbb",), "b"), (("xyxy",), "x")),
        verbs=(
            "{find} the most [common|frequent] {letter} [in|of] {string}",
            "{find} the most [common|frequent] {letter}",
            "{find} the {letter} that [occurs|appears] most [often|frequently] in {string}",
            "{find} the {letter} that [occurs|appears] the most [in|of] {string}",
            "{find} the {letter} with the [highest|largest|greatest] [count|frequency] in {string}",
            "{find} which {letter} [occurs|appears] [most often|most frequently] in {string}",
            "{find} which {letter} is the most [common|frequent] [in|of] {string}",
            "{find} the [mode of the {letters}|most used {letter}] in {string}",
            "look for the most [common|frequent] {letter} in {string}",
        ),
        nouns=(
            "[the|] most [common|frequent] {letter} [in|of] {string}",
            "[the|] {letter} that [occurs|appears] most often in {string}",
            "[the|] {letter} with the highest [count|frequency] in {string}",
            "[the|] most used {letter} [in|of] {string}",
        ),
        held=(
            "pick the most frequent {letter} of {string}",
            "{find} the {letter} of {string} that is the most common",
        ),
        critic_only=("{find} the {letter} that {string} uses more often than any other",),
        asks=(
            "which {letter} [occurs|appears] most often in {string}",
            "most [common|frequent] [character|letter|char]",
            "what is the most common {letter} in {string}",
        ),
    ),
    Family(
        name="first_unique_char",
        does="finds the first character that does not repeat",
        source="""
        def NAME(text):
            for char in text:
                if text.count(char) == 1:
                    return char
            return None
        """,
        checks=(
            (("aabcb",), "c"),
            (("",), None),
            (("aabb",), None),
            (("xyz",), "x"),
            (("aab",), "b"),
        ),
        verbs=(
            "{find} the first {letter} [of|in] {string} that [occurs|appears] {t_once}",
            "{find} the first [non-repeating|non repeating|unique] {letter} [in|of] {string}",
            "{find} the first [non-repeated|unrepeated|not repeated] {letter} [of|in] {string}",
            "{find} the first [non-repeating|non-repeated|unique] {letter}",
            "{find} the first {letter} [of|in] {string} that [does not repeat|is not repeated]",
            "{find} the first {letter} that is unique [in|within] {string}",
            "{find} the first {letter} with [a count|a frequency] of [1|one] in {string}",
            "look for the first [non-repeating|unique] {letter} [of|in] {string}",
        ),
        nouns=(
            "[the|] first [non-repeating|non repeating|unique] {letter} [of|in] {string}",
            "[the|] first [non-repeated|unrepeated] {letter} [of|in] {string}",
            "[the|] first {letter} that [occurs|appears] {t_once} in {string}",
            "[the|] first {letter} that does not repeat",
        ),
        held=(
            "pick the first [non-repeating|unique] {letter} of {string}",
            "{find} the first of the {letters} in {string} that [does not repeat|is unique]",
        ),
        critic_only=("{find} the earliest {letter} that {string} has only one of",),
        asks=(
            "first [non-repeating|non repeating|unique] [character|letter|char]",
            "which {letter} of {string} is the first that occurs {t_once}",
            "which is the first unique {letter} in {string}",
        ),
    ),
)

_COUNTING = (
    Family(
        name="count_substring",
        does="counts how often the part occurs in the text",
        source="""
        def NAME(text, part):
            if not part:
                return 0
            return text.count(part)
        """,
        javascript="""
        function NAME(text, part) {
          if (part === "") {
            return 0;
          }
          return text.split(part).length - 1;
        }
        """,
        checks=(
            (("banana", "a"), 3),
            (("banana", "an"), 2),
            (("abc", "x"), 0),
            (("abc", ""), 0),
            (("", "a"), 0),
        ),
        verbs=(
            "count how [often|many times] {t_part} [occurs|appears] in {string}",
            "count how [often|many times] {string} contains {t_part}",
            "count [the|all|] occurrences of {t_part} in {string}",
            "count the number of [times|occurrences of] {t_part} [appears|] in {string}",
            "count {t_part} in {string}",
            "{find} how [often|many times] {t_part} [occurs|appears] in {string}",
            "{find} the number of occurrences of {t_part} in {string}",
            "{find} the count of {t_part} in {string}",
            "count the occurrences of a substring",
            "count how many of a given {letter} {string} [has|contains]",
        ),
        nouns=(
            "[the|] [number of occurrences|count] of {t_part} in {string}",
            "[the|] number of times {t_part} [occurs|appears] in {string}",
            "[a|] [substring|letter occurrence] counter",
            "[the|] occurrences of {t_part} in {string}",
            "substring count",
        ),
        held=(
            "tally {t_part} in {string}",
            "{find} the total number of times {t_part} is in {string}",
        ),
        critic_only=("{find} how frequently {t_part} is used in {string}",),
        asks=(
            "how [often|many times] does {t_part} [occur|appear] in {string}",
            "how many times is {t_part} in {string}",
            "substring count",
        ),
    ),
    Family(
        name="count_consonants",
        does="counts the consonants",
        source="""
        def NAME(text):
            count = 0
            for letter in text.lower():
                if letter.isalpha() and letter not in "aeiou":
                    count += 1
            return count
        """,
        javascript="""
        function NAME(text) {
          let count = 0;
          for (const letter of text.toLowerCase()) {
            if (/[a-z]/.test(letter) && !"aeiou".includes(letter)) {
              count += 1;
            }
          }
          return count;
        }
        """,
        checks=((("Hello",), 3), (("",), 0), (("aei ou",), 0), (("X-y 1z!",), 3)),
        verbs=(
            "count [the|all|all the|] consonants [in|of] {string}",
            "count [the number of|how many] consonants {string} has",
            "count the number of consonants in {string}",
            "count how many consonants [are in|there are in] {string}",
            "count consonants",
            "{find} the number of consonants [in|of] {string}",
            "{find} how many consonants {string} [has|contains]",
            "{find} how many consonants are in {string}",
            "{find} how many {letters} [of|in] {string} are consonants",
        ),
        nouns=(
            "[the|] number of consonants [in|of] {string}",
            "[the|a|] consonant count [of|for] {string}",
            "[a|] consonant counter",
            "consonant count",
            "[the|] count of consonants in {string}",
        ),
        held=(
            "count every consonant in {string}",
            "{find} the total number of consonants in {string}",
        ),
        critic_only=("count the letters of {string} that are not vowels",),
        asks=(
            "how many consonants are in {string}",
            "how many consonants does {string} have",
            "consonants",
        ),
    ),
    Family(
        name="count_uppercase",
        does="counts the capital letters",
        source="""
        def NAME(text):
            return sum(1 for char in text if char.isupper())
        """,
        checks=((("Hello World",), 2), (("",), 0), (("abc 1!",), 0), (("ABc",), 2)),
        verbs=(
            "count [the|all|all the|] [uppercase|upper case|capital|big] letters [in|of] {string}",
            "count [the|all|all the|] [capitals|uppercase characters] [in|of] {string}",
            "count [the number of|how many] [uppercase|capital|upper case] letters {string} has",
            "count the number of [uppercase|capital|upper case] letters in {string}",
            "count how many [uppercase|capital] letters [are in|there are in] {string}",
            "{find} the number of [uppercase|capital|upper case] letters [in|of] {string}",
            "{find} how many [uppercase letters|capital letters|capitals] {string} [has|contains]",
            "{find} how many {letters} [of|in] {string} are [uppercase|upper case|capitals]",
            "count [capitals|capital letters|uppercase letters]",
        ),
        nouns=(
            "[the|] number of [uppercase letters|capital letters|capitals] [in|of] {string}",
            "[the|] count of [uppercase|capital|upper case] letters in {string}",
            "[the|an|] [uppercase|capital] letter count [of|for] {string}",
            "[an|] [uppercase|capital] letter counter",
        ),
        held=(
            "count every [uppercase|capital] letter in {string}",
            "{find} the total number of [capitals|capital letters] in {string}",
        ),
        critic_only=("{find} how often {string} has a {letter} in upper case",),
        asks=(
            "how many [uppercase|capital|upper case] letters are in {string}",
            "how many [capitals|capital letters] does {string} have",
            "uppercase count",
        ),
    ),
    Family(
        name="word_frequency",
        does="counts each word",
        source="""
        def NAME(text):
            counts = {}
            for word in text.lower().split():
                counts[word] = counts.get(word, 0) + 1
            return counts
        """,
        checks=(
            (("a b a",), {"a": 2, "b": 1}),
            (("",), {}),
            (("The cat  the",), {"the": 2, "cat": 1}),
        ),
        verbs=(
            "count each word [in|of] {sentence}",
            "count how [often|many times] [each|every] word [appears|occurs] in {sentence}",
            "count the [frequency|occurrences] of [each|every] word in {sentence}",
            "count [word frequencies|the word frequencies|word occurrences] [in|of] {sentence}",
            "{find} the [frequency|frequencies] of [each word|every word|the words] in {sentence}",
            "{find} the word [frequency|frequencies] [in|of] {sentence}",
            "{find} how [often|many times] [each|every] word [appears|occurs] in {sentence}",
            "make a [dictionary|dict|histogram] of the words [in|of] {sentence}",
            "map [each|every] word of {sentence} to its [count|frequency]",
        ),
        nouns=(
            "[the|] word [frequency|frequencies] [in|of] {sentence}",
            "[the|] frequency of [each|every] word in {sentence}",
            "[the|] [count|number of occurrences] of [each|every] word in {sentence}",
            "[a|] word histogram of {sentence}",
            "[a|] dictionary of word counts",
        ),
        held=(
            "tally the words of {sentence}",
            "list how many of [each|every] word {sentence} has",
        ),
        critic_only=("{find} how frequently all the different words are used in {sentence}",),
        asks=(
            "how [often|many times] does [each|every] word occur in {sentence}",
            "word frequency",
            "word frequencies",
        ),
    ),
)

_WORDS = (
    Family(
        name="reverse_words",
        does="reverses the order of the words",
        source="""
        def NAME(text):
            words = text.split()
            return " ".join(words[::-1])
        """,
        javascript=r"""
        function NAME(text) {
          const words = text.trim().split(/\s+/);
          return words.reverse().join(" ");
        }
        """,
        checks=((("one two three",), "three two one"), (("",), ""), ((" ab  cd ",), "cd ab")),
        verbs=(
            "reverse the words [of|in] {sentence}",
            "reverse the order of [the|all the|] words [of|in] {sentence}",
            "reverse the word order [of|in] {sentence}",
            "flip the [words|order of the words] [of|in] {sentence}",
            "put the words [of|in] {sentence} in [reverse|the opposite|reversed] order",
            "return {sentence} with the words in [reverse|reversed] order",
            "return the words of {sentence} [in reverse order|in reversed order|backwards]",
            "turn around the [words|order of the words] [of|in] {sentence}",
            "reverse {sentence} word by word",
            "write the words of {sentence} in reverse order",
        ),
        nouns=(
            "[the|] reversed words of {sentence}",
            "[the|] words of {sentence} in [reverse|reversed] order",
            "{sentence} with [its|the] words [reversed|in reverse order]",
            "word order reversal",
            "[a|] word reversal [of {sentence}|]",
        ),
        held=(
            "give the words of {sentence} from last to first",
            "invert the order of the words [in|of] {sentence}",
        ),
        critic_only=("return {sentence} from its last word to its first",),
        asks=("reverse words", "reverse word order", "reverse the words"),
    ),
    Family(
        name="shortest_word",
        does="finds the shortest word",
        source="""
        def NAME(text):
            words = text.split()
            return min(words, key=len, default="")
        """,
        javascript=r"""
        function NAME(text) {
          const words = text.match(/\S+/g) || [""];
          let shortest = words[0];
          for (const word of words) {
            if (word.length < shortest.length) {
              shortest = word;
            }
          }
          return shortest;
        }
        """,
        checks=((("aaa b cc",), "b"), (("",), ""), (("three one two",), "one"), (("x yz",), "x")),
        verbs=(
            "{find} the shortest word [in|of|from] {sentence}",
            "{find} the shortest word",
            "{find} the shortest of the words in {sentence}",
            "{find} the word with the [fewest|least] {letters} [in|of] {sentence}",
            "{find} the smallest word in {sentence}",
            "pick the shortest word [from|of|in] {sentence}",
            "look for the shortest word in {sentence}",
            "{find} which word [in|of] {sentence} is the shortest",
        ),
        nouns=(
            "[the|] shortest word [in|of] {sentence}",
            "shortest word",
            "[the|] word with the [fewest|least] {letters} in {sentence}",
            "shortest word [finder|search]",
        ),
        held=(
            "select the shortest word of {sentence}",
            "{find} the word of {sentence} that is the shortest",
        ),
        critic_only=("{find} the word of minimum length in {sentence}",),
        asks=(
            "what is the shortest word in {sentence}",
            "which word in {sentence} is the shortest",
        ),
    ),
    Family(
        name="sort_by_length",
        does="sorts the words by length",
        source="""
        def NAME(words):
            return sorted(words, key=len)
        """,
        checks=(
            ((["ccc", "a", "bb"],), ["a", "bb", "ccc"]),
            (([],), []),
            ((["by", "a", "at", "zoo"],), ["a", "by", "at", "zoo"]),
        ),
        verbs=(
            "sort {t_words} by [length|their length|word length]",
            "sort {t_words} [from shortest to longest|from short to long]",
            "sort {t_words} by [the number of|how many] {letters} [in them|they have|]",
            "order {t_words} by [length|their length|word length]",
            "order {t_words} from [shortest to longest|short to long]",
            "arrange {t_words} by [length|their length]",
            "put {t_words} in order of [length|their length]",
            "return {t_words} sorted by [length|their length]",
            "sort words [by|according to] length",
            "sort {t_words} so that the [shortest|shorter] ones come first",
        ),
        nouns=(
            "{t_words} sorted by [length|their length]",
            "[a|] sort [by length|of {t_words} by length]",
            "sorting {t_words} by [length|their length]",
            "{t_words} in order of length",
            "{t_words} from shortest to longest",
        ),
        held=(
            "put {t_words} in order, the shortest first",
            "sort {t_words}, length as the key",
        ),
        critic_only=("list {t_words} by how long they are, from short to long",),
        asks=("sort by length", "sort words by length", "sort strings by length", "length sort"),
    ),
    Family(
        name="acronym",
        does="builds the acronym from the first letters",
        source="""
        def NAME(text):
            return "".join(word[0].upper() for word in text.split())
        """,
        checks=(
            (("portable network graphics",), "PNG"),
            (("",), ""),
            (("John  Smith",), "JS"),
            (("as Soon",), "AS"),
        ),
        verbs=(
            "{find} the [acronym|initials] [of|for|from] {sentence}",
            "make [an acronym|initials] [from|of|out of] {sentence}",
            "build [an acronym|the acronym] [from|of] {sentence}",
            "create an acronym [from|of|for] {sentence}",
            "form an acronym from [the words of {sentence}|{sentence}]",
            "{find} the initials of a [name|full name|person]",
            "turn {sentence} into [an acronym|its initials|its acronym]",
            "abbreviate {sentence} [to|with] its [initials|first letters]",
            "join the first [letters|letter] of [each|every] word [of|in] {sentence}",
            "{find} the first letters of [the|all] words [of|in] {sentence} as an acronym",
        ),
        nouns=(
            "[the|an|] acronym [of|for|from] {sentence}",
            "[the|] initials of [a name|a full name|{sentence}]",
            "[an|] acronym [generator|maker|builder]",
            "{sentence} as [an acronym|initials]",
        ),
        held=(
            "shorten {sentence} to [an acronym|its initials]",
            "{find} the acronym that the words of {sentence} give",
        ),
        critic_only=("write {sentence} as the capitals that its words start with",),
        asks=("acronym", "initials", "what are the initials of {sentence}"),
    ),
    Family(
        name="join_with_commas",
        does="joins the items with commas",
        source="""
        def NAME(items):
            return ", ".join(str(item) for item in items)
        """,
        checks=(((["a", "b"],), "a, b"), (([],), ""), (([1, 2, 3],), "1, 2, 3"), ((["x"],), "x")),
        verbs=(
            "join {nums} with [commas|a comma]",
            "join {t_words} with [commas|a comma]",
            "join [{items}|the {items} of {list}] [by|using|with] [commas|a comma]",
            "join {list} into a comma separated string",
            "turn {list} into a [comma separated|comma-separated] [string|text]",
            "convert {list} to a [comma separated|comma-separated] [string|text]",
            "make a [comma separated|comma-separated] string [from|of|out of] {list}",
            "put commas between the {items} of {list}",
            "concatenate the {items} of {list} with commas",
            "write {nums} separated by commas",
        ),
        nouns=(
            "{nums} joined with commas",
            "{list} as a [comma separated|comma-separated] string",
            "[a|] [comma separated|comma-separated] string [of|from] {list}",
            "[the|] {items} of {list} separated by commas",
        ),
        held=(
            "return {list} as one string with commas",
            "put {list} in one string with commas",
        ),
        critic_only=("build one text from {t_words} with a comma after all but the last",),
        asks=("join with commas", "list to comma separated string", "comma join"),
    ),
    Family(
        name="truncate",
        does="shortens the text to a limit, with three dots",
        source="""
        def NAME(text, limit):
            if len(text) <= limit:
                return text
            return text[:limit - 3] + "..."
        """,
        javascript="""
        function NAME(text, limit) {
          if (text.length <= limit) {
            return text;
          }
          return text.slice(0, limit - 3) + "...";
        }
        """,
        checks=(
            (("hello world", 8), "hello..."),
            (("abcde", 5), "abcde"),
            (("abcdef", 5), "ab..."),
            (("", 4), ""),
        ),
        verbs=(
            "truncate {t_long}",
            "truncate {t_long} with {t_dots}",
            "truncate {t_long} to [n {letters}|a given length|a maximum length|a limit]",
            "truncate {t_long} adding {t_dots}",
            "shorten {t_long} to [n {letters}|a given length|a maximum length|a limit]",
            "shorten {t_long} with {t_dots}",
            "shorten {t_long} so that it ends with {t_dots}",
            "limit {t_long} to [n {letters}|a maximum length|a given length]",
            "add {t_dots} to {t_long} if it is [too long|longer than n|longer than a limit]",
            "make {t_long} shorter with {t_dots} at the end",
        ),
        nouns=(
            "[a|] truncated [string|text] [with {t_dots}|]",
            "{t_long} truncated [to n {letters}|with {t_dots}]",
            "{t_long} shortened [to a limit|with {t_dots}|to a maximum length]",
            "truncation of {t_long} [with {t_dots}|]",
            "[string|text] truncation",
        ),
        held=(
            "keep {t_long} below a maximum length with {t_dots}",
            "shorten {t_long} that is too long",
        ),
        critic_only=("replace the end of {t_long} by {t_dots} if it is over a limit",),
        asks=(
            "truncate [string|text]",
            "truncate with {t_dots}",
            "shorten [text|string]",
            "how do I truncate {t_long}",
        ),
    ),
)

_NOTATIONS = (
    Family(
        name="camel_to_snake",
        does="converts camel case to snake case",
        source="""
        def NAME(name):
            result = ""
            for char in name:
                if char.isupper() and result:
                    result += "_"
                result += char.lower()
            return result
        """,
        checks=(
            (("camelCase",), "camel_case"),
            (("MyName",), "my_name"),
            (("",), ""),
            (("aBC",), "a_b_c"),
            (("abc",), "abc"),
        ),
        verbs=(
            "convert {t_camel} [to|into] {t_snake}",
            "convert {t_name} from {t_camel} [to|into] {t_snake}",
            "turn {t_camel} [to|into] {t_snake}",
            "turn {t_name} in {t_camel} into {t_snake}",
            "change {t_camel} [to|into] {t_snake}",
            "change {t_name} from {t_camel} to {t_snake}",
            "transform {t_camel} [to|into] {t_snake}",
            "convert {t_name} [to|into] {t_snake}",
            "translate {t_camel} to {t_snake}",
            "put {t_name} in {t_snake}",
        ),
        nouns=(
            "{t_camel} to {t_snake}",
            "{t_camel} to {t_snake} conversion",
            "[a|] conversion from {t_camel} to {t_snake}",
            "[the|a|] {t_snake} version of {t_name} [in {t_camel}|]",
            "[a|] {t_snake} [converter|conversion]",
        ),
        held=(
            "write {t_name} from {t_camel} as {t_snake}",
            "change the {t_camel} of {t_name} to {t_snake}",
        ),
        critic_only=("put an underscore before the capitals of {t_name} and make it lowercase",),
        asks=("{t_camel} to {t_snake}", "to {t_snake}", "camel to snake", "camel2snake"),
    ),
    Family(
        name="snake_to_camel",
        does="converts snake case to camel case",
        source="""
        def NAME(name):
            first, *rest = name.split("_")
            return first + "".join(word.capitalize() for word in rest)
        """,
        checks=(
            (("snake_case",), "snakeCase"),
            (("my_long_name",), "myLongName"),
            (("",), ""),
            (("abc",), "abc"),
        ),
        verbs=(
            "convert {t_snake} [to|into] {t_camel}",
            "convert {t_name} from {t_snake} [to|into] {t_camel}",
            "turn {t_snake} [to|into] {t_camel}",
            "turn {t_name} in {t_snake} into {t_camel}",
            "change {t_snake} [to|into] {t_camel}",
            "change {t_name} from {t_snake} to {t_camel}",
            "transform {t_snake} [to|into] {t_camel}",
            "convert {t_name} [to|into] {t_camel}",
            "translate {t_snake} to {t_camel}",
            "put {t_name} in {t_camel}",
        ),
        nouns=(
            "{t_snake} to {t_camel}",
            "{t_snake} to {t_camel} conversion",
            "[a|] conversion from {t_snake} to {t_camel}",
            "[the|a|] {t_camel} version of {t_name} [in {t_snake}|]",
            "[a|] {t_camel} [converter|conversion]",
        ),
        held=(
            "write {t_name} from {t_snake} as {t_camel}",
            "change the {t_snake} of {t_name} to {t_camel}",
        ),
        critic_only=("take the underscores out of {t_name} and capitalize the words after them",),
        asks=("{t_snake} to {t_camel}", "to {t_camel}", "snake to camel", "snake2camel"),
    ),
    Family(
        name="slugify",
        does="makes a slug of lower-case words and dashes",
        source="""
        import re

        def NAME(text):
            words = re.findall(r"[a-z0-9]+", text.lower())
            return "-".join(words)
        """,
        checks=(
            (("Hello World",), "hello-world"),
            (("",), ""),
            (("  19 Tips, really! ",), "19-tips-really"),
            (("ABC",), "abc"),
        ),
        verbs=(
            "slugify {sentence}",
            "slugify a [title|headline|heading|name|text]",
            "make {t_slug} [from|of|out of] {sentence}",
            "make {t_slug} [from|of|out of] a [title|headline|heading]",
            "convert {sentence} [to|into] {t_slug}",
            "convert a [title|headline|heading] [to|into] {t_slug}",
            "turn {sentence} into {t_slug}",
            "turn a [title|headline|heading] into {t_slug}",
            "create {t_slug} [from|for] [{sentence}|a title|a headline]",
            "make {sentence} lowercase with [dashes|hyphens] [for|instead of] spaces",
            "replace spaces [with|by] [dashes|hyphens] in {sentence} in lowercase",
        ),
        nouns=(
            "{t_slug} [of|for|from] {sentence}",
            "{t_slug} [of|for|from] a [title|headline|heading]",
            "[a|] slug [generator|maker|function]",
            "{sentence} as {t_slug}",
            "{sentence} in lowercase with [dashes|hyphens] between the words",
        ),
        held=(
            "change {sentence} into {t_slug}",
            "build {t_slug} out of a [title|headline]",
        ),
        critic_only=("join the lowercase words of {sentence} with [dashes|hyphens] for a url",),
        asks=("slugify", "slug", "title to slug", "text to slug"),
    ),
    Family(
        name="run_length_encode",
        does="compresses the text by run-length encoding",
        source="""
        from itertools import groupby

        def NAME(text):
            result = ""
            for char, group in groupby(text):
                result += char + str(len(list(group)))
            return result
        """,
        checks=((("aaabb",), "a3b2"), (("",), ""), (("abc",), "a1b1c1"), (("aba",), "a1b1a1")),
        verbs=(
            "encode {string} with {t_rle}",
            "encode {string} using {t_rle}",
            "compress {string} with {t_rle}",
            "compress {string} using {t_rle}",
            "implement {t_rle}",
            "do {t_rle} of {string}",
            "{find} the {t_rle} of {string}",
            "apply {t_rle} to {string}",
            "compress {string} by [counting|the counts of] repeated {letters}",
            "replace [runs of|repeated] {letters} in {string} by the {letter} and its count",
            "turn aaabb into a3b2",
            "compress [repeated|repeating|consecutive] {letters} in {string} to counts",
        ),
        nouns=(
            "{t_rle}",
            "[the|a|] {t_rle} of {string}",
            "[a|] run-length [encoder|compression]",
            "[string|text] compression with {t_rle}",
            "[string|text] compression by counts of repeated {letters}",
        ),
        held=(
            "turn {string} into its {t_rle}",
            "{find} {string} in {t_rle}",
        ),
        critic_only=(
            "write [each|every] run of equal {letters} in {string} as {letter} and count",
        ),
        asks=(
            "{t_rle}",
            "run length encode",
            "run-length encode {string}",
            "rle encode",
            "rle encoder",
        ),
    ),
    Family(
        name="run_length_decode",
        does="expands the run-length encoded text",
        source=r"""
        import re

        def NAME(text):
            result = ""
            for char, count in re.findall(r"(\D)(\d+)", text):
                result += char * int(count)
            return result
        """,
        checks=((("a3b2",), "aaabb"), (("",), ""), (("x12",), "xxxxxxxxxxxx"), (("a1B2",), "aBB")),
        verbs=(
            "decode {t_rle}",
            "decode [a|the] {t_rle} [of {string}|]",
            "decode {string} [that uses|in|with|from] {t_rle}",
            "decode a run-length encoded [string|text]",
            "decompress [{t_rle}|a run-length encoded string|a run length encoded text]",
            "expand [{t_rle}|a run-length encoded string|a run length encoded text]",
            "undo {t_rle}",
            "reverse [the|a|] {t_rle} [of {string}|]",
            "turn a3b2 into aaabb",
            "repeat [each|every] {letter} of {string} by the number after it",
            "expand {letters} and counts [back|] into {string}",
        ),
        nouns=(
            "[a|] run-length [decoder|decoding]",
            "{t_rle} [decoder|decoding|decompression]",
            "decoding [of|a|] {t_rle}",
            "[the|] decompression of {t_rle}",
            "[the|] [original text|text] from its {t_rle}",
        ),
        held=(
            "turn {t_rle} back into {string}",
            "{find} the original text of [a|the] {t_rle}",
        ),
        critic_only=("write [each|every] {letter} as often as the count behind it says",),
        asks=(
            "{t_rle} decode",
            "run length decode",
            "run-length decode {string}",
            "rle decode",
            "rle decoder",
        ),
    ),
)

_CONTENTS = (
    Family(
        name="extract_numbers",
        does="extracts the whole numbers from the text",
        source=r"""
        import re

        def NAME(text):
            return [int(number) for number in re.findall(r"-?\d+", text)]
        """,
        checks=(
            (("a 12 b3",), [12, 3]),
            (("",), []),
            (("no digits",), []),
            (("from -4 to 10.",), [-4, 10]),
        ),
        verbs=(
            "extract [the|all|all the|] [numbers|integers|whole numbers] from {sentence}",
            "{find} [the|all|all the] [numbers|integers] [in|of|from] {sentence}",
            "{find} [each|every] number in {sentence}",
            "list [the|all|all the] [numbers|integers] [in|of] {sentence}",
            "pull [the|all|all the|] [numbers|integers] [from|out of] {sentence}",
            "take [the|all|all the] numbers out of {sentence} and return them",
            "collect [the|all|all the|] [numbers|integers] [in|from] {sentence}",
            "parse [the|all|all the|] [numbers|integers] [in|from|out of] {sentence}",
            "{find} a list of [the|all|] [numbers|integers] [in|from] {sentence}",
        ),
        nouns=(
            "[the|all|] [numbers|integers] [in|from] {sentence}",
            "[a|] list of [the|all] numbers in {sentence}",
            "[number|integer] extraction [from {sentence}|]",
            "extraction of [numbers|integers] from {sentence}",
        ),
        held=(
            "look for numbers in {sentence} and return them",
            "keep only the numbers of {sentence} as a list",
        ),
        critic_only=("make a list of ints from those written in {sentence}",),
        asks=(
            "extract numbers",
            "which numbers are in {sentence}",
            "numbers from [string|text]",
            "what numbers does {sentence} contain",
        ),
    ),
    Family(
        name="extract_emails",
        does="extracts the email addresses from the text",
        source=r"""
        import re

        def NAME(text):
            pattern = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
            return re.findall(pattern, text)
        """,
        checks=(
            (("mail bob@example.org.",), ["bob@example.org"]),
            (("",), []),
            (("a@b and @c",), []),
            (("x.y@a.co.uk, z+1@b.com",), ["x.y@a.co.uk", "z+1@b.com"]),
        ),
        verbs=(
            "extract [the|all|all the|] {t_emails} from {sentence}",
            "{find} [the|all|all the|] {t_emails} [in|of|from] {sentence}",
            "{find} [each|every] [email|email address] in {sentence}",
            "list [the|all|all the] {t_emails} [in|of] {sentence}",
            "pull [the|all|all the|] {t_emails} [from|out of] {sentence}",
            "collect [the|all|all the|] {t_emails} [in|from] {sentence}",
            "parse [the|all|all the|] {t_emails} [in|from|out of] {sentence}",
            "look for {t_emails} in {sentence}",
            "{find} a list of [the|all|] {t_emails} [in|from] {sentence}",
        ),
        nouns=(
            "[the|all|] {t_emails} [in|from] {sentence}",
            "[a|] list of [the|all] {t_emails} in {sentence}",
            "[email|email address] extraction [from {sentence}|]",
            "extraction of {t_emails} from {sentence}",
        ),
        held=(
            "take all {t_emails} out of {sentence} and return them",
            "keep only the {t_emails} of {sentence} as a list",
        ),
        critic_only=("make a list of the {t_emails} that {sentence} has",),
        asks=(
            "extract {t_emails}",
            "which {t_emails} are in {sentence}",
            "{t_emails} from [string|text]",
            "what {t_emails} does {sentence} contain",
        ),
    ),
    Family(
        name="only_digits",
        does="checks that the text consists of digits only",
        source="""
        def NAME(text):
            return text.isascii() and text.isdigit()
        """,
        checks=((("123",), True), (("12a",), False), (("",), False), (("\u00b2",), False)),
        verbs=(
            "{check} {whether} {string} [contains|has] only {t_digits}",
            "{check} {whether} {string} [contains|has] {t_digits} only",
            "{check} {whether} {string} [consists of|is made of] [only|nothing but] {t_digits}",
            "{check} {whether} {string} is [numeric|all digits|only digits]",
            "{check} {whether} [all|all the] {letters} [of|in] {string} are {t_digits}",
            "{check} {whether} [each|every] {letter} [of|in] {string} is a digit",
            "{check} {whether} {string} has [nothing but|no {letters} except|only] {t_digits}",
            "return true if {string} [contains|has|is] only {t_digits}",
            "return true if all {letters} [of|in] {string} are {t_digits}",
        ),
        nouns=(
            "[a|] [check|test] for [only digits|a numeric string]",
            "[a|] check that {string} [contains|has] only {t_digits}",
            "[a|] numeric string [check|test]",
            "checking that {string} has only {t_digits}",
            "[a|] digits only [check|test]",
        ),
        held=(
            "say {whether} {string} has digits only",
            "{check} {string} for being numeric",
        ),
        critic_only=(
            "{check} {whether} none of the {letters} in {string} is anything but a digit",
        ),
        asks=(
            "is {string} [numeric|only digits|all digits]",
            "are all {letters} [of|in] {string} {t_digits}",
            "digits only",
            "does {string} contain only {t_digits}",
        ),
    ),
)

_DATES = (
    Family(
        name="weekday",
        does="finds the name of the weekday",
        source="""
        from datetime import date

        def NAME(day):
            return date.fromisoformat(day).strftime("%A")
        """,
        checks=(
            (("2024-01-01",), "Monday"),
            (("2024-02-29",), "Thursday"),
            (("2023-12-31",), "Sunday"),
        ),
        verbs=(
            "{find} the weekday of {t_date}",
            "{find} the [weekday|day of the week] [of|for] {t_date}",
            "{find} the name of the [weekday|day of the week] [of|for] {t_date}",
            "{find} which [weekday|day of the week] {t_date} [is|falls on]",
            "{find} what [weekday|day of the week] {t_date} [is|falls on]",
            "{find} on which [weekday|day of the week] {t_date} falls",
            "convert {t_date} to [a weekday|a day of the week|its weekday]",
            "turn {t_date} into [a weekday|the name of the weekday|its weekday]",
            "look up the [weekday|day of the week] [of|for] {t_date}",
            "take {t_date} and [return|give back] the [weekday|day of the week]",
        ),
        nouns=(
            "[the|] [weekday|day of the week] [of|for] {t_date}",
            "[the|] name of the weekday [of|for] {t_date}",
            "[the|] weekday name [of|for] {t_date}",
            "[a|] weekday [function|calculator]",
        ),
        held=(
            "say which weekday {t_date} is",
            "work the [weekday|day of the week] of {t_date} out",
        ),
        critic_only=("give {t_date} its name: monday, tuesday, wednesday and so on",),
        asks=(
            "what [weekday|day of the week] is {t_date}",
            "which [weekday|day of the week] is {t_date}",
            "weekday",
            "day of the week",
        ),
    ),
    Family(
        name="days_between",
        does="counts the days between two dates",
        source="""
        from datetime import date

        def NAME(start, end):
            difference = date.fromisoformat(end) - date.fromisoformat(start)
            return abs(difference.days)
        """,
        checks=(
            (("2024-01-01", "2024-01-31"), 30),
            (("2024-02-28", "2024-03-01"), 2),
            (("2023-03-01", "2023-02-28"), 1),
            (("2024-05-05", "2024-05-05"), 0),
        ),
        verbs=(
            "{find} the [number of|] days between {t_dates}",
            "{find} how many days are between {t_dates}",
            "{find} how many days [lie|there are] between {t_dates}",
            "{find} the [difference|distance|time] between {t_dates} in days",
            "{find} the difference in days between {t_dates}",
            "{find} the difference of {t_dates} in days",
            "count the [number of|] days between {t_dates}",
            "count how many days are between {t_dates}",
            "count the days from one date to another",
            "subtract {t_dates} and return the [days|number of days]",
        ),
        nouns=(
            "[the|] [number of days|days] between {t_dates}",
            "[the|] [difference|distance|time] between {t_dates} in days",
            "[the|] difference in days between {t_dates}",
            "[a|] [date difference|days between] [function|calculator]",
            "[the|] days from one date to another",
        ),
        held=(
            "work the days between {t_dates} out",
            "{find} the time from one date to another in days",
        ),
        critic_only=("{find} how many days it is from one date to the other",),
        asks=(
            "how many days are [there |]between {t_dates}",
            "days between [two |]dates",
            "date difference",
            "date difference in days",
        ),
    ),
    Family(
        name="add_days",
        does="adds days to the date",
        source="""
        from datetime import date, timedelta

        def NAME(day, days):
            result = date.fromisoformat(day) + timedelta(days=days)
            return result.isoformat()
        """,
        checks=(
            (("2024-01-31", 1), "2024-02-01"),
            (("2024-02-28", 2), "2024-03-01"),
            (("2023-12-31", 0), "2023-12-31"),
            (("2024-01-01", -1), "2023-12-31"),
        ),
        verbs=(
            "add {t_days} to {t_date}",
            "add [days|a day|one day|some days] to {t_date}",
            "{find} the date [n|x|some|that many|several] days after {t_date}",
            "{find} the date [n|x|some|several] days later",
            "{find} the date that is {t_days} after {t_date}",
            "{find} which date is {t_days} after {t_date}",
            "move {t_date} forward by {t_days}",
            "move {t_date} {t_days} [forward|into the future]",
            "shift {t_date} by {t_days}",
            "advance {t_date} by {t_days}",
            "increase {t_date} by {t_days}",
        ),
        nouns=(
            "{t_date} plus {t_days}",
            "[the|] date {t_days} after {t_date}",
            "[the|] date {t_days} later",
            "[the|] sum of {t_date} and {t_days}",
            "[the|] addition of {t_days} to {t_date}",
            "adding {t_days} to {t_date}",
        ),
        held=(
            "return what {t_date} is {t_days} later",
            "take {t_days} and {t_date} and add them",
        ),
        critic_only=("{find} the date that comes after {t_date} when {t_days} are over",),
        asks=(
            "add days",
            "add days to date",
            "date plus days",
            "which date is {t_days} after {t_date}",
        ),
    ),
    Family(
        name="is_weekend",
        does="checks for a weekend",
        source="""
        from datetime import date

        def NAME(day):
            return date.fromisoformat(day).weekday() >= 5
        """,
        checks=(
            (("2024-01-06",), True),
            (("2024-01-07",), True),
            (("2024-01-05",), False),
            (("2024-01-08",), False),
        ),
        verbs=(
            "{check} {whether} {t_date} is [a weekend|on a weekend|at the weekend|in the weekend]",
            "{check} {whether} {t_date} is [on the|on a|a] weekend or not",
            "{check} {whether} {t_date} falls on [a|the] weekend",
            "{check} {whether} {t_date} is a [saturday or a sunday|saturday or sunday]",
            "{check} {whether} {t_date} is a [sunday or a saturday|weekend day]",
            "{check} {whether} {t_date} falls on a [saturday or sunday|saturday or a sunday]",
            "{check} for [a weekend|weekends|a weekend day]",
            "return true if {t_date} is [a weekend|on a weekend|a saturday or sunday]",
            "{check} {whether} {t_date} is a weekend or a [weekday|working day]",
        ),
        nouns=(
            "[a|] weekend [check|checker|test]",
            "[a|] weekend [check|test] for {t_date}",
            "checking for [weekends|a weekend]",
            "[a|] check for saturday or sunday",
            "[a|] check {whether} {t_date} is [a weekend|on a weekend]",
        ),
        held=(
            "say {whether} {t_date} is at the weekend",
            "{check} {t_date} for being a saturday or sunday",
        ),
        critic_only=("{check} {whether} {t_date} is none of the days from monday to friday",),
        asks=(
            "is {t_date} [a weekend|on a weekend|a saturday or sunday]",
            "is weekend",
            "is it weekend",
            "weekend",
        ),
    ),
    Family(
        name="days_in_month",
        does="finds the number of days in the month",
        source="""
        import calendar

        def NAME(year, month):
            return calendar.monthrange(year, month)[1]
        """,
        checks=(((2024, 2), 29), ((2023, 2), 28), ((2024, 4), 30), ((2023, 12), 31)),
        verbs=(
            "{find} the number of days [in|of] {t_month}",
            "{find} how many days {t_month} has",
            "{find} how many days there are in {t_month}",
            "{find} how many days are in {t_month}",
            "{find} the days in {t_month}",
            "{find} the length of {t_month} [in days|]",
            "{find} the last day of {t_month} as a number",
            "count the days [in|of] {t_month}",
            "count how many days {t_month} has",
            "look up the number of days [in|of] {t_month}",
        ),
        nouns=(
            "[the|] number of days [in|of] {t_month}",
            "[the|] days in {t_month}",
            "[the|] length of {t_month} in days",
            "[a|] days in month [function|calculator]",
            "[the|] day count of {t_month}",
        ),
        held=(
            "say how many days {t_month} has",
            "{find} the total number of days in {t_month}",
        ),
        critic_only=("{find} how long {t_month} is",),
        asks=(
            "how many days does {t_month} have",
            "how many days are in {t_month}",
            "days in month",
            "month length",
        ),
    ),
    Family(
        name="seconds_to_hms",
        does="writes the seconds as hours, minutes and seconds",
        source="""
        def NAME(seconds):
            minutes, seconds = divmod(seconds, 60)
            hours, minutes = divmod(minutes, 60)
            return f"{hours:02}:{minutes:02}:{seconds:02}"
        """,
        checks=(
            ((0,), "00:00:00"),
            ((3661,), "01:01:01"),
            ((59,), "00:00:59"),
            ((3600,), "01:00:00"),
            ((86399,), "23:59:59"),
        ),
        verbs=(
            "convert {t_seconds} [to|into] {t_hms}",
            "convert seconds [to|into] [hours and minutes|a time string|a time]",
            "turn {t_seconds} into {t_hms}",
            "change {t_seconds} [to|into] {t_hms}",
            "transform {t_seconds} [to|into] {t_hms}",
            "format {t_seconds} as {t_hms}",
            "format {t_seconds} as [a time|a clock time|a time string]",
            "write {t_seconds} as {t_hms}",
            "return {t_seconds} as {t_hms}",
            "express {t_seconds} [in|as] {t_hms}",
            "take {t_seconds} and [return|give back] {t_hms}",
        ),
        nouns=(
            "{t_seconds} to {t_hms}",
            "{t_seconds} as {t_hms}",
            "[a|] conversion [of|from] {t_seconds} to {t_hms}",
            "{t_seconds} formatted as {t_hms}",
        ),
        held=(
            "put {t_seconds} in {t_hms}",
            "show {t_seconds} as {t_hms}",
        ),
        critic_only=("{find} how many hours, minutes and seconds {t_seconds} are",),
        asks=(
            "seconds to {t_hms}",
            "{t_seconds} to {t_hms}",
            "seconds to time",
            "how many hours and minutes are n seconds",
        ),
    ),
)

TEXT: tuple[Family, ...] = _CHARACTERS + _COUNTING + _WORDS + _NOTATIONS + _CONTENTS + _DATES

# Code of the first is right for the second as well.

# Tasks that are easily taken for each other.
TEXT_GROUPS: tuple[tuple[str, ...], ...] = (
    ("remove_vowels", "remove_spaces", "remove_punctuation", "remove_duplicates", "count_vowels"),
    ("swap_case", "to_upper", "to_lower", "title_case", "count_uppercase"),
    ("has_unique_chars", "first_unique_char", "most_common_char", "char_frequency", "is_anagram"),
    ("count_substring", "count_occurrences", "char_frequency", "word_frequency", "count_words"),
    ("count_consonants", "count_vowels", "count_uppercase", "count_words"),
    ("reverse_words", "reverse_string", "reverse_list", "title_case"),
    ("shortest_word", "longest_word", "sort_by_length", "sort_ascending", "acronym"),
    ("camel_to_snake", "snake_to_camel", "slugify", "title_case", "to_lower"),
    ("run_length_encode", "run_length_decode", "caesar_cipher", "char_frequency"),
    ("extract_numbers", "extract_emails", "only_digits", "digit_sum"),
    ("join_with_commas", "acronym", "truncate", "slugify"),
    ("weekday", "is_weekend", "days_between", "add_days", "days_in_month", "is_leap_year"),
    ("seconds_to_hms", "days_between", "days_in_month"),
)
