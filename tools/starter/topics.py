"""The tasks by topic, as a person looks for them."""

_TOPICS = {
    "Numbers": """
        is_even is_odd is_prime primes_up_to prime_factors divisors gcd lcm is_perfect_number
        is_perfect_square is_power_of_two power factorial sum_to_n multiplication_table clamp
        count_digits digit_sum reverse_number fizz_buzz quadratic_roots hypotenuse circle_area
    """,
    "Sequences and recursion": """
        fibonacci fibonacci_up_to first_fibonacci collatz_sequence pascals_triangle hanoi
        permutations subsets nested_sum
    """,
    "Conversions": """
        to_binary from_binary to_roman from_roman celsius_to_fahrenheit fahrenheit_to_celsius
        km_to_miles seconds_to_hms
    """,
    "Dates": "is_leap_year weekday is_weekend days_between add_days days_in_month",
    "Lists": """
        sum_list product_list mean median mode value_range running_total find_max find_min
        second_largest second_smallest largest_n filter_even filter_odd filter_greater
        filter_positive squares cubes absolute_values remove_duplicates flatten count_occurrences
        common_elements union difference rotate_left chunks every_second swap_first_last move_zeros
        reverse_list is_sorted all_equal index_of two_sum missing_number max_subarray_sum
        dot_product
    """,
    "Sorting and searching": """
        sort_ascending sort_descending sort_by_length bubble_sort merge_sort quicksort merge_sorted
        binary_search
    """,
    "Dictionaries and matrices": """
        invert_dict merge_dicts sort_dict_by_value key_of_largest_value group_by_first_letter
        transpose matrix_multiply diagonal_sum
    """,
    "Text": """
        reverse_string is_palindrome is_anagram count_vowels count_consonants count_uppercase
        count_words count_substring char_frequency word_frequency most_common_char
        first_unique_char has_unique_chars to_upper to_lower title_case swap_case reverse_words
        longest_word shortest_word remove_vowels remove_spaces remove_punctuation acronym
        join_with_commas truncate
    """,
    "Formats and codes": """
        camel_to_snake snake_to_camel slugify caesar_cipher run_length_encode run_length_decode
        extract_numbers extract_emails only_digits balanced_brackets longest_common_prefix
        levenshtein
    """,
    "Classes": "stack queue linked_list counter bank_account point rectangle",
    "Files and programs": """
        read_lines count_file_lines count_file_words write_text append_line read_json write_json
        read_csv greet_program
    """,
    "Bash": """
        greet_bash add_numbers_bash sum_arguments_bash largest_argument_bash is_even_bash
        factorial_bash fizz_buzz_bash countdown_bash reverse_string_bash to_upper_bash
        string_length_bash repeat_string_bash file_extension_bash base_name_bash
    """,
}

TOPIC_OF: dict[str, str] = {
    name: topic for topic, names in _TOPICS.items() for name in names.split()
}
"""The topic of each family, by the family's name, in the order in which they are shown."""
