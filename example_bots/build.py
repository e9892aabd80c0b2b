"""Build the example bots in other languages: ``python -m example_bots.build [LANGUAGE...]``."""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence

from example_bots.languages import Command, Language, languages

DONE, FAILED, INTERRUPTED = 0, 1, 3
"""Exit statuses."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build them, skipping those whose tools are missing; returns the exit status."""
    known = languages()
    parser = argparse.ArgumentParser(
        prog="python -m example_bots.build",
        description="Build the example bots in other languages. One whose tools are not installed is skipped.",
        epilog="example: python -m example_bots.build --strict go rust",
    )
    parser.add_argument(
        "languages", nargs="*", metavar="LANGUAGE", help=f"these alone; by default all: {', '.join(known)}"
    )
    parser.add_argument("--strict", action="store_true", help="fail where tools are missing, instead of skipping")
    parser.add_argument("--test", action="store_true", help="run the tests of each as well")
    parser.add_argument(
        "--missing-packages", action="store_true", help="only print the Debian packages with what is missing"
    )
    options = parser.parse_args(arguments)
    unknown = [name for name in options.languages if name not in known]
    if unknown:
        parser.error(f"no bot in {unknown[0]!r} (there are {', '.join(known)})")
    chosen = [known[name] for name in options.languages or known]
    if options.missing_packages:
        print(*(package for language in chosen if any(language.missing()) for package in language.packages))
        return DONE
    try:
        failed = [language.title for language in chosen if not _build(language, options.strict, options.test)]
    except KeyboardInterrupt:
        print("interrupted; the same command goes on with what is missing", file=sys.stderr)
        return INTERRUPTED
    if failed:
        print(f"error: not built: {', '.join(failed)}", file=sys.stderr)
    return FAILED if failed else DONE


def _build(language: Language, strict: bool, test: bool) -> bool:
    """Build one; returns False on a failure, also for missing tools if it is `strict`."""
    missing = list(language.missing())
    if missing:
        print(
            f"{language.title}: skipped, missing {', '.join(missing)}; "
            f"on Debian or Ubuntu: apt-get install {' '.join(language.packages)}",
            flush=True,
        )
        return not strict
    started = time.monotonic()
    steps = language.build + (language.test if test else ())
    for command in steps:
        print(f"{language.title}: {' '.join(command)}", flush=True)
        if not _run(language, command):
            return False
    if not language.built:
        print(
            f"error: {language.title}: built without an error, but there is no {language.program[0]}", file=sys.stderr
        )
        return False
    print(f"{language.title}: done in {time.monotonic() - started:.0f} s: {' '.join(language.command)}", flush=True)
    return True


def _run(language: Language, command: Command) -> bool:
    """Run a command in the folder of the language; its output is shown where it fails."""
    done = subprocess.run(
        command,
        cwd=language.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return True
    print(done.stdout, end="", file=sys.stderr)
    print(f"error: {language.title}: '{' '.join(command)}' ended with status {done.returncode}", file=sys.stderr)
    return False


if __name__ == "__main__":
    sys.exit(main())
