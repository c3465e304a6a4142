"""Starting, ending, and taking over from each other: life_cycle_test.py SERVER NAME, see reliability.py."""
import os
import random
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


def rolling_restart():
    """Servers take over from each other on one port under load: no request fails."""
    first = start("--reuse-port")
    port, failures, answered, stop = first.port, [], [0], threading.Event()
    clients, pause = sized((3, 0), (50, 0.05))

    def load():
        while not stop.is_set():
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
                    check(exchange(connection, GET)[0] == 200)
                    answered[0] += 1
            except (OSError, AssertionError) as error:
                failures.append(repr(error))
            time.sleep(pause)

    threads = [threading.Thread(target=load) for _ in range(clients)]
    for thread in threads:
        thread.start()
    current, times = first, sized(4, 100)
    for _ in range(times):
        following = start("--reuse-port", "--port", port)
        time.sleep(0.1)
        check(current.stop() == 0)
        current = following
    stop.set()
    for thread in threads:
        thread.join()
    check(current.stop() == 0)
    check(answered[0] > 10 * times, "only", answered[0])
    check(not failures, failures[:3])
    figure("requests failed in rolling restarts: 0", f"0 of {answered[0]} in {times} restarts", True)


def socket_activation():
    """LISTEN_FDS: two servers in turn on a socket that outlives them; what waits in it is served by the second."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    port = listener.getsockname()[1]

    def start():
        def pass_on():
            os.dup2(listener.fileno(), 3)
        wrapper = "import os, sys; os.environ['LISTEN_PID'] = str(os.getpid()); os.execv(sys.argv[1], sys.argv[1:])"
        command = [sys.executable, "-c", wrapper, SERVER, "--threads", "2", "--port", "1"]
        return ServerProcess(command, preexec_fn=pass_on, pass_fds=(3, listener.fileno()), env={"LISTEN_FDS": "1"})

    for _ in range(2):
        target = start()
        check(target.port == port, target.port)
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                check(exchange(connection, GET)[0] == 200)
        check(target.stop() == 0)
        waiting = socket.create_connection(("127.0.0.1", port), timeout=5)
        waiting.sendall(GET)
    target = start()
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
