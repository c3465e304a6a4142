"""Fails when a lookup takes over 3 % more instructions than recorded: instructions_test.py LOOKUPS [--record]

Callgrind counts the same in every run, whatever else the machine does; the counts hold for one compiler and
its flags, so they are compared in the release build only."""
import json, pathlib, re, shutil, subprocess, sys, tempfile

RECORD = pathlib.Path(__file__).with_name("instructions.json")
MOST = 1.03
SKIPPED = 77  # known to CMakeLists.txt

def count(program, kind):
    """instructions of a lookup, on average"""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "counts"
        run = subprocess.run(["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=measured",
                              f"--callgrind-out-file={out}", program, kind], check=True, capture_output=True, text=True)
        lookups = int(run.stdout.split()[0])
        return int(re.search(r"^totals: (\d+)", out.read_text(), re.M)[1]) / lookups

def main():
    if shutil.which("valgrind") is None:
        print("skipped: no valgrind")
        return SKIPPED
    counts = {kind: round(count(sys.argv[1], kind), 1) for kind in ("literal", "patterned", "miss")}
    if "--record" in sys.argv:
        RECORD.write_text(json.dumps(counts, indent=1) + "\n")
        return 0
    recorded = json.loads(RECORD.read_text())
    for kind, number in counts.items():
        print(f"{kind}: {number} instructions a lookup, recorded {recorded[kind]}")
    if any(number > MOST * recorded[kind] for kind, number in counts.items()):
        print("lookups became dearer; where that is meant, record it: instructions_test.py LOOKUPS --record")
        return 1
    return 0

if __name__ == "__main__":
    sys.exit(main())
