"""Change one value in a user's `config.py`, and keep everything else, comments too."""

import ast

from chattest.errors import InputError, Problem


def replace_value(source: str, name: str, value: float | None, where: str = "config.py") -> str:
    """Return the text of a config file with the value of a setting replaced, or added at the end.

    Args:
        source: The text of the file.
        name: The setting.
        value: Its new value.
        where: The path of the file, for messages.

    Raises:
        InputError: The file is not Python, or sets the value in any other way than by one plain number or None.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise InputError([Problem(f"{where}:{error.lineno}", f"is not Python: {error.msg}")]) from error
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and _is_assigned(node, name)]
    values = [expression for statement in tree.body if (expression := _find_value(statement, name)) is not None]
    if not assigned:
        return f"{source.rstrip()}\n{name} = {value!r}\n"
    if len(assigned) > 1 or len(values) != 1 or not _is_number(values[0]):
        line = assigned[-1].lineno
        what = f"sets {name} in a way that cannot be changed by itself"
        raise InputError([Problem(f"{where}:{line}", what, f"Write there: {name} = {value!r}")])
    return _replace(source, values[0], repr(value))


def _is_assigned(node: ast.Name, name: str) -> bool:
    return node.id == name and isinstance(node.ctx, ast.Store)


def _find_value(statement: ast.stmt, name: str) -> ast.expr | None:
    """Return the expression that a statement assigns to this name alone; `None` for other statements."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return None
    return statement.value if isinstance(target, ast.Name) and target.id == name else None


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    return isinstance(value, ast.Constant) and (value.value is None or type(value.value) in (int, float))


def _replace(source: str, value: ast.expr, text: str) -> str:
    """Return the source with an expression on one line replaced.

    Python counts columns in bytes of UTF-8.
    """
    lines = source.split("\n")
    line = lines[value.lineno - 1].encode()
    lines[value.lineno - 1] = (line[: value.col_offset] + text.encode() + line[value.end_col_offset :]).decode()
    return "\n".join(lines)
