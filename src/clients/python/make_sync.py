"""Makes the client without asyncio, ``selvedge/_sync``, from ``selvedge/_async``: there is one logic, written once.

``python make_sync.py`` writes the files; ``python make_sync.py --check`` fails where they are not what it would write.
``runtime.py`` is written by hand on both sides: it is where waiting and working side by side differ.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BY_HAND = "runtime.py"
HEADER = "# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.\n"

REPLACEMENTS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"(import .*?)\bAwaitable, ", r"\1"),
    (r"\bAsync(Iterator|Client|Operator)\b", r"\1"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\ba(close|read|iter_bytes)\(", r"\1("),
    (r"for programs with asyncio", "for programs without asyncio"),
]


def sync_text(text: str) -> str:
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--fix",
        "--quiet",
        "--select",
        "I",
        "--stdin-filename",
        "a.py",
        "-",
    ]
    for step in (command, [sys.executable, "-m", "ruff", "format", "--stdin-filename", "a.py", "-"]):
        text = subprocess.run(step, input=text, capture_output=True, text=True, check=True, cwd=HERE).stdout
    return HEADER + text


def main() -> None:
    stale = []
    for source in sorted((HERE / "selvedge/_async").glob("*.py")):
        target = HERE / "selvedge/_sync" / source.name
        if source.name == BY_HAND:
            continue
        text = sync_text(source.read_text())
        if target.exists() and target.read_text() == text:
            continue
        stale.append(target.name)
        if "--check" not in sys.argv:
            target.write_text(text)
    if stale and "--check" in sys.argv:
        sys.exit(f"Run `python make_sync.py`: selvedge/_async has changed ({', '.join(stale)}).")


if __name__ == "__main__":
    main()
