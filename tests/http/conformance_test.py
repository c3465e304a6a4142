"""All HTTP cases against a server: conformance_test.py SERVER [--split]. With --split each input is sent octet by octet
or cut at random places, with ROUTEC_TEST_FULL=1 octet by octet and cut at random 100 times: the answers must be the same."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from reliability import figure, server, sized

HERE = pathlib.Path(__file__).parent
LONGEST_BYTEWISE = 400


def cut_at_random(text, source):
    cuts = sorted(source.randrange(1, len(text)) for _ in range(min(5, len(text) - 1)))
    return [text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)]) if i != j]


def all_splits(text, source):
    yield cut_at_random(text, source)
    if len(text) <= LONGEST_BYTEWISE:
        yield list(text)
    for _ in range(99):
        yield cut_at_random(text, source)


def one_split(text, source):
    yield list(text) if len(text) <= LONGEST_BYTEWISE and source.random() < 0.5 else cut_at_random(text, source)


def split_cases(out):
    source, splits = random.Random(7), sized(one_split, all_splits)
    for line in (HERE / "http.jsonl").read_text().splitlines():
        case = json.loads(line)
        if isinstance(case["send"], str) and len(case["send"]) > 1:
            for pieces in splits(case["send"], source):
                out.write(json.dumps(case | {"send": pieces}) + "\n")
    out.flush()


def main():
    with server() as target, tempfile.NamedTemporaryFile("w", suffix=".jsonl") as split:
        cases = HERE / "http.jsonl"
        if "--split" in sys.argv:
            split_cases(split)
            cases = split.name
        run = [sys.executable, HERE / "run_http.py", target.host, str(target.port), cases, "--jobs", sized("32", "128"), "--prefer"]
        result = subprocess.run(run, stdout=subprocess.PIPE, text=True)
    unpreferred = [line for line in result.stdout.splitlines() if line.startswith("PREFER")]
    print(*result.stdout.splitlines()[:100], sep="\n")
    met = result.returncode == 0 and not unpreferred
    figure("cases answered as preferred, however they are cut: all", result.stdout.splitlines()[-1], met)
    sys.exit(not met)


main()
