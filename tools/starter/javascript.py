"""The gold code in JavaScript of tasks that are first of all Python's, by the family's name."""

JAVASCRIPT: dict[str, str] = {
    "sum_list": """
        function NAME(numbers) {
          let total = 0;
          for (const number of numbers) {
            total += number;
          }
          return total;
        }
        """,
    "mean": """
        function NAME(numbers) {
          let total = 0;
          for (const number of numbers) {
            total += number;
          }
          return total / numbers.length;
        }
        """,
    "find_max": """
        function NAME(numbers) {
          let largest = numbers[0];
          for (const number of numbers) {
            if (number > largest) {
              largest = number;
            }
          }
          return largest;
        }
        """,
    "find_min": """
        function NAME(numbers) {
          let smallest = numbers[0];
          for (const number of numbers) {
            if (number < smallest) {
              smallest = number;
            }
          }
          return smallest;
        }
        """,
    "sort_ascending": """
        function NAME(numbers) {
          const sorted = [...numbers];
          sorted.sort((a, b) => a - b);
          return sorted;
        }
        """,
    "reverse_list": """
        function NAME(items) {
          const reversed = [];
          for (const item of items) {
            reversed.unshift(item);
          }
          return reversed;
        }
        """,
    "filter_even": """
        function NAME(numbers) {
          return numbers.filter((number) => number % 2 === 0);
        }
        """,
    "squares": """
        function NAME(numbers) {
          return numbers.map((number) => number ** 2);
        }
        """,
    "remove_duplicates": """
        function NAME(items) {
          const unique = [];
          for (const item of items) {
            if (!unique.includes(item)) {
              unique.push(item);
            }
          }
          return unique;
        }
        """,
    "count_occurrences": """
        function NAME(items, target) {
          let count = 0;
          for (const item of items) {
            if (item === target) {
              count += 1;
            }
          }
          return count;
        }
        """,
    "reverse_string": """
        function NAME(text) {
          let reversed = "";
          for (const letter of text) {
            reversed = letter + reversed;
          }
          return reversed;
        }
        """,
    "is_palindrome": """
        function NAME(text) {
          const reversed = text.split("").reverse().join("");
          return text === reversed;
        }
        """,
    "count_vowels": """
        function NAME(text) {
          let count = 0;
          for (const letter of text.toLowerCase()) {
            if ("aeiou".includes(letter)) {
              count += 1;
            }
          }
          return count;
        }
        """,
    "count_words": """
        function NAME(text) {
          const words = text.split(/\\s+/);
          return words.filter((word) => word !== "").length;
        }
        """,
    "to_upper": """
        function NAME(text) {
          return text.toUpperCase();
        }
        """,
    "to_lower": """
        function NAME(text) {
          return text.toLowerCase();
        }
        """,
    "factorial": """
        function NAME(n) {
          let result = 1;
          for (let i = 2; i <= n; i++) {
            result *= i;
          }
          return result;
        }
        """,
    "is_prime": """
        function NAME(n) {
          if (n < 2) {
            return false;
          }
          for (let i = 2; i * i <= n; i++) {
            if (n % i === 0) {
              return false;
            }
          }
          return true;
        }
        """,
    "is_even": """
        function NAME(n) {
          return n % 2 === 0;
        }
        """,
    "fizz_buzz": """
        function NAME(n) {
          const lines = [];
          for (let i = 1; i <= n; i++) {
            if (i % 15 === 0) {
              lines.push("FizzBuzz");
            } else if (i % 3 === 0) {
              lines.push("Fizz");
            } else if (i % 5 === 0) {
              lines.push("Buzz");
            } else {
              lines.push(String(i));
            }
          }
          return lines;
        }
        """,
}
