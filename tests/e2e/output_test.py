"""What `routec MANIFEST -o DIR` writes: stable, laid out as clang-format would, all or nothing."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

routec, source, python, clang_format = sys.argv[1:5]
shop = pathlib.Path(source, "tests/e2e/shop.yaml")
failures = 0
SKIPPED = 77  # known to CMakeLists.txt


def check(name, passed, detail=""):
    global failures
    failures += not passed
    print(f"{'ok' if passed else 'FAILED'}: {name} {'' if passed else detail}")


def run(*arguments, cwd=None, **environment):
    default = [] if "--python" in arguments else ["--python", python]
    command = [routec, *default, "-Wno-overlap", *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True
    )


def contents(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def shuffled(text, seed):
    """The same manifest with its routes in another order."""
    head, routes = text.split("routes:\n")
    blocks = []
    for line in routes.splitlines(keepends=True):
        if line.startswith("    "):
            blocks[-1] += line
        else:
            blocks.append(line)
    random.Random(seed).shuffle(blocks)
    return head + "routes:\n" + "".join(blocks)


def test_layout(work):
    for parts in (1, 3):
        folder = work / f"parts {parts}"
        check(f"compiles, {parts} parts", run(shop, "-o", folder, "--parts", parts).returncode == 0)
        for path in sorted(folder.glob("*_router*.[hc]*")):
            formatted = subprocess.run(
                [clang_format, f"--style=file:{source}/.clang-format", path], capture_output=True
            ).stdout
            check(f"clang-format keeps {parts}/{path.name}", formatted == path.read_bytes())
    run("stub", shop, "-o", work / "stub")
    for path in sorted((work / "stub").iterdir()):
        formatted = subprocess.run(
            [clang_format, f"--style=file:{source}/.clang-format", path], capture_output=True
        ).stdout
        check(f"clang-format keeps stub/{path.name}", formatted == path.read_bytes())


def test_stable(work):
    folder = work / "first"
    run(shop, "-o", folder)
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    run(shop, "-o", folder)
    after = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    check("a second run writes nothing", before == after)
    for seed in range(5):
        elsewhere = work / f"elsewhere {seed}"
        elsewhere.mkdir()
        (elsewhere / "shop.yaml").write_text(shuffled(shop.read_text(), seed))
        result = run(
            "shop.yaml", "-o", "out", cwd=elsewhere, LC_ALL="de_DE.UTF-8", TZ="Asia/Tokyo",
            PYTHONHASHSEED=str(seed + 1),
        )
        same = result.returncode == 0 and contents(elsewhere / "out") == contents(folder)
        check(f"order, folder, locale do not matter, {seed}", same, result.stderr)


def test_nothing_is_written(work):
    broken = work / "broken.yaml"
    broken.write_text("routec: 1\nroutes:\n  GET /a: x\n  GET /a: y\n")
    result = run(broken, "-o", work / "none")
    check("errors: exit 1, no output", result.returncode == 1 and not (work / "none").exists())
    for option in ("--gperf", "--python"):
        result = run(shop, "-o", work / "none", option, "/nowhere/program")
        package = {"--gperf": "gperf", "--python": "python3-jinja2"}[option]
        good = result.returncode == 3 and f"apt install {package}" in result.stderr
        check(f"without {option}: exit 3, names the package", good, result.stderr)
        check(f"without {option}: no output", not (work / "none").exists())


def test_standard_output(work):
    warned = work / "warned.yaml"
    warned.write_text("routec: 1\nroutes:\n  GTE /a: x\n")
    for command in (["routes", warned, "--format", "json"], ["explain", warned, "GTE", "/a", "--json"],
                    [warned, "--print-model"]):
        result = run(*command, "--diagnostics", "json")
        json.loads(result.stdout)
        codes = [d["code"] for d in json.loads(result.stderr)["diagnostics"]]
        check(f"two documents, two streams: {command[0]}", codes == ["method-typo"], result.stderr)
    for command in (["routes", shop], ["check", shop, "--diagnostics", "json"], ["--help"], ["--version"]):
        with open("/dev/full", "w") as full:
            result = subprocess.run([routec, *command], stdout=full, stderr=subprocess.PIPE, text=True)
        good = result.returncode == 3 and "standard output: No space left" in result.stderr
        check(f"a full disk is reported: {command[0]}", good, result.stderr)


def test_model():
    model = json.loads(run(shop, "--print-model").stdout)
    try:
        import jsonschema
    except ImportError:
        print("skipped: no jsonschema")
        return SKIPPED
    schema = json.loads(pathlib.Path(source, "schemas/render_model.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = list(jsonschema.Draft202012Validator(schema).iter_errors(model))
    check("the model fits its schema", not errors, "; ".join(e.message[:200] for e in errors[:5]))
    return 0


with tempfile.TemporaryDirectory(prefix="routec output ") as folder:
    test_layout(pathlib.Path(folder))
    test_stable(pathlib.Path(folder))
    test_nothing_is_written(pathlib.Path(folder))
    test_standard_output(pathlib.Path(folder))
    skipped = test_model()
print(f"{failures} failed")
sys.exit(1 if failures else skipped)
