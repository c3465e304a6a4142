"""Builds tests/cmake/consumer as a user would: `consumer_test.py CMAKE BUILD SOURCE GENERATOR WAY`."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

cmake, routec_build, routec_source, generator, way = sys.argv[1:6]


def run(*command, succeeds=True):
    result = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if (result.returncode == 0) != succeeds:
        sys.exit(f"{command} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def check(condition, text, output=""):
    if not condition:
        sys.exit(f"FAILED: {text}\n{output}")
    print(f"ok: {text}")


def touch(path, text):
    time.sleep(1.1)  # some file systems and make look at whole seconds
    with open(path, "a") as file:
        file.write(text)


def snapshot(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.o")}


def prepare(work):
    """The arguments that let the consumer find routec."""
    if way == "subdirectory":
        return [f"-DROUTEC_SOURCE={routec_source}"]
    run(cmake, "--install", routec_build, "--prefix", work / "pre fix")
    return [f"-DCMAKE_PREFIX_PATH={work / 'pre fix'}"]


def plain_compiles_again(build):
    """Whether this build tool, in this folder, compiles anything a second time: Ninja 1.11 does
    where a path has '&', which it takes for a space in the compiler's list of headers."""
    run(cmake, "--build", build, "--target", "plain")
    before = snapshot(build)
    run(cmake, "--build", build, "--target", "plain")
    return snapshot(build) != before


def test_templates(templates, build, build_shop):
    """Templates that change, come and go. One that comes may well be an old file."""
    header, source = build / "shop_router/shop_router.h", build / "shop_router/shop_router.cc"
    touch(templates / "router.h.jinja", "// from a template\n")
    run(*build_shop)
    check("// from a template" in header.read_text(), "a changed template is used")

    added = templates / "router.cc.jinja"
    shutil.copy(pathlib.Path(routec_source, "generator/templates/router.cc.jinja"), added)
    touch(added, "// from a new template\n")
    os.utime(added, (1e9, 1e9))
    run(*build_shop)
    check("// from a new template" in source.read_text(), "a new template is used")
    output = run(*build_shop)
    check("Compiling the routes" not in output, "and only once", output)

    added.unlink()
    run(*build_shop)
    check("// from a new template" not in source.read_text(), "one that is gone is not")


def test(work):
    source, build = work / "source", work / "build"
    shutil.copytree(pathlib.Path(__file__).parent / "consumer", source)
    (source / "templates").mkdir()
    shutil.copy(
        pathlib.Path(routec_source, "generator/templates/router.h.jinja"), source / "templates"
    )
    configure = [cmake, "-S", source, "-B", build, "-G", generator, *prepare(work)]

    output = run(*configure, "-DBAD_ARGUMENT=ON", succeeds=False)
    check("OUTPUTDIR" in output, "an unknown argument is named", output)
    output = run(*configure, "-DBAD_ARGUMENT=OFF", "-DBAD_TEMPLATES=ON", succeeds=False)
    check("nowhere" in output, "a folder of templates that is none is named", output)
    run(*configure, "-DBAD_TEMPLATES=OFF")
    compiles_again = plain_compiles_again(build)
    if compiles_again:
        print("this build tool compiles everything again here, even a program without routec")
    build_shop = [cmake, "--build", build, "--target", "shop", "-j2"]
    run(*build_shop)
    check("/items/{id:uint}" in run(build / "shop"), "the program runs")

    before = snapshot(build)
    output = run(*build_shop)
    check("Compiling the routes" not in output, "a second build runs routec no more", output)
    check(compiles_again or snapshot(build) == before, "a second build compiles nothing")
    before = snapshot(build)

    touch(source / "shop.yaml", "# a comment\n")
    output = run(*build_shop)
    check("Compiling the routes" in output, "a changed manifest runs routec", output)
    unchanged = compiles_again or snapshot(build) == before
    check(unchanged, "but output that did not change compiles nothing")
    before = snapshot(build)
    output = run(*build_shop)
    check("Compiling the routes" not in output, "and only once", output)

    touch(source / "shop.yaml", "  GET /new: fresh\n")
    run(*build_shop)
    check(" fresh(" in (build / "shop_router/shop_router.h").read_text(), "a new route is compiled")
    check(snapshot(build) != before, "and the code with it")

    test_templates(source / "templates", build, build_shop)


os.environ.pop("CMAKE_GENERATOR", None)
with tempfile.TemporaryDirectory(prefix="routec ") as folder:
    for name in ("a b&c", "a b") if generator == "Ninja" else ("a b&c",):
        work = pathlib.Path(folder, name)
        work.mkdir()
        test(work)
