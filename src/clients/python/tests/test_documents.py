"""N112: the README runs as it is printed, and every public method has an example."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import selvedge

HERE = Path(__file__).parent.parent


def modules(package: str) -> list[ModuleType]:
    found = importlib.import_module(f"selvedge.{package}")
    return [importlib.import_module(f"selvedge.{package}.{each.name}") for each in pkgutil.iter_modules(found.__path__)]


def test_n112_the_readme_works_as_printed(env: dict[str, str], tmp_path: Path) -> None:
    pieces = re.findall(r"^```python\n(.*?)^```$", (HERE / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    (tmp_path / "program.py").write_text("\n".join(pieces))
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    for expected in ("LS-7 Linen shirt", "delete", "100 %", "LS-9", "style,price"):
        assert expected in done.stdout


@pytest.mark.parametrize("package", ["_async", "_sync"])
def test_n112_every_public_method_has_an_example_that_compiles(package: str) -> None:
    parser = doctest.DocTestParser()
    checked = 0
    for module in modules(package):
        for owner in vars(module).values():
            if not inspect.isclass(owner) or owner.__module__ != module.__name__ or not owner.__doc__:
                continue
            if not re.match(r"``(client|operator)\.|.*client for|The operator", owner.__doc__):
                continue
            for name, method in inspect.getmembers(owner, inspect.isfunction):
                if name.startswith("_"):
                    continue
                examples = parser.get_examples(method.__doc__ or "")
                assert examples, f"{owner.__name__}.{name} has no example"
                for example in examples:
                    lines = "".join(f"    {line}\n" for line in example.source.splitlines())
                    compile(f"async def example():\n{lines}" if package == "_async" else example.source, name, "exec")
                checked += 1
    assert checked > 90


def test_n112_both_clients_have_the_same_methods() -> None:
    assert {name for name in dir(selvedge.Client) if not name.startswith("_")} == {
        name for name in dir(selvedge.AsyncClient) if not name.startswith("_")
    }
