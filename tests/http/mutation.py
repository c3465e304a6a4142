"""Whether the tests notice a broken parser: mutation.py BUILD [--count 50] [--seed 1]. Breaks the parser of heads, their meaning or
the decoder of chunks in one place at a time (another operator, a number off by one, a check left out), links the unit tests
and the server anew, and runs the tests until one fails. BUILD is a built folder of CMake with Ninja."""
import argparse
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SOURCES = ("request_parser.cc", "framing.cc", "chunked_body.cc")
OPERATORS = {" == ": " != ", " != ": " == ", " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " && ": " || ", " || ": " && ",
             " + ": " - ", " - ": " + ", "++": "--", " |= ": " = ", " += ": " = "}


def code_lines(text):
    """(offset, line) of lines that are code."""
    at = 0
    for line in text.splitlines(keepends=True):
        if not line.lstrip().startswith(("//", "#")):
            yield at, line.split(" // ")[0]
        at += len(line)


def mutations(text):
    """All (offset, old, new)."""
    for at, line in code_lines(text):
        for old, new in OPERATORS.items():
            for found in re.finditer(re.escape(old), line):
                yield at + found.start(), old, new
        for found in re.finditer(r"(?<![\w.'\"])\d+(?![\w.'])", line):
            yield at + found.start(), found[0], str(int(found[0]) + 1)
        for found in re.finditer(r"\bif \((?!constexpr)", line):
            yield at + found.start(), "if (", "if (false && "
            yield at + found.start(), "if (", "if (true || "


def compile_command(build, source):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith(f"runtime/src/{source}"):
            return shlex.split(entry["command"])
    raise SystemExit(f"{source} is not in {build}")


def link_command(build, target):
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", target], stdout=subprocess.PIPE, text=True, check=True).stdout
    return next(word for word in lines.splitlines()[-1].split(" && ") if " -o " in word)


def build_mutant(build, source, text, folder):
    """False if it does not compile."""
    mutant, command = folder / source, compile_command(build, source)
    mutant.write_text(text)
    command[command.index("-c") + 1] = str(mutant)
    command[command.index("-o") + 1] = str(folder / "mutant.o")
    command += ["-w", "-O1", f"-I{HERE.parents[1] / 'runtime/src'}"]
    if subprocess.run(command, cwd=build, stderr=subprocess.DEVNULL).returncode:
        return False
    for name in ("http_unit_tests", "http_conformance_server"):
        link = link_command(build, f"tests/http/{name}").replace(f"-o tests/http/{name}", f"{folder / 'mutant.o'} -o {folder / name}")
        subprocess.run(link, shell=True, cwd=build, check=True)
    return True


def killer(folder):
    """The test that fails, None if all pass."""
    suite = {"unit tests": [folder / "http_unit_tests", "--gtest_brief=1"],
             "cases": [sys.executable, HERE / "conformance_test.py", folder / "http_conformance_server"],
             "cases, split": [sys.executable, HERE / "conformance_test.py", folder / "http_conformance_server", "--split"],
             "differential": [sys.executable, HERE / "differential_test.py", folder / "http_conformance_server"]}
    for name, command in suite.items():
        try:
            status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120).returncode
        except subprocess.TimeoutExpired:
            status = 1
        if status:
            return name
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    texts = {source: (HERE.parents[1] / "runtime/src" / source).read_text() for source in SOURCES}
    sites = [(source, *mutation) for source, text in texts.items() for mutation in mutations(text)]
    random.Random(options.seed).shuffle(sites)
    tried = survived = 0
    with tempfile.TemporaryDirectory() as name:
        for source, at, old, new in sites:
            if tried == options.count:
                break
            text = texts[source]
            if not build_mutant(options.build.resolve(), source, text[:at] + new + text[at + len(old):], pathlib.Path(name)):
                continue
            tried += 1
            killed_by = killer(pathlib.Path(name))
            survived += killed_by is None
            line = text.count("\n", 0, at) + 1
            print(f"{source}:{line}: {old.strip()} -> {new.strip()}: {killed_by or 'SURVIVES'}", flush=True)
    print(f"| broken parsers noticed >= 95 % | {tried - survived} of {tried} | {'ok' if survived <= 0.05 * tried else 'short'} |")
    sys.exit(survived > 0.05 * tried)


main()
