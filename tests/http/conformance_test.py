"""All HTTP cases against a server: conformance_test.py SERVER [--split]. With --split each input is sent octet
by octet and, for the other half of the cases, cut at random places: the answers must be the same."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from server_process import running

HERE = pathlib.Path(__file__).parent
LONGEST_BYTEWISE = 400


def pieces(text, random_source):
    if len(text) <= LONGEST_BYTEWISE and random_source.random() < 0.5:
        return list(text)
    cuts = sorted(random_source.randrange(1, len(text)) for _ in range(min(5, len(text) - 1)))
    return [text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)]) if i != j]


def split_cases(out):
    random_source = random.Random(7)
    for line in (HERE / "http.jsonl").read_text().splitlines():
        case = json.loads(line)
        if isinstance(case["send"], str) and len(case["send"]) > 1:
            case["send"] = pieces(case["send"], random_source)
            out.write(json.dumps(case) + "\n")
    out.flush()


def main():
    with running([sys.argv[1]]) as server, tempfile.NamedTemporaryFile("w", suffix=".jsonl") as split:
        cases = HERE / "http.jsonl"
        if "--split" in sys.argv:
            split_cases(split)
            cases = split.name
        run = [sys.executable, HERE / "run_http.py", server.host, str(server.port), cases, "--jobs", "32", "--prefer"]
        result = subprocess.run(run, stdout=subprocess.PIPE, text=True, timeout=280)
        print(result.stdout, end="")
        unpreferred = [line for line in result.stdout.splitlines() if line.startswith("PREFER")]
        if result.returncode or unpreferred:
            sys.exit(1)


main()
