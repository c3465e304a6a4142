"""Writes the manifests of the cases as files: make_corpus.py manifest.jsonl FOLDER."""
import json
import pathlib
import sys

cases, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
for line in cases.read_text(encoding="utf-8").splitlines():
    case = json.loads(line)
    encoding = "latin-1" if case.get("bytes_latin1") else "utf-8"
    (folder / case["id"]).write_bytes(case["yaml"].encode(encoding))
