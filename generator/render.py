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


def render(output, model, environment):
    template = environment.get_template(output["template"])
    text = template.render(model, part=model["parts"][output["part"]])
    return {"name": output["name"], "text": text}


def describe(error, template):
    """One line that names the place; a syntax error knows it, others show it in their trace."""
    place = getattr(error, "filename", None) or template, getattr(error, "lineno", None)
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.endswith(".jinja"):
            place = frame.filename, frame.lineno
    where = ":".join(str(part) for part in place if part)
    return f"{where}: {type(error).__name__}: {' '.join(str(error).split())}"


def main():
    model = json.load(sys.stdin.buffer)
    environment = make_environment(sys.argv[1:])
    files = []
    for output in model["outputs"]:
        try:
            files.append(render(output, model, environment))
        except Exception as error:  # a template can raise whatever Python can
            sys.exit(describe(error, output["template"]))
    sys.stdout.write(json.dumps(files))


if __name__ == "__main__":
    main()
