"""What handlers answer, and when they fail: answers_test.py SERVER NAME, see reliability.py."""
import os
import random
import select
import time

from reliability import GET, check, close_all, exchange, figure, get, read_to_end, resting_descriptors, run, server
from server_process import read_response, wait_until


def handler_faults():
    with server() as target:
        connection, rest = target.connect(), b""
        for path, status in (("/throw", 500), ("/throw-odd", 500), ("/bad-header", 500), ("/file/nonexistent", 500), ("/", 200)):
            answer = exchange(connection, get(path), rest)
            rest = answer[3]
            check(answer[0] == status, path, answer)
        connection.sendall(get("/stream-throw"))
        data = read_to_end(connection)
        check(data is not None and b"some" in data and b"0\r\n\r\n" not in data, data)
        old = target.connect()
        old.sendall(b"GET /stream-throw HTTP/1.0\r\n\r\n")
        old.settimeout(5)
        try:
            while old.recv(1000):
                pass
            raise AssertionError("a cut body ended like a whole one")
        except ConnectionResetError:
            pass
    figure("a handler throws: 500 and on; in a stream, cut; CR, LF in a field: refused", "all", True)


def streams():
    with server() as target:
        connection = target.connect()
        connection.sendall(get("/stream/5") + get("/user/9"))
        data = b""
        while not data.endswith(b"\r\n\r\n9"):
            data += connection.recv(65536)
        check(b"Transfer-Encoding: chunked" in data and b"\r\n0\r\n\r\nHTTP/1.1 200 OK" in data, data)
        check(b"".join(data.split(b"\r\n\r\n")[1].split(b"\r\n")[1::2]).startswith(b"5\n4\n3\n2\n1\n"), data)
        old = target.connect()
        old.sendall(b"GET /stream/3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        data = read_to_end(old)
        check(b"Transfer-Encoding" not in data and b"Connection: close" in data and data.endswith(b"\r\n\r\n3\n2\n1\n"), data)
        head = target.connect()
        head.sendall(get("/stream/5").replace(b"GET", b"HEAD"))
        _, fields, _, rest = read_response(head, head=True)
        check(fields["transfer-encoding"] == "chunked" and not rest)
        check(exchange(head, GET)[0] == 200)


def files():
    source = random.Random(2)
    path = f"/tmp/routec-file-{os.getpid()}"
    try:
        with server() as target:
            resting = resting_descriptors(target)
            connection, rest = target.connect(), b""
            for size in (0, 1, 4096, 3_000_000):
                content = source.randbytes(size)
                with open(path, "wb") as file:
                    file.write(content)
                status, fields, body, rest = exchange(connection, get("/file" + path), rest)
                check(status == 200 and body == content and int(fields["content-length"]) == size, size)
            check(wait_until(lambda: target.descriptors() <= resting + 1), "a file stays open")
    finally:
        os.unlink(path)


def metrics():
    with server("--threads", 2) as target:
        for path in ("/", "/user/1", "/user/2", "/nope", "/throw"):
            with target.connect() as connection:
                exchange(connection, get(path))
        text = exchange(target.connect(), get("/metrics"))[2].decode()
        for line in ('routec_requests_total{route="/user/{id}",handler="/user/{id}",code="2xx"} 2',
                     'routec_requests_total{route="/throw",handler="/throw",code="5xx"} 1',
                     'routec_requests_total{route="",handler="",code="4xx"} 1', "routec_connections_total 6"):
            check(line in text.splitlines(), line, text)


def threads():
    """Connections spread over the loops, and a handler that blocks delays only its own."""
    with server("--threads", 4) as target:
        sleeper = target.connect()
        sleeper.sendall(get("/sleep/5000"))
        check(wait_until(target.has_sleeping_thread), "the handler is not called")
        connections = [target.connect() for _ in range(200)]
        for connection in connections:
            connection.sendall(GET)
        ready = lambda: len(select.select(connections, [], [], 0)[0])
        check(wait_until(lambda: ready() >= 100, 4), ready())
        time.sleep(0.3)
        answered = ready()
        if not select.select([sleeper], [], [], 0)[0]:  # the machine was fast enough
            figure("answered while one loop of four is blocked: 100 to 199 of 200", answered, 100 <= answered < 200)
        for connection in connections:
            check(read_response(connection)[0] == 200)
        close_all(connections)


if __name__ == "__main__":
    run(globals())
