"""Words with which a program asks for its input are left out where it reads standard input and
nobody is to be asked."""

import pytest

from pipeline.analysis.draft import read_draft
from pipeline.analysis.input_prompts import wants_no_prompts, without_prompts

SUM = "Write a Python program that reads two numbers from standard input and prints their sum."
PROMPTED = {
    "python": (
        'a = int(input("Enter é: "))\nb = int(input(f"Number {a + 1}: "))\nprint(a + b)\n',
        "a = int(input())\nb = int(input())\nprint(a + b)\n",
    ),
    "python in one line": (
        'a, b = int(input("Enter a: ")), int(input("Enter b: "))\n',
        "a, b = int(input()), int(input())\n",
    ),
    "c": (
        'int main(void) {\n    int n;\n    printf("Enter n: ");\n    scanf("%d", &n);\n}\n',
        'int main(void) {\n    int n;\n    scanf("%d", &n);\n}\n',
    ),
    "c in one line": (
        'int main(void) {\n    int n;\n    printf("Enter n: "); scanf("%d", &n);\n}\n',
        'int main(void) {\n    int n;\n    scanf("%d", &n);\n}\n',
    ),
    "cpp": (
        'int main() {\n    std::cout << "Please enter n: " << std::endl;\n    std::cin >> n;\n}\n',
        "int main() {\n    std::cin >> n;\n}\n",
    ),
    "java": (
        'void f() {\n    System.out.print("Enter n: ");\n    int n = in.nextInt();\n}\n',
        "void f() {\n    int n = in.nextInt();\n}\n",
    ),
    "go": (
        'func main() {\n\tfmt.Print("Enter n: ")\n\tvar n int\n\tfmt.Scan(&n)\n}\n',
        "func main() {\n\tvar n int\n\tfmt.Scan(&n)\n}\n",
    ),
    "rust": (
        'fn main() {\n    println!("Enter a number:");\n    let mut line = String::new();\n'
        "    std::io::stdin().read_line(&mut line).unwrap();\n}\n",
        "fn main() {\n    let mut line = String::new();\n"
        "    std::io::stdin().read_line(&mut line).unwrap();\n}\n",
    ),
}
KEPT = {
    "what is computed": ("python", "a = input(ask())\n"),
    "another function": ("python", 'def read(text):\n    return text\n\na = read("Enter a: ")\n'),
    "words of the result": ("python", 'n = int(input())\nprint("Enter" if n else "Leave")\n'),
    "nothing is read": ("c", 'int main(void) {\n    printf("Enter n: ");\n    return 0;\n}\n'),
    "words of another kind": (
        "c",
        'int main(void) {\n    printf("Hello");\n    scanf("%d", &n);\n}\n',
    ),
    "a branch's only statement": (
        "c",
        'int main(void) {\n    if (n)\n        printf("Enter n: ");\n    scanf("%d", &n);\n}\n',
    ),
    "a value": ("c", 'int main(void) {\n    printf("Enter %d: ", i);\n    scanf("%d", &n);\n}\n'),
    "what is imported has to be used": (
        "go",
        'func main() {\n\tfmt.Print("Enter n: ")\n\treader.ReadString(10)\n}\n',
    ),
    "another language": ("ruby", 'print "Enter n: "\nn = gets\n'),
    "a question beside it": ("python", 'a = input("Enter a: ")\nb = input("2 + 2?")\n'),
    "a question": ("python", 'a = input("2 + 2?")\n'),
    "a function of that name": ("python", 'from x import input\na = input("Enter a: ")\n'),
    "what gives a name a value": ("python", 'a = input(f"Enter {(n := 1)}: ")\n'),
    "a header": (
        "c",
        'int main(void) {\n    puts("Number Square");\n    while (scanf("%d", &n)) {}\n}\n',
    ),
    "a comment between": (
        "c",
        'int main(void) {\n    if (n)\n    // a\n    puts("Enter n:");\n    scanf("%d", &n);\n}\n',
    ),
    "a loop's only statement": (
        "c",
        'int main(void) {\n    do\n    puts("Enter n:");\n    while (scanf("%d", &n) != 1);\n}\n',
    ),
    "an arrow's": (
        "java",
        'f = () ->\n    System.out.println("Enter n:");\nint n = in.nextInt();\n',
    ),
    "a text": ("java", 'h = """;\n    System.out.println("Enter n:");\n    in.nextInt();\n""";\n'),
    "no code": ("python", "a = input('"),
    "in brackets": ("python", 'n = int(input(("Enter n: ")))\n'),
    "a result": ("python", 'b = int(input(f"The running sum is {s}\\n"))\n'),
    "a question that is printed": ("python", 'print("Enter a:")\na = input()\nb = input("b: ")\n'),
    "a table's head": (
        "c",
        'int main(void) {\n    printf("Input Square\\n");\n    scanf("%d", &n);\n}\n',
    ),
    "a file's head": (
        "cpp",
        'int main() {\n    cout << "type,amount" << endl;\n    cin >> n;\n}\n',
    ),
    "two of them are all that is imported for": (
        "go",
        'func main() {\n\tfmt.Print("Enter a: ")\n\ts.Scan()\n'
        '\tfmt.Print("Enter b: ")\n\ts.Scan()\n}\n',
    ),
    "one of them, another is in the way": (
        "java",
        'System.out.println("Enter n: ");\nwhile (!in.hasNextInt()) {\n    in.next();\n}\n'
        'System.out.print("Enter m: ");\nint m = in.nextInt();\n',
    ),
    "one of them, another is of another kind": (
        "c",
        'int main(void) {\n    printf("Enter n: ");\n    scanf("%d", &n);\n    printf("Next: ");\n'
        '    scanf("%d", &m);\n}\n',
    ),
}


@pytest.mark.parametrize(("code", "left"), PROMPTED.values(), ids=PROMPTED)
def test_prompts_are_left_out(request, code, left):
    """And told."""
    language = request.node.callspec.id.split()[0]
    text, said = without_prompts(code, language)
    assert text == left
    assert said


@pytest.mark.parametrize(("language", "code"), KEPT.values(), ids=KEPT)
def test_all_else_stays(language, code):
    """Where it is not certain that the words do nothing else."""
    assert without_prompts(code, language) == (code, ())


@pytest.mark.parametrize(
    ("shown", "language", "code"),
    [
        ("Output\nNumber: 9", "python", 'n = int(input("Number: "))\nprint(n * n)\n'),
        (
            "Output\nEnter n: 9",
            "c",
            'int main(void) {\n    printf("Enter n: ");\n    scanf("%d", &n);\n}\n',
        ),
    ],
)
def test_words_of_the_request_stay(shown, language, code):
    """What it shows, a program has to print."""
    assert without_prompts(code, language, f"Read a number from stdin. {shown}") == (code, ())
    assert without_prompts(code, language, "Read a number from stdin.")[1]


@pytest.mark.parametrize(
    ("request_", "wants_none"),
    [
        (SUM, True),
        ("reads n from stdin, prints its square", True),
        ("Java: read n from System.in and print n!", True),
        ("Solve it.\n\nInput\nThe first line contains n.\n\nOutput\nThe sum.", True),
        ("Read a name and print it backwards. Print nothing else.", False),
        ("A program that asks for two numbers and prints their sum, no prompts please", True),
        ("A program that asks the user for two numbers and prints their sum", False),
        ("Read two numbers from the keyboard and print their sum", False),
        ("Read two numbers from standard input, with a prompt for each", False),
        ("A menu on standard input", False),
        ("Un programa que pida al usuario dos números por la entrada estándar", False),
        ("Es fragt den Benutzer nach zwei Zahlen (Standardeingabe)", False),
        ("It reads the age via stdin and shows 'Enter your age:' first", False),
        ("Query the user for two numbers on stdin, no prompt injection", False),
        ("Translate this to Go (stdin):\n```python\nn = int(input('n: '))\n```", False),
        ("A quiz on stdin; print only the score", False),
        ("tic-tac-toe for two, moves from stdin", False),
        ("The user enters numbers on stdin", False),
        ("A to-do list program in Python for the terminal: print only the open tasks", False),
        ("shopping cart for the command line, print only the total", False),
        ("mad libs in python. Reads noun, verb, adjective from stdin", False),
        ("Java console application: patient registration with Scanner(System.in)", False),
        ("Keep reading integers from stdin with a friendly text before each", False),
        ("BMI: takes height and weight from stdin with clear instructions", False),
        ("Wizard setup script: reads name and license from standard input", False),
        ("install script reads y/n from stdin to confirm before deleting", False),
        ("rock paper scissors reading from stdin in Go, prints the winner", False),
        ("Make a console poll. Standard input.", False),
        ("Using standard input collect name and email from the customer", False),
        ("lee por la entrada estándar dos números con un mensaje para cada uno", False),
        ("über die Standardeingabe einliest und vorher einen Hinweistext ausgibt", False),
        ("lit l'âge sur l'entrée standard après avoir affiché un texte", False),
        ("Write a function add(a, b)", False),
        ("", False),
    ],
)
def test_who_wants_none(request_, wants_none):
    """Standard input is what a program reads; a person is somebody who is asked."""
    assert wants_no_prompts(request_) == wants_none


def test_the_record_says_so():
    """As of every other mend; and where a person is asked, the words stay."""
    reply = 'a = int(input("Enter a: "))\nb = int(input("Enter b: "))\nprint(a + b)\n'
    draft = read_draft("coder", reply, SUM, complete=True)
    assert draft.text.count("input()") == 2
    assert draft.mended == ("prompt left out: 'Enter a: '", "prompt left out: 'Enter b: '")
    asked = read_draft(
        "coder", reply, "Python: ask the user for two numbers; print the sum.", complete=True
    )
    assert asked.text.strip() == reply.strip()
    assert not asked.mended
