"""Random requests to a server and to reference_server.py, a slow and strict one written apart from it:
differential_test.py SERVER [--count N] [--seed N] [--nginx]. The same number of answers with the same statuses
is expected; two refusals (4xx, 5xx) are alike, and EXPLAINED ones may differ. With --nginx the differences from nginx are
counted, not judged: it is laxer by design."""
import argparse
import collections
import concurrent.futures
import itertools
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from reliability import figure, finish
from server_process import running

EXPLAINED = re.compile(r"\r\nHost:[ \t]*(:\d*)?[ \t]*\r\n|^\S+ https?://:"  # an empty host is refused
                       r"|(\r\nExpect: 100-continue[^\0]*){2}"  # 100-continue twice is a list of it
                       r"|^\S+ \S*[\x80-\xff]")  # octets from 0x80 on in a target are data
HERE = pathlib.Path(__file__).parent
METHODS = ["GET"] * 6 + ["POST"] * 6 + ["HEAD", "OPTIONS", "DELETE", "PUT", "BREW", "get", "G@T", ""]
TARGETS = ["/", "/user/7", "/user", "/echo", "/query?name=x", "/static/a/b", "/static", "/user/%41", "/user/%4", "/user/%00",
           "/static/../a", "/nope", "*", "http://a/user/3", "http://a", "http://u@a/", "user", "//", "/user/a%2Fb", "/?q"]
VERSIONS = ["HTTP/1.1"] * 12 + ["HTTP/1.0", "HTTP/1.0", "HTTP/2.0", "HTTP/1.2", "HTTP/1.10", "http/1.1", "HTTP/1.1 ", ""]
FIELDS = ["X: y"] * 25 + ["Content-Length: 5", "Transfer-Encoding: chunked", "Connection: keep-alive"] * 4 + [
    "Host: b", "Host: a b", "Host: [::1]:80", "X: y", "X : y", "X:", " folded", "X: a\rb", "X: a\nb", "X: \x01", "X: \t y \t",
    ": v", "no colon", "Connection: close", "Connection: keep-alive", "Connection: x, close", "Content-Length: 5",
    "Content-Length: 5", "Content-Length: 0", "Content-Length: 6", "Content-Length: +5", "Content-Length: 5, 5", "Content-Length:",
    "Content-Length: 99999999999", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: identity", "Transfer-Encoding: chunked, chunked", "Expect: 100-continue", "Expect: tea"]
BODIES = ["hello", "", "5\r\nhello\r\n0\r\n\r\n", "0\r\n\r\n", "5;x=y\r\nhello\r\n0\r\nT: v\r\n\r\n", "5\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n",
          "5\r\nhello0\r\n\r\n", "g\r\n", "ffffffffffffffff\r\n"]
ENDS = ["\r\n"] * 60 + ["\n", "\r"]


def request(source):
    line = f"{source.choice(METHODS)} {source.choice(TARGETS)} {source.choice(VERSIONS)}"
    fields = ["Host: a"] * (source.random() < 0.95) + [source.choice(FIELDS) for _ in range(source.randrange(3))]
    text = "".join(part + source.choice(ENDS) for part in [line, *fields]) + "\r\n" + source.choice(BODIES)
    if source.random() < 0.3:  # one octet is changed
        at = source.randrange(len(text))
        text = text[:at] + source.choice("\r\n \t:;,x0%\x00\x7f\xff") + text[at + 1:]
    return text


def ask(port, text):
    """Statuses of the final answers."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        try:
            connection.sendall(text.encode("latin-1"))
            connection.shutdown(socket.SHUT_WR)
            data = b""
            while chunk := connection.recv(65536):
                data += chunk
        except (ConnectionResetError, BrokenPipeError, TimeoutError):
            pass
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) [A-Z]", data) if status != b"100"]


def alike(ours, theirs):
    """Refusals are alike. Where the input ends within a message it may be refused or just closed: an octet that
    cannot be right is refused at once here, and by the reference when its line is complete."""
    for mine, other in itertools.zip_longest(ours, theirs):
        if (mine or 400) >= 400 and (other or 400) >= 400:
            return True
        if mine != other:
            return False
    return True


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing listens on {port}")


def start_nginx(folder, port):
    config = f"""daemon off; master_process off; pid {folder}/pid; error_log stderr crit; events {{}}
http {{ access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s; server {{ listen 127.0.0.1:{port}; location / {{ return 200 x; }} }} }}"""
    pathlib.Path(folder, "nginx.conf").write_text(config)
    return [shutil.which("nginx") or "/usr/sbin/nginx", "-p", folder, "-c", f"{folder}/nginx.conf"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nginx", action="store_true")
    options = parser.parse_args()
    source = random.Random(options.seed)
    texts = [request(source) for _ in range(options.count)]
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, running([options.server]) as target:
        command = start_nginx(folder, port) if options.nginx else [sys.executable, HERE / "reference_server.py", str(port)]
        other = subprocess.Popen(command)
        try:
            wait_for(port)
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                ours = list(pool.map(lambda text: ask(target.port, text), texts))
                theirs = list(pool.map(lambda text: ask(port, text), texts))
        finally:
            other.terminate()
            other.wait()
    differences = [(a, b, text) for a, b, text in zip(ours, theirs, texts) if not alike(a, b) and not EXPLAINED.search(text)]
    measured = f"{len(differences)} of {len(texts)} requests, {sum(bool(a) and a[0] < 400 for a in ours)} served"
    if options.nginx:
        print(measured)
        kinds = collections.Counter((tuple(a[:1]), tuple(b[:1])) for a, b, _ in differences)
        for (mine, other_status), number in kinds.most_common():
            print(f"{number:6} routec {mine} nginx {other_status}")
        return
    for mine, other_statuses, text in differences[:10]:
        print(f"ours {mine} reference {other_statuses}: {text!r}")
    figure("unexplained differences from an independent server: 0", measured, not differences)
    finish()


main()
