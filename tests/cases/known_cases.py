#!/usr/bin/env python3
"""Runs the manifest cases: all must pass but those of later.txt, which must fail.

  known_cases.py ROUTEC [options of run_manifest.py]

later.txt lists cases of keys that the design names and routec does not have yet (before, blocking,
encoded_slash, groups, include, redirect, respond). One that passes is to be taken off the list."""
import json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

def run(routec, options):
    """what is wrong, or None, by case"""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as f:
        command = [sys.executable, os.path.join(HERE, "run_manifest.py"), routec, os.path.join(HERE, "manifest.jsonl"), "--json", f.name, "-q", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode == 2: sys.exit(done.stdout)
        return json.load(f)

def main():
    with open(os.path.join(HERE, "later.txt"), encoding="utf-8") as f: later = f.read().split()
    results = run(sys.argv[1], sys.argv[2:])
    # Options may select some of the cases; the list is of all.
    with open(os.path.join(HERE, "manifest.jsonl"), encoding="utf-8") as f: ids = {json.loads(line)["id"] for line in f}
    wrong = [f"later.txt names {i}, which is no case" for i in later if i not in ids]
    wrong += [f"{i} passes: take it off later.txt" for i in later if i in results and not results[i]]
    wrong += [f"FAIL {i}\n   {complaint}" for i, complaint in results.items() if complaint and i not in later]
    print(*wrong, f"{len(results)} cases, {len(set(later) & set(results))} of them for later, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0

if __name__ == "__main__": sys.exit(main())
