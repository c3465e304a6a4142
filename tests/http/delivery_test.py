"""That requests and answers come through whole and in order, however they are cut: delivery_test.py SERVER NAME SHIM, see
reliability.py."""
import concurrent.futures
import contextlib
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from reliability import check, exchange, faults, figure, get, post, read_to_end, run, server, sized, start, with_faults
from server_process import read_response

HERE = pathlib.Path(__file__).parent
DATE = re.compile(rb"Date: [^\r]*\r\n")


def tiny_io():
    """Reads and writes of one octet, with EAGAIN and EINTR between: the answers to the cases are the same. Those with a flood
    of octets are left out: at one a read they outlast the runner's patience."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as cases, with_faults("io") as target:
        cases.writelines(line for line in open(HERE / "http.jsonl") if len(line) < 15_000)
        cases.flush()
        run = subprocess.run([sys.executable, HERE / "run_http.py", target.host, str(target.port), cases.name, "--jobs", "8"],
                             stdout=subprocess.PIPE, text=True)
    print(run.stdout, end="")
    check(run.returncode == 0)
    figure("cases answered alike with I/O of single octets: all", run.stdout.splitlines()[-1], True)


def tiny_bodies():
    source, count = random.Random(3), sized(60, 2000)
    with with_faults("io") as target:
        connection, rest = target.connect(), b""
        for i in range(count):
            body = source.randbytes(source.choice([0, 1, 100, 5000, 20_000]))
            _, _, echoed, rest = exchange(connection, post("/echo", body), rest)
            check(echoed == body, i, len(body))
    figure("bodies to 20 KB by single octets, exact: all", f"{count} of {count}", True)


def bodies():
    source, count = random.Random(5), sized(300, 100_000)
    with server() as target:
        connection, rest = target.connect(timeout=30), b""
        for i in range(count):
            body = source.randbytes(source.randrange(1 << source.randrange(1, 21)))
            if i % 2:
                cuts = sorted(source.randrange(len(body) + 1) for _ in range(5))
                parts = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)]) if a != b]
                request = b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(
                    b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
            else:
                request = post("/echo", body)
            sender = threading.Thread(target=connection.sendall, args=(request,))
            sender.start()
            status, _, echoed, rest = read_response(connection, rest)
            sender.join()
            check(status == 200 and echoed == body, i, status, len(body))
    figure("bodies to 1 MiB, by length and chunked, exact: all", f"{count} of {count}", True)


def upload_refused(target, octets, seconds=0.0, path="/echo"):
    """Sends so much of a body that is too large, spread over that time, then reads. Whether the refusal could be read."""
    with target.connect(timeout=30) as connection, contextlib.suppress(OSError):
        end, pieces = time.monotonic() + seconds, octets >> 16
        with contextlib.suppress(OSError):
            connection.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 52428800\r\n\r\n".encode())
            for _ in range(pieces):
                connection.sendall(b"x" * 65536)
                time.sleep(seconds / pieces)
                if seconds and time.monotonic() > end:
                    break
        status, fields, body, _ = read_response(connection)
        return status == 413 and fields["connection"] == "close" and body == b"Content Too Large\n"
    return False


def judge_refused_uploads(target, where=""):
    """The refusal is read although the client sends on for a while."""
    short, long, seconds = sized((300, 20, 0.3), (1000, 1000, 2))
    octets = sized(4 << 20, 50 << 20)
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        read = sum(pool.map(lambda _: upload_refused(target, 192 << 10), range(short)))
        figure(f"413 read{where} when the client stops within 256 KiB: 100 %", f"{read} of {short}", read == short)
        read = sum(pool.map(lambda _: upload_refused(target, octets, seconds), range(long)))
        figure(f"413 read{where} when it sends on for {seconds} s: >= 99 %", f"{read} of {long}", read >= 0.99 * long)


def refused_upload():
    with server() as target:
        judge_refused_uploads(target)
        limited = sum(upload_refused(target, 0, path="/small") for _ in range(20))
        check(limited == 20, "by the route's limit", limited)


def half_close():
    count = sized(1000, 10_000)
    with server() as target:
        for i in range(count):
            connection = target.connect()
            connection.sendall(get("/octets/100000" if i % 10 == 0 else "/"))
            connection.shutdown(socket.SHUT_WR)
            status, _, body, rest = read_response(connection)
            check(status == 200 and len(body) in (5, 100000))
            check(read_to_end(connection) == b"" and not rest)
            connection.close()
    figure("full answer after a half-close: 100 %", f"{count} of {count}", True)


def pipelined_round(source):
    """1000 requests, and what must come back, Date left out."""
    def answer(status, body, kind=b"application/octet-stream"):
        return b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind, len(body), body)

    requests, answers, text = [], [], b"text/plain; charset=utf-8"
    for i in range(1000):
        kind = source.randrange(5)
        if kind == 0:
            body = source.randbytes(source.randrange(300))
            requests.append(post("/echo", body))
            answers.append(answer(b"200 OK", body))
        elif kind == 1:
            body = b"x" * source.randrange(3000)
            requests.append(get(f"/octets/{len(body)}"))
            answers.append(answer(b"200 OK", body))
        elif kind == 2:
            requests.append(get(f"/nope/{i}"))
            answers.append(answer(b"404 Not Found", b"Not Found\n", text))
        else:
            requests.append(get(f"/user/{i}"))
            answers.append(answer(b"200 OK", str(i).encode(), text))
    return b"".join(requests), b"".join(answers)


def pipelining():
    source, rounds = random.Random(11), sized(10, 10_000)
    date = len(b"Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n")
    with server() as target:
        connection = target.connect(timeout=30)
        for i in range(rounds):
            requests, answers = pipelined_round(source)
            sender = threading.Thread(target=connection.sendall, args=(requests,))
            sender.start()
            received, size = [], len(answers) + 1000 * date
            while size > 0:
                received.append(connection.recv(1 << 20))
                check(received[-1], "cut in round", i)
                size -= len(received[-1])
            sender.join()
            check(DATE.sub(b"", b"".join(received)) == answers, "round", i)
    figure("1000 requests deep, random ones: all in order, exact", f"{rounds} of {rounds} rounds", True)


def few_writes():
    """Answers of a batch go out together. The shim counts."""
    rounds, depth = 100, 64
    target = start(stderr=subprocess.PIPE, env=faults("count"))
    connection, rest = target.connect(), b""
    for i in range(rounds):
        connection.sendall(b"".join(get(f"/user/{i}") for _ in range(depth)))
        for _ in range(depth):
            status, _, body, rest = read_response(connection, rest)
            check(status == 200 and body == str(i).encode())
    connection.close()
    check(target.stop(signal.SIGTERM) == 0)
    writes = int(target.process.stderr.read().split("writes ")[1])
    target.process.stderr.close()
    figure("writes for 16 small pipelined answers <= 1", f"{writes * 16 / (rounds * depth):.2f}", writes * 16 <= rounds * depth)


if __name__ == "__main__":
    run(globals())
