"""Task families on strings."""

from tools.starter.family import Family

STRINGS = (
    Family(
        name="reverse_string",
        does="reverses the string",
        source="""
        def NAME(text):
            return text[::-1]
        """,
        checks=((("abc",), "cba"), (("",), ""), (("Ab c",), "c bA")),
        verbs=(
            "reverse {string}",
            "reverse the {letters} [of|in] {string}",
            "reverse the order of the {letters} [of|in] {string}",
            "turn {string} around",
            "flip {string}",
            "flip the {letters} [of|in] {string}",
            "return {string} [in reverse|backwards|reversed|spelled backwards]",
            "spell {string} backwards",
            "write {string} backwards",
            "{find} the reverse of {string}",
            "put the {letters} of {string} in [reverse|the opposite] order",
        ),
        nouns=(
            "[a|the|] reversed string",
            "[the|] reverse of {string}",
            "string reversal",
            "string reverse",
            "{string} in reverse",
            "{string} backwards",
            "[the|] {letters} of {string} in reverse order",
        ),
        held=("give {string} back to front", "invert the order of the {letters} [in|of] {string}"),
        critic_only=("return the {letters} of {string} from last to first",),
        asks=("reverse string", "string reverse", "reverse text"),
    ),
    Family(
        name="is_palindrome",
        does="checks for a palindrome",
        source="""
        def NAME(text):
            return text == text[::-1]
        """,
        checks=((("level",), True), (("abc",), False), (("",), True), (("abba",), True)),
        verbs=(
            "{check} {whether} {string} is a palindrome",
            "{check} for [a palindrome|palindromes]",
            "{check} {string} for being a palindrome",
            "recognise palindromes",
            "detect palindromes",
            "{check} {whether} {string} reads the same [backwards|backward|in both directions]",
            "{check} {whether} {string} is the same [forwards and backwards|backwards]",
            "{check} {whether} {string} is equal to its reverse",
            "return true if {string} is a palindrome",
        ),
        nouns=(
            "[a|] palindrome [check|checker|test]",
            "[a|] palindrome check for {string}",
            "palindrome detection",
            "checking for palindromes",
        ),
        held=(
            "{check} {whether} {string} is palindromic",
            "say {whether} {string} is a palindrome or not",
        ),
        critic_only=("{check} {whether} {string} stays the same when it is reversed",),
        asks=("is {string} a palindrome", "palindrome", "is palindrome", "is this a palindrome"),
    ),
    Family(
        name="count_vowels",
        does="counts the vowels",
        source="""
        def NAME(text):
            count = 0
            for letter in text.lower():
                if letter in "aeiou":
                    count += 1
            return count
        """,
        checks=((("Hello",), 2), (("",), 0), (("xyz",), 0), (("AEIOU",), 5)),
        verbs=(
            "count [the|all|all the|] vowels [in|of] {string}",
            "count [the number of|how many] vowels {string} has",
            "count the number of vowels in {string}",
            "count how many vowels [are in|there are in] {string}",
            "count vowels",
            "{find} the number of vowels [in|of] {string}",
            "{find} how many vowels {string} [has|contains]",
            "{find} how many vowels are in {string}",
            "{find} how many {letters} [of|in] {string} are vowels",
        ),
        nouns=(
            "[the|] number of vowels [in|of] {string}",
            "[the|a|] vowel count [of|for] {string}",
            "[a|] vowel counter",
            "vowel count",
            "[the|] count of vowels in {string}",
        ),
        held=(
            "count every vowel in {string}",
            "{find} the amount of vowels in {string}",
        ),
        critic_only=("count the {letters} a, e, i, o and u in {string}",),
        asks=("how many vowels are in {string}", "vowels", "how many vowels does {string} have"),
    ),
    Family(
        name="count_words",
        does="counts the words",
        source="""
        def NAME(text):
            words = text.split()
            return len(words)
        """,
        checks=((("one two",), 2), (("",), 0), (("a  b\nc",), 3), (("word",), 1)),
        verbs=(
            "count [the|all|all the|] words [in|of] {sentence}",
            "count [the number of|how many] words {sentence} has",
            "count the number of words in {sentence}",
            "count how many words [are in|there are in] {sentence}",
            "count words",
            "{find} the number of words [in|of] {sentence}",
            "{find} how many words {sentence} [has|contains]",
            "{find} how many words are in {sentence}",
            "{find} the word count of {sentence}",
        ),
        nouns=(
            "[the|] number of words [in|of] {sentence}",
            "[the|a|] word count [of|for] {sentence}",
            "[a|] word counter",
            "word count",
            "[the|] count of words in {sentence}",
        ),
        held=(
            "count every word in {sentence}",
            "{find} the amount of words in {sentence}",
        ),
        critic_only=("{find} how long {sentence} is in words",),
        asks=("how many words are in {sentence}", "how many words does {sentence} have"),
    ),
    Family(
        name="char_frequency",
        does="counts each character",
        source="""
        def NAME(text):
            counts = {}
            for char in text:
                counts[char] = counts.get(char, 0) + 1
            return counts
        """,
        checks=((("aab",), {"a": 2, "b": 1}), (("",), {}), (("xyx",), {"x": 2, "y": 1})),
        verbs=(
            "count [each|every] {letter} [in|of] {string}",
            "count how [often|many times] [each|every] {letter} [appears|occurs] in {string}",
            "count the {letters} [in|of] {string}",
            "count the [frequency|occurrences] of [each|every] {letter} in {string}",
            "count [letter|character] [frequencies|frequency] [in|of] {string}",
            "{find} the frequency of [each|every] {letter} [in|of] {string}",
            "{find} the [letter|character] [frequency|frequencies] [in|of] {string}",
            "{find} how [often|many times] [each|every] {letter} [appears|occurs] in {string}",
            "make a [dictionary|dict|histogram] of the {letters} [in|of] {string}",
            "map [each|every] {letter} of {string} to its [count|frequency]",
        ),
        nouns=(
            "[the|] [character|letter|char] [frequency|frequencies] [in|of] {string}",
            "[character|letter|char] [count|counts|counter]",
            "[the|] frequency of [each|every] {letter} in {string}",
            "[the|] [count|number of occurrences] of [each|every] {letter} in {string}",
            "[a|] [character|letter] histogram of {string}",
            "frequency of {letters}",
        ),
        held=(
            "tally the {letters} of {string}",
            "list how many of [each|every] {letter} {string} has",
        ),
        critic_only=("{find} how frequently all the different {letters} are used in {string}",),
        asks=(
            "how [often|many times] does [each|every] {letter} occur in {string}",
            "character frequency",
            "letter frequency",
            "char frequency",
        ),
    ),
    Family(
        name="to_upper",
        does="converts the text to upper case",
        source="""
        def NAME(text):
            return text.upper()
        """,
        checks=((("abc",), "ABC"), (("",), ""), (("a bC",), "A BC")),
        verbs=(
            "convert {string} [to|into] {upper}",
            "convert [all|the|all the] {letters} [of|in] {string} to {upper}",
            "turn {string} [to|into] {upper}",
            "change {string} [to|into] {upper}",
            "make {string} {upper}",
            "make [all|the] {letters} [of|in] {string} {upper}",
            "put {string} in {upper}",
            "transform {string} [to|into] {upper}",
            "uppercase {string}",
            "return {string} in {upper}",
            "capitalise all {letters} [of|in] {string}",
        ),
        nouns=(
            "{string} in {upper}",
            "[an|the|] {upper} version of {string}",
            "{upper} conversion",
            "conversion [of {string} |]to {upper}",
        ),
        held=("write {string} in {upper}", "set every letter of {string} to {upper}"),
        critic_only=("transform [each|every] {letter} of {string} into a big letter",),
        asks=("{upper}", "string to {upper}", "to {upper}"),
    ),
    Family(
        name="to_lower",
        does="converts the text to lower case",
        source="""
        def NAME(text):
            return text.lower()
        """,
        checks=((("ABC",), "abc"), (("",), ""), (("A bC",), "a bc")),
        verbs=(
            "convert {string} [to|into] {lower}",
            "convert [all|the|all the] {letters} [of|in] {string} to {lower}",
            "turn {string} [to|into] {lower}",
            "change {string} [to|into] {lower}",
            "make {string} {lower}",
            "make [all|the] {letters} [of|in] {string} {lower}",
            "put {string} in {lower}",
            "transform {string} [to|into] {lower}",
            "lowercase {string}",
            "return {string} in {lower}",
        ),
        nouns=(
            "{string} in {lower}",
            "[a|the|] {lower} version of {string}",
            "{lower} conversion",
            "conversion [of {string} |]to {lower}",
        ),
        held=("write {string} in {lower}", "set every letter of {string} to {lower}"),
        critic_only=("transform [each|every] {letter} of {string} into a little letter",),
        asks=("{lower}", "string to {lower}", "to {lower}"),
    ),
    Family(
        name="title_case",
        does="capitalizes each word",
        source="""
        def NAME(text):
            words = [word.capitalize() for word in text.split(" ")]
            return " ".join(words)
        """,
        checks=((("hello world",), "Hello World"), (("",), ""), (("ab CD e",), "Ab Cd E")),
        verbs=(
            "convert {sentence} [to|into] {title}",
            "turn {sentence} [to|into] {title}",
            "change {sentence} [to|into] {title}",
            "put {sentence} in {title}",
            "make {sentence} {title}",
            "[capitalize|capitalise] {sentence}",
            "[capitalize|capitalise] [each|every] word [of|in] {sentence}",
            "[capitalize|capitalise] the first letter of [each|every] word [in|of] {sentence}",
            "[capitalize|capitalise] [all|the|all the] words [of|in] {sentence}",
            "make the first letter of [each|every] word [a capital|uppercase|upper case]",
            "return {sentence} in {title}",
        ),
        nouns=(
            "{sentence} in {title}",
            "[a|the|] {title} version of {sentence}",
            "{title} conversion",
            "{sentence} with [each|every] word [capitalized|capitalised]",
            "capitalization of [each|every] word",
        ),
        held=(
            "write {sentence} in {title}",
            "start [each|every] word of {sentence} with a capital",
        ),
        critic_only=("set the first letter of all words to upper case",),
        asks=("{title}", "to {title}", "string to {title}"),
    ),
    Family(
        name="longest_word",
        does="finds the longest word",
        source="""
        def NAME(text):
            longest = ""
            for word in text.split():
                if len(word) > len(longest):
                    longest = word
            return longest
        """,
        checks=((("a bbb cc",), "bbb"), (("",), ""), (("one three two",), "three"), (("x",), "x")),
        verbs=(
            "{find} the longest word [in|of|from] {sentence}",
            "{find} the longest word",
            "{find} the longest of the words in {sentence}",
            "{find} the word with the most {letters} [in|of] {sentence}",
            "{find} the [biggest|largest] word in {sentence}",
            "pick the longest word [from|of|in] {sentence}",
            "look for the longest word in {sentence}",
            "{find} which word [in|of] {sentence} is the longest",
        ),
        nouns=(
            "[the|] longest word [in|of] {sentence}",
            "longest word",
            "[the|] word with the most {letters} in {sentence}",
            "longest word [finder|search]",
        ),
        held=(
            "select the longest word of {sentence}",
            "{find} the word of {sentence} that is the longest",
        ),
        critic_only=("{find} the word of maximum length in {sentence}",),
        asks=("what is the longest word in {sentence}", "which word in {sentence} is the longest"),
    ),
    Family(
        name="is_anagram",
        does="checks for anagrams",
        source="""
        def NAME(first, second):
            return sorted(first) == sorted(second)
        """,
        checks=((("listen", "silent"), True), (("ab", "abb"), False), (("a", "b"), False)),
        verbs=(
            "{check} {whether} two [strings|words] are anagrams",
            "{check} {whether} two [strings|words] are anagrams of each other",
            "{check} {whether} [one|a] [string|word] is an anagram of another",
            "{check} for [anagrams|an anagram]",
            "detect anagrams",
            "{check} {whether} two [strings|words] [have|use|contain] the same {letters}",
            "compare two [strings|words] to see if they are anagrams",
            "return true if two [strings|words] are anagrams",
        ),
        nouns=(
            "[an|] anagram [check|checker|test]",
            "anagram check for two [strings|words]",
            "anagram detection",
            "checking for anagrams",
        ),
        held=(
            "say {whether} two [strings|words] are anagrams or not",
            "{check} two [strings|words] for being anagrams",
        ),
        critic_only=("{check} {whether} one word can be made from the {letters} of another",),
        asks=("are two [strings|words] anagrams", "anagram", "anagrams", "is anagram"),
    ),
)
