"""Starting, ending, and taking over from each other: life_cycle_test.py SERVER NAME, see reliability.py."""
import multiprocessing
import os
import random
import select
import signal
import socket
import subprocess
import sys
import threading
import time

from reliability import GET, SERVER, check, exchange, figure, get, run, server, sized, start
from server_process import ServerProcess, read_response


class Load:
    """Clients that ask until they are told that the connection closes, and newcomers that ask once each."""

    def __init__(self, target, source):
        self.target, self.source = target, source
        self.lost, self.answered, self.ended = [], 0, threading.Event()
        kept, newcomers = sized((24, 3), (64, 5))
        self.pause = newcomers / sized(100, 500)
        self.threads = [threading.Thread(target=self.keep_alive) for _ in range(kept)]
        self.threads += [threading.Thread(target=self.come_anew) for _ in range(newcomers)]
        for thread in self.threads:
            thread.start()

    def keep_alive(self):
        try:
            connection, rest, fields = self.target.connect(timeout=30), b"", {}
            while fields.get("connection") != "close":
                connection.sendall(get("/user/7"))
                status, fields, body, rest = read_response(connection, rest)
                if (status, body) != (200, b"7"):
                    self.lost.append((status, body))
                self.answered += 1
                time.sleep(self.source.random() * 0.02)
        except OSError as error:
            self.lost.append(repr(error))

    def come_anew(self):
        while not self.ended.is_set():
            try:
                connection = self.target.connect(timeout=3)
            except (ConnectionRefusedError, TimeoutError):
                return
            try:
                exchange(connection, GET)
                self.answered += 1
            except OSError as error:
                self.lost.append("new: " + repr(error))
            connection.close()
            time.sleep(self.pause)

    def end(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()


def drain():
    """No request that was sent is lost when the server is told to end under load."""
    answered = longest = 0
    lost, runs = [], sized(6, 100)
    for seed in range(runs):
        source = random.Random(seed)
        target = start()
        load = Load(target, source)
        time.sleep(0.2 + source.random() * 0.2)
        begin = time.monotonic()
        status = target.stop()
        longest = max(longest, time.monotonic() - begin)
        load.end()
        check(status == 0, "status", status)
        answered += load.answered
        lost += load.lost
    check(not lost, lost[:5])
    figure("requests lost in a drain under load: 0", f"0 of {answered} in {runs} runs", True)
    figure("a drain ends within 10.5 s", f"{longest:.2f} s", longest <= 10.5)


def drain_waits_for_newcomers():
    """Who has connected but not asked yet may have done so just before the end: it has a grace of its own (250 ms)."""
    target = start()
    newcomer, known = target.connect(), target.connect()
    rest = exchange(known, GET)[3]
    target.process.send_signal(signal.SIGTERM)
    check(known.recv(1) == b"" and not rest, "after the grace who has had an answer is not waited for")
    check(exchange(newcomer, GET)[1]["connection"] == "close")
    check(target.process.wait(5) == 0)
    target.stop()


def drain_is_bounded():
    """A handler that never returns and a client that does not read don't hold the end up; nor does one signal more."""
    allowed, limit, options = sized((1, 6, ["--drain-timeout", "1000"]), (10, 10.5, []))
    target = start("--threads", 2, *options)
    reader = target.connect(receive_buffer=1024)
    reader.sendall(get("/stream-endless"))
    sleeper = target.connect()
    sleeper.sendall(get("/sleep/60000"))
    time.sleep(0.3)
    begin = time.monotonic()
    check(target.stop(timeout=20) == 0)
    took = time.monotonic() - begin
    figure(f"the end with a stuck handler and a slow reader within {limit} s", f"{took:.2f} s", allowed * 0.95 <= took < limit)

    target = start()
    reader = target.connect(receive_buffer=1024)
    reader.sendall(get("/stream-endless"))
    time.sleep(0.2)
    target.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    begin = time.monotonic()
    check(target.stop() == 0)
    took, limit = time.monotonic() - begin, sized(5, 0.1)
    figure(f"the end after a second signal within {limit} s", f"{took * 1e3:.0f} ms", took < limit)


class Newcomers:
    """A process that connects at a constant rate, whether or not there are answers yet, to ask once each."""
    PATIENCE = 30  # seconds

    def __init__(self, port, rate):
        self.address, self.pause = ("127.0.0.1", port), 1 / rate
        self.times, self.failures = [], []
        self.poller, self.asking = select.epoll(), {}
        self.stop = multiprocessing.Event()
        self.results, there = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=self.run, args=(there,), daemon=True)
        self.process.start()

    def end(self):
        """Seconds from each planned time to the answer, what failed, and seconds of the whole."""
        self.stop.set()
        check(self.results.poll(2 * self.PATIENCE), "the clients hang")
        return self.results.recv()

    def run(self, results):
        begin = planned = time.monotonic()
        while not self.stop.is_set():
            while (left := planned - time.monotonic()) > 0:
                self.wait(left)
            self.connect(planned)
            planned += self.pause
        took = time.monotonic() - begin
        end = time.monotonic() + self.PATIENCE
        while self.asking and time.monotonic() < end:
            self.wait(1)
        self.failures += ["no answer"] * len(self.asking)
        results.send((self.times, self.failures, took))

    def connect(self, planned):
        connection = socket.socket()
        connection.setblocking(False)
        self.asking[connection.fileno()] = (connection, planned)
        connection.connect_ex(self.address)
        self.poller.register(connection, select.EPOLLOUT)

    def wait(self, timeout):
        for fd, events in self.poller.poll(timeout):
            connection, planned = self.asking[fd]
            try:
                if events & select.EPOLLOUT:
                    connection.sendall(GET)
                    self.poller.modify(fd, select.EPOLLIN)
                    continue
                answer = connection.recv(4096)
                check(answer.startswith(b"HTTP/1.1 200 ") and answer.endswith(b"hello"), answer)
                self.times.append(time.monotonic() - planned)
            except (OSError, AssertionError) as error:
                self.failures.append(repr(error))
            connection.close()
            del self.asking[fd]


def start_on(listener, *options):
    """A server on a socket that it is passed, as by a service manager."""
    def pass_on():
        os.dup2(listener.fileno(), 3)
    wrapper = "import os, sys; os.environ['LISTEN_PID'] = str(os.getpid()); os.execv(sys.argv[1], sys.argv[1:])"
    command = [sys.executable, "-c", wrapper, SERVER, *options, "--port", "1"]
    return ServerProcess(command, preexec_fn=pass_on, pass_fds=(3, listener.fileno()), env={"LISTEN_FDS": "1"})


def roll(how, port, start_next):
    """Servers take over from each other under load: no request fails."""
    rate, times = sized((100, 4), (1000, 100))
    current, clients = start_next(), Newcomers(port, rate)
    for _ in range(times):
        following = start_next()
        time.sleep(0.1)
        check(current.stop() == 0)
        current = following
    answered, failures, took = clients.end()
    check(current.stop() == 0)
    check(not failures, len(failures), "failed:", failures[:3])
    held, p99 = len(answered) / took, sorted(answered)[int(len(answered) * 0.99)]
    figure(f"requests failed in {times} rolling restarts by {how}: 0", f"0 of {len(answered)}, {held:.0f}/s, p99 {p99 * 1e3:.0f} ms",
           held > 0.95 * rate)


def rolling_restart():
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:
        roll("a passed socket", listener.getsockname()[1], lambda: start_on(listener))
    with socket.socket() as kept:  # so that the port is known before
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        kept.bind(("127.0.0.1", 0))
        port = kept.getsockname()[1]
        roll("SO_REUSEPORT", port, lambda: start("--reuse-port", "--port", port))


def socket_activation():
    """LISTEN_FDS: two servers in turn on a socket that outlives them; what waits in it is served by the second."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    port = listener.getsockname()[1]
    for _ in range(2):
        target = start_on(listener, "--threads", "2")
        check(target.port == port, target.port)
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                check(exchange(connection, GET)[0] == 200)
        check(target.stop() == 0)
        waiting = socket.create_connection(("127.0.0.1", port), timeout=5)
        waiting.sendall(GET)
    target = start_on(listener)
    check(read_response(waiting)[0] == 200)
    check(target.stop() == 0)


def restart():
    """The port is free at once after a crash; what can't be listened on is told in one line, at once."""
    first = start()
    port = first.port
    exchange(first.connect(), GET)
    first.stop(signal.SIGKILL)
    longest, limit = 0, sized(4, 0.1)
    with server("--port", port) as target:
        check(exchange(target.connect(), GET)[0] == 200)
        for arguments in (["--port", str(port)], ["--host", "203.0.113.1", "--port", "0"], ["--host", "nowhere", "--port", "0"],
                          ["--port", "70000"], ["--no-such"], ["--port"]):
            begin = time.monotonic()
            run = subprocess.run([SERVER, *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, timeout=5)
            longest = max(longest, time.monotonic() - begin)
            check(run.returncode in (1, 2) and run.stderr.count("\n") == 1 and not run.stdout, arguments, run)
    figure(f"bound again after SIGKILL; what can't be bound is told in one line within {limit * 1e3:.0f} ms", f"{longest * 1e3:.0f} ms",
           longest < limit)


if __name__ == "__main__":
    run(globals())
