"""`python -m benchmarks [--quick] [NAME ...]`: measures, prints the figures and their targets.

Exit status 0 if every target is met, 1 if one is missed or a benchmark could not be carried out.
"""

import argparse
import sys

from benchmarks import clocks, exports, many, memory, ratings, rl, rules, savings, transport, web
from benchmarks.report import BenchmarkError, Check, show_checks

_BENCHMARKS = {
    "rules": rules,
    "transport": transport,
    "many": many,
    "memory": memory,
    "clocks": clocks,
    "ratings": ratings,
    "savings": savings,
    "exports": exports,
    "rl": rl,
    "web": web,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", epilog="Example: python -m benchmarks --quick rules")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(_BENCHMARKS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="short runs, for a first look")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in _BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark is named {unknown[0]!r}, only {', '.join(_BENCHMARKS)}")
    checks: list[Check] = []
    for name in arguments.names or _BENCHMARKS:
        module = _BENCHMARKS[name]
        assert module.__doc__
        print(f"{name}: {module.__doc__.splitlines()[0]}", flush=True)
        try:
            checks += module.run(arguments.quick)
        except BenchmarkError as error:
            print(f"error: {name}: {error}", file=sys.stderr)
            return 1
        print()
    return 0 if show_checks(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
