"""As much of C++ as tidy.py needs: text without comments and literals, and where functions begin and end."""

import re

# In this order: what opens first hides the others.
_TOKEN = re.compile(
    r'//[^\n]*'
    r'|/\*.*?\*/'
    r'|R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL)


def blank_literals(text):
    """The same text, with comments and what stands in quotes blanked. Lines stay where they are."""
    return _TOKEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


# What opens a block that is no function of its own: it belongs to what stands around it, or holds functions.
_SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b[^()]*$")
_CONTROL = re.compile(r"\b(if|for|while|switch|catch|do|else|try)\b")
_PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)


def _is_function(header):
    """Whether a block behind this text (since the last ; { or }) is a function's body."""
    if "(" not in header or _SCOPE.search(header):
        return False
    first_word = re.match(r"\s*(\w+)", header)
    if first_word and _CONTROL.fullmatch(first_word[1]):
        return False
    # `x = f(a) {` is no definition; operator= and default arguments are within parentheses or names.
    outside = re.sub(r"\([^()]*\)", "", re.sub(r"operator\s*\S+", "", header))
    return "=" not in outside


def functions(text):
    """Yields (first line, last line) of each outermost function, its header included."""
    code = _PREPROCESSOR.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), blank_literals(text))
    header_start = 0
    stack = []          # of blocks: None, or the offset where a function's header begins
    inside = False
    for at, char in enumerate(code):
        if char == "{":
            header = code[header_start:at]
            is_function = not inside and _is_function(header)
            begin = header_start + len(header) - len(header.lstrip())
            stack.append(begin if is_function else None)
            inside = inside or is_function
        elif char == "}" and stack:
            begin = stack.pop()
            if begin is not None:
                inside = False
                yield code.count("\n", 0, begin) + 1, code.count("\n", 0, at) + 1
        if char in "{};":
            header_start = at + 1
