"""Renders templates: the model as JSON on standard input, the files as JSON on standard output.

The arguments are the folders of templates, the first one that has a template wins.
"""

import json
import sys
import traceback

NO_JINJA2 = 3  # exit status, known to render.cc

try:
    import jinja2
except ImportError as error:
    print(f"{sys.executable} cannot import jinja2: {error}", file=sys.stderr)
    sys.exit(NO_JINJA2)


def make_environment(folders):
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def render(model, environment):
    for output in model["outputs"]:
        template = environment.get_template(output["template"])
        yield {
            "name": output["name"],
            "text": template.render(model, part=model["parts"][output["part"]]),
        }


def describe(error):
    """Names the line of the template; a syntax error knows it, others show it in their trace."""
    place = getattr(error, "filename", None), getattr(error, "lineno", None)
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.endswith(".jinja"):
            place = frame.filename, frame.lineno
    where = f"{place[0]}:{place[1]}: " if place[0] else ""
    return f"{where}{type(error).__name__}: {error}"


def main():
    model = json.load(sys.stdin.buffer)
    try:
        files = list(render(model, make_environment(sys.argv[1:])))
    except (jinja2.TemplateError, TypeError, ValueError, LookupError, UnicodeError) as error:
        sys.exit(describe(error))
    sys.stdout.write(json.dumps(files))


if __name__ == "__main__":
    main()
