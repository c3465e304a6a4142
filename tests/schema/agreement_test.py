#!/usr/bin/env python3
"""Shows that manifest.schema.json and routec agree, both ways.

  agreement_test.py ROUTEC SCHEMA CASES.jsonl

A manifest that the schema refuses must be an error to routec; one that the schema takes must not
break any rule of shape. Inputs are the manifests of the cases, and those with random changes.
Needs python3-jsonschema and python3-yaml."""
import copy, json, os, random, re, subprocess, sys, tempfile
import jsonschema, yaml

MUTANTS = 600
# The rules that the schema states, too.
SHAPE = {"unknown-key", "missing-key", "wrong-type", "version", "invalid-value", "invalid-name",
         "route-key", "invalid-type"}
# Rules of YAML, which is read before any schema could be looked at.
NOT_YAML = {"encoding", "yaml-syntax", "yaml-feature", "yaml-alias", "nesting", "duplicate-key"}
VALUES = [None, True, 0, 1, 2, -1, 7, 1.5, "", "x", "yes", "1KiB", "a.b", "1a", [], ["a"], ["a", "a"],
          [1], {}, {"handler": "h"}, {"enum": ["a"]}, {"pattern": "a", "enum": ["b"]}]
KEYS = ["handler", "name", "summary", "body_limit", "over", "routec", "routes", "types", "options",
        "slash", "namespace", "enum", "pattern", "uuid", "t", "GET /x", "GET/x", "", "zzz"]

def scalar(text):
    """A plain scalar of YAML 1.2's core schema."""
    if re.fullmatch(r"~|null|Null|NULL|", text): return None
    if re.fullmatch(r"true|True|TRUE|false|False|FALSE", text): return text.lower() == "true"
    if re.fullmatch(r"[-+]?[0-9]+", text): return int(text)
    if re.fullmatch(r"0o[0-7]+", text): return int(text[2:], 8)
    if re.fullmatch(r"0x[0-9a-fA-F]+", text): return int(text[2:], 16)
    if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", text): return float(text)
    return text

def plain(node):
    """The node as JSON values. Keys that are no text become what no key can be."""
    if isinstance(node, yaml.ScalarNode): return node.value if node.style else scalar(node.value)
    if isinstance(node, yaml.SequenceNode): return [plain(n) for n in node.value]
    keys = [(plain(k), v) for k, v in node.value]
    return {k if isinstance(k, str) else "\0": plain(v) for k, v in keys}

def places(document):
    """Every (container, key) of the document."""
    items = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for key, value in list(items):
        yield document, key
        yield from places(value)

def mutant(document, pick):
    document = copy.deepcopy(document)
    for _ in range(pick.randint(1, 2)):
        all_places = list(places(document))
        if not all_places: break
        container, key = pick.choice(all_places)
        action = pick.randrange(4)
        if action == 0: container[key] = copy.deepcopy(pick.choice(VALUES))
        elif action == 1: del container[key]
        elif isinstance(container, dict) and action == 2: container[pick.choice(KEYS)] = container.pop(key)
        elif isinstance(container, dict): container[pick.choice(KEYS)] = copy.deepcopy(pick.choice(VALUES))
        else: container.append(copy.deepcopy(pick.choice(VALUES)))
    return document

def codes(routec, folder, text):
    """The codes of the errors, or None after a crash."""
    path = os.path.join(folder, "m.yaml")
    with open(path, "wb") as f: f.write(text)
    done = subprocess.run([routec, "check", path, "--diagnostics", "json"], stdout=subprocess.PIPE, timeout=60)
    if done.returncode not in (0, 1): return None
    return {d["code"] for d in json.loads(done.stdout)["diagnostics"] if d["severity"] == "error"}

def complaint(valid, found):
    if found is None: return "routec broke down"
    if valid and found & SHAPE: return f"the schema takes it, routec says {sorted(found)}"
    if not valid and not found: return "the schema refuses it, routec takes it"
    return None

def main():
    routec, schema, cases = sys.argv[1:4]
    with open(schema, encoding="utf-8") as f: schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    documents, inputs = [], []
    with open(cases, encoding="utf-8") as f:
        for case in map(json.loads, f):
            # Aliases make exponential trees of some cases.
            if case.get("bytes_latin1") or case["area"] == "anchors" or len(case["yaml"]) > 5000: continue
            try: document = plain(yaml.compose(case["yaml"], Loader=yaml.BaseLoader)) if case["yaml"] else None
            except (yaml.YAMLError, AttributeError, RecursionError, ValueError): continue
            inputs.append((case["id"], case["yaml"].encode(), document))
            if isinstance(document, dict): documents.append(document)
    pick = random.Random(1)
    for number in range(MUTANTS):
        document = mutant(pick.choice(documents), pick)
        inputs.append((f"mutant {number}", json.dumps(document, ensure_ascii=False).encode(), document))
    failed = taken = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, document in inputs:
            if b"\\u0000" in text or b"\0" in text: continue
            found = codes(routec, folder, text)
            if found is not None and found & NOT_YAML: continue
            valid = validator.is_valid(document)
            taken, refused = taken + valid, refused + (not valid)
            wrong = complaint(valid, found)
            if not wrong: continue
            failed += 1
            print(f"{name}: {wrong}\n   {text[:300]!r}")
            print("  ", [e.message[:150] for e in validator.iter_errors(document)][:2])
    print(f"{taken} taken, {refused} refused by the schema; {failed} disagreements")
    return 1 if failed or taken < 100 or refused < 100 else 0

if __name__ == "__main__": sys.exit(main())
