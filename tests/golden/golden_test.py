#!/usr/bin/env python3
"""Compares what routec says about each NAME.yaml here with NAME.txt.

  golden_test.py ROUTEC CODES_H [--update]

A first line '# args: ...' of a manifest replaces 'check NAME.yaml' as the command line. --update
writes the .txt files anew: look at the difference before you commit it. Every diagnostic code of
CODES_H (diagnostic_codes.h) must occur in some .txt, and every diagnostic must offer a cure."""
import difflib, os, re, shlex, shutil, subprocess, sys, tempfile

# Takes seconds to provoke, through limits that the unit tests set lower.
TOO_SLOW = {"search"}
HERE = os.path.dirname(os.path.abspath(__file__))

def run(routec, name, folder):
    """What the program printed, and how it ended."""
    manifest = name + ".yaml"
    shutil.copy(os.path.join(HERE, manifest), folder)
    with open(os.path.join(folder, manifest), "rb") as f:
        first = f.readline().decode("utf-8", "replace")
    args = shlex.split(first[len("# args:"):]) if first.startswith("# args:") else ["check", manifest]
    done = subprocess.run([routec, *args], cwd=folder, stdin=subprocess.DEVNULL, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return b"exit %d\n" % done.returncode + b"".join(
        b"--- %s\n%s" % (title, text) for title, text in ((b"stdout", done.stdout), (b"stderr", done.stderr)) if text)

def read(path):
    if not os.path.exists(path): return b""
    with open(path, "rb") as f: return f.read()

def differences(name, wanted, got):
    lines = [text.decode("utf-8", "backslashreplace").splitlines(True) for text in (wanted, got)]
    return "".join(difflib.unified_diff(*lines, name + ".txt", "routec"))

def missing_codes(header, outputs):
    """Codes that no golden shows; SARIF outputs do not count, for they list all codes."""
    with open(header, encoding="utf-8") as f: codes = re.findall(r'X\("([a-z-]+)"', f.read())
    shown = {c for text in outputs for c in re.findall(r"\[([a-z-]+)\]$", text.decode("utf-8", "replace"), re.M)}
    return [code for code in codes if code not in shown | TOO_SLOW]

def without_cure(outputs):
    """The heads of diagnostics behind which no help stands before the next one."""
    for text in outputs:
        heads = re.split(r"^(?=\S.* (?:error|warning): .*\[[a-z-]+\]$)", text.decode("utf-8", "replace"), flags=re.M)
        yield from (part.split("\n")[0] for part in heads[1:] if "\n  help: " not in part)

def main():
    routec, header = os.path.abspath(sys.argv[1]), sys.argv[2]
    update = "--update" in sys.argv
    names = sorted(f[:-len(".yaml")] for f in os.listdir(HERE) if f.endswith(".yaml"))
    outputs, failed = [], 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder: got = run(routec, name, folder)
        path = os.path.join(HERE, name + ".txt")
        outputs.append(got)
        if got == read(path): continue
        if update:
            with open(path, "wb") as f: f.write(got)
            print("wrote", path)
            continue
        failed += 1
        print(differences(name, read(path), got))
    missing = missing_codes(header, outputs)
    if missing: print("no golden shows", ", ".join(missing))
    helpless = list(without_cure(outputs))
    for head in helpless: print("no cure:", head)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed or missing or helpless or not names else 0

if __name__ == "__main__": sys.exit(main())
