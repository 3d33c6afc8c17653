"""Checks vector files against the schema: `python validate.py FILE...` (package `jsonschema`).

Prints a line for each vector that does not follow it; the exit code is 1 if there is one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match


def main(files: list[str]) -> int:
    schema = json.loads(Path(__file__).with_name("vector.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    checked = wrong = 0
    for file in files:
        for number, line in enumerate(Path(file).read_text("utf-8").split("\n"), 1):
            if not line.strip():
                continue
            checked += 1
            problem = best_match(validator.iter_errors(json.loads(line)))
            if problem is not None:
                wrong += 1
                print(f"{file}:{number}: {problem.json_path}: {problem.message}")
    print(f"{checked} vectors, {wrong} do not follow the schema")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
