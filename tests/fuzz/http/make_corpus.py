"""Writes the inputs of the HTTP cases as files, as each target wants them: make_corpus.py http.jsonl FOLDER."""
import json
import pathlib
import sys

cases, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
for target in ("request_parser", "chunked_body", "target", "connection"):
    (folder / target).mkdir(parents=True, exist_ok=True)
for line in cases.read_text().splitlines():
    case = json.loads(line)
    send = case["send"] if isinstance(case["send"], str) else "".join(case["send"])
    text = send.encode("latin-1")
    name = case["id"].replace("/", "_")
    (folder / "connection" / name).write_bytes(text)
    (folder / "request_parser" / name).write_bytes(bytes([len(text) * 37 % 256]) + text)
    words = text.split(b"\r\n")[0].split(b" ")
    if len(words) > 1:
        (folder / "target" / name).write_bytes(words[1])
    if case["area"] in ("chunked", "trailers", "fragmentation"):
        body = text.split(b"\r\n\r\n", 1)[-1]
        (folder / "chunked_body" / name).write_bytes(bytes([len(text) * 37 % 256]) + body)
