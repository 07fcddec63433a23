# SPDX-License-Identifier: GPL-3.0-or-later
"""From a port of the machine's loopback into the network of a node."""

import socket
import threading
import time


def free_listener():
    """A socket on a free port of the loopback that does not listen yet. It keeps the port also while it does not listen."""
    while True:
        with socket.socket() as search:
            search.bind(("127.0.0.1", 0))
            port = search.getsockname()[1]
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # It listens again beside connections from before.
        try:
            listener.bind(("127.0.0.1", port))  # Not 0: only a port that was asked for is kept.
            return listener
        except OSError:
            listener.close()


class Relay(threading.Thread):
    """From a socket of the machine's network to a server in the node's, where this process is."""

    def __init__(self, listener, target):
        super().__init__(daemon=True)
        self.listener, self.target = listener, target
        self.is_open = threading.Event()
        self.is_flowing = threading.Event()
        self.is_flowing.set()
        self.ends = set()
        self.start()

    def open(self):
        self.listener.listen(128)
        self.is_open.set()

    def refuse(self):
        """From now on connections are refused, as by a machine without a server."""
        self.is_open.clear()
        self.shut(self.listener)

    def cut(self):
        """Ends the connections that there are."""
        for end in list(self.ends):
            self.shut(end)

    @staticmethod
    def shut(end):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # It has ended already.

    def run(self):
        while True:
            self.is_open.wait()
            try:
                client, _ = self.listener.accept()
            except OSError:
                time.sleep(0.01)
                continue
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client:
            try:
                server = socket.create_connection(self.target)
            except OSError:
                return
            with server:
                both = (client, server)
                self.ends.update(both)
                for end in both:
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                back = threading.Thread(target=self.pump, args=(server, client), daemon=True)
                back.start()
                self.pump(client, server)
                back.join()
                self.ends.difference_update(both)

    def pump(self, source, target):
        try:
            while data := source.recv(65536):
                self.is_flowing.wait()
                target.sendall(data)
            self.is_flowing.wait()
            target.shutdown(socket.SHUT_WR)
        except OSError:
            self.shut(source)
            self.shut(target)
