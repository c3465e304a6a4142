"""Starts a server under test on a free port and ends it; what the tests in this folder share."""
import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import time


class ServerProcess:
    def __init__(self, command, env=None, **options):
        self.process = subprocess.Popen([*command, "--port", "0"] if "--port" not in command else command,
                                        stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **(env or {})}, **options)
        line = self.process.stdout.readline()
        match = re.fullmatch(r"listening on http://(.*):(\d+)\n", line)
        if not match:
            self.process.kill()
            raise RuntimeError(f"unexpected first line: {line!r}")
        self.host, self.port = match[1].strip("[]"), int(match[2])

    @property
    def pid(self):
        return self.process.pid

    def connect(self, timeout=10.0, receive_buffer=None):
        connection = socket.socket(socket.AF_INET)
        connection.settimeout(timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.connect((self.host, self.port))
        return connection

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def private_kib(self):
        """Memory that is only this process's: what a connection costs, shared libraries left out."""
        return self.memory_kib("Private_Clean:", "Private_Dirty:")

    def resident_kib(self):
        return self.memory_kib("Rss:")

    def memory_kib(self, *kinds):
        with open(f"/proc/{self.pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith(kinds))

    def cpu_seconds(self):
        return sum(int(schedstat.split()[0]) for schedstat in self.of_threads("schedstat")) / 1e9

    def of_threads(self, name):
        """That file of the kernel about each thread."""
        return [pathlib.Path(task, name).read_text() for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir()]

    def is_stopped(self):
        """Whether all threads stand still after a SIGSTOP."""
        return all(stat.rsplit(")", 1)[1].split()[0] == "T" for stat in self.of_threads("stat"))

    def has_sleeping_thread(self):
        return any("nanosleep" in place for place in self.of_threads("wchan"))

    def stop(self, how=signal.SIGTERM, timeout=12.0):
        """The exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(timeout)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()


@contextlib.contextmanager
def running(command, **options):
    server = ServerProcess(command, **options)
    try:
        yield server
        assert server.process.poll() is None, f"the server died: {server.process.returncode}"
    finally:
        status = server.stop()
    assert status == 0, f"exit status {status}"


def read_response(connection, buffer=b"", head=False):
    """(status, fields, body, rest) of one response; ConnectionError if it is cut."""
    while b"\r\n\r\n" not in buffer:
        data = connection.recv(65536)
        if not data:
            raise ConnectionError(f"end within a head: {buffer[:80]!r}")
        buffer += data
    top, buffer = buffer.split(b"\r\n\r\n", 1)
    lines = top.decode("latin-1").split("\r\n")
    status = int(lines[0].split(" ")[1])
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if head or status in (204, 304) or status < 200:
        return status, fields, b"", buffer
    if "content-length" not in fields:
        raise ValueError(f"no Content-Length: {fields}")
    length = int(fields["content-length"])
    while len(buffer) < length:
        data = connection.recv(1 << 20)
        if not data:
            raise ConnectionError("end within a body")
        buffer += data
    return status, fields, buffer[:length], buffer[length:]


def wait_until(condition, timeout=5.0, step=0.02):
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(step)
    return condition()
