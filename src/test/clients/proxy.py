"""A proxy between a client and the service, which counts bytes and can act in the middle of a response."""

import contextlib
import dataclasses
import re
import socket
import threading

HEAD = re.compile(rb"(GET|HEAD|POST|PUT|DELETE|OPTIONS) (\S+) HTTP/1\.1\r\n(.*?)\r\n\r\n", re.DOTALL)
RANGE = re.compile(rb"^range: *(\S+)", re.IGNORECASE | re.MULTILINE)
LAST_EVENT_ID = re.compile(rb"^last-event-id: *(\S+)", re.IGNORECASE | re.MULTILINE)

NGINX = """
user root;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/client;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{recipe}}}
"""
"""The configuration of an nginx that runs in a folder with a part for HTTP."""


@dataclasses.dataclass
class ProxiedRequest:
    """A request that a client has sent."""

    method: str
    path: str
    range: str
    last_event_id: str


class Proxy:
    """Forwards bytes, and the end of either side, between clients and a port.

    `midway` is called once, when a response has exceeded `after_bytes`; later bytes wait until it
    returns. The proxy's buffers are small, so the sender is ahead by no more than its own buffers.
    """

    def __init__(self, port, after_bytes=None, midway=None):
        self.port = port
        self.after_bytes = after_bytes
        self.midway = midway
        self.requests = []
        self.response_bytes = 0
        self.connections = []
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def cut(self):
        """Ends all connections. Later ones are forwarded."""
        with self.lock:
            cut, self.connections = self.connections, []
        for connection in cut:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                service = socket.socket()
                service.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 10)
                try:
                    service.connect(("127.0.0.1", self.port))
                except ConnectionRefusedError:
                    client.close()
                    continue
                with self.lock:
                    self.connections += (client, service)
                for pump in (self._forward_requests, self._forward_responses):
                    threading.Thread(target=pump, args=(client, service), daemon=True).start()

    def _forward_requests(self, client, service):
        received = b""

        def note(part):
            nonlocal received
            received += part
            while head := HEAD.search(received):
                method, path, headers = head.groups()
                values = [name.search(headers) for name in (RANGE, LAST_EVENT_ID)]
                values = [found[1].decode() if found else "" for found in values]
                with self.lock:
                    self.requests.append(ProxiedRequest(method.decode(), path.decode(), *values))
                received = received[head.end() :]

        self._pump(client, service, note)

    def _forward_responses(self, client, service):
        forwarded = 0

        def note(part):
            nonlocal forwarded
            forwarded += len(part)
            with self.lock:
                self.response_bytes += len(part)
                act = None
                if self.midway is not None and forwarded > self.after_bytes:
                    act, self.midway = self.midway, None
            if act is not None:
                act()

        self._pump(service, client, note)

    @staticmethod
    def _pump(source, target, note):
        """Forwards until either side ends, and ends the other side."""
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
