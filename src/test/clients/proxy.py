"""What lies between a client and the service: it counts what passes, and may act midway."""

import contextlib
import dataclasses
import re
import socket
import threading

HEAD = re.compile(rb"(GET|HEAD|POST|PUT|DELETE|OPTIONS) (\S+) HTTP/1\.1\r\n(.*?)\r\n\r\n", re.DOTALL)
RANGE = re.compile(rb"^range: *(\S+)", re.IGNORECASE | re.MULTILINE)


@dataclasses.dataclass
class Passed:
    """A request as it was sent."""

    method: str
    path: str
    range: str


class Proxy:
    """Passes bytes between clients and a port as they come, and the end of either side.

    `midway` is called once, when an answer on some connection has got further than `after_bytes`;
    what comes behind waits for its return. Its buffers are small, so that the sender is not
    further than its own ones allow.
    """

    def __init__(self, port, after_bytes=None, midway=None):
        self.port = port
        self.after_bytes = after_bytes
        self.midway = midway
        self.requests = []
        self.answered_bytes = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                service = socket.socket()
                service.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 10)
                service.connect(("127.0.0.1", self.port))
                for pump in (self._ask, self._answer):
                    threading.Thread(target=pump, args=(client, service), daemon=True).start()

    def _ask(self, client, service):
        asked = b""

        def note(part):
            nonlocal asked
            asked += part
            while head := HEAD.search(asked):
                method, path, headers = head.groups()
                found = RANGE.search(headers)
                range_ = found[1].decode() if found else ""
                with self.lock:
                    self.requests.append(Passed(method.decode(), path.decode(), range_))
                asked = asked[head.end() :]

        self._pump(client, service, note)

    def _answer(self, client, service):
        answered = 0

        def note(part):
            nonlocal answered
            answered += len(part)
            with self.lock:
                self.answered_bytes += len(part)
                act = None
                if self.midway is not None and answered > self.after_bytes:
                    act, self.midway = self.midway, None
            if act is not None:
                act()

        self._pump(service, client, note)

    @staticmethod
    def _pump(source, target, note):
        """Until `source` ends, of which `target` learns; or `target` is gone, of which `source` does."""
        with contextlib.suppress(OSError):
            while part := source.recv(64 << 10):
                note(part)
                try:
                    target.sendall(part)
                except OSError:
                    source.shutdown(socket.SHUT_RDWR)
                    raise
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
