#!/usr/bin/env python3
"""Makes the figures of apps' lives: launched, frozen, thawed, many at a time. Called by Benchmarks/measure.

Times are from outside: from what is asked or observed here to what the app has written down, both on CLOCK_MONOTONIC. So
they contain the socket, the commit and the scheduler, and are upper bounds of what they are named after.
"""
import json
import os
import plistlib
import socket
import sys
import threading
import time

HOME = os.environ["NIGHTJAR_HOME"]


def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class Daemon:
    """One connection to the daemon."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(HOME + "/run/nightjar.sock")

    def send(self, method, **parameters):
        message = {"method": "dev.nightjar.Control." + method, "parameters": parameters}
        self.socket.sendall(json.dumps(message).encode() + b"\0")

    def receive(self):
        data = b""
        while not data.endswith(b"\0"):
            piece = self.socket.recv(1 << 16)
            assert piece, "the daemon hung up"
            data += piece
        reply = json.loads(data[:-1])
        assert "error" not in reply, reply
        return reply.get("parameters", {})

    def call(self, method, **parameters):
        self.send(method, **parameters)
        return self.receive()

    def app(self, name):
        return next(app for app in self.call("ListApps")["apps"] if app["id"] == name)

    def wait_for(self, name, state):
        while self.app(name)["state"] != state:
            time.sleep(0.002)


class App:
    """An installed app, which is the bench's program under some name."""

    def __init__(self, daemon, program, number=0):
        self.daemon, self.name = daemon, f"dev.nightjar.life{number}"
        bundle = f"{HOME}/../bundles/{self.name}.app"
        os.makedirs(bundle, exist_ok=True)
        with open(bundle + "/Info.plist", "wb") as file:
            plistlib.dump({"CFBundleIdentifier": self.name, "CFBundleExecutable": "run"}, file)
        # The program itself is not copied into each bundle.
        with open(bundle + "/run", "w") as file:
            file.write(f'#!/bin/sh\nexec {program} "$@"\n')
        os.chmod(bundle + "/run", 0o755)
        daemon.call("Install", path=os.path.abspath(bundle))
        self.log = f"{HOME}/data/containers/{self.name}/Documents/life.log"

    def launch(self, *arguments):
        return self.daemon.call("Launch", app=self.name, arguments=list(arguments))["pid"]

    def calls(self):
        try:
            with open(self.log) as file:
                return [(int(at), call) for at, call in (line.split() for line in file)]
        except FileNotFoundError:
            return []

    def wait_for(self, call, after):
        """When the app heard a call, after a moment."""
        while True:
            for at, heard in self.calls():
                if heard == call and at > after:
                    return at
            time.sleep(0.0005)

    def frozen_file(self):
        with open(f"{HOME}/state/running/{self.name}") as file:
            return next(line.split(" ", 1)[1].strip() for line in file if line.startswith("leaf ")) + "/cgroup.events"


class Server:
    """Answers each request when it is told to."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.asked = threading.Semaphore(0)
        self.go = threading.Semaphore(0)
        self.sent = threading.Semaphore(0)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            while data := client.recv(1 << 16):
                assert data.endswith(b"\r\n\r\n")
                self.asked.release()
                self.go.acquire()
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
                self.sent_at = now()
                self.sent.release()
                break
            client.close()

    def release(self):
        self.go.release()
        self.sent.acquire()
        return self.sent_at


def shown(name, times):
    times = sorted(times)
    figures = [f"p{p} {times[min(len(times) - 1, len(times) * p // 100)] / 1e6:.2f} ms" for p in (50, 90, 99)]
    print(f"{name}, {len(times)} times: {', '.join(figures)}", flush=True)


def spin_until(path, line):
    """When a cgroup says something, seen by looking without a pause."""
    file = os.open(path, os.O_RDONLY)
    while line not in os.pread(file, 4096, 0):
        pass
    at = now()
    os.close(file)
    return at


def thaw(daemon, program, count):
    """A person brings a suspended app forward."""
    app = App(daemon, program)
    start = now()
    app.launch()
    app.wait_for("didBecomeActive", start)
    from_call, from_thaw = [], []
    for _ in range(count):
        daemon.call("Leave")
        daemon.wait_for(app.name, "suspended")
        events = app.frozen_file()
        asked = now()
        daemon.send("Launch", app=app.name, arguments=[])
        thawed = spin_until(events, b"frozen 0")
        daemon.receive()
        heard = app.wait_for("willEnterForeground", asked)
        from_call.append(heard - asked)
        from_thaw.append(max(heard - thawed, 0))
        app.wait_for("didBecomeActive", asked)
    shown("thaw to first delegate call", from_thaw)
    shown("from the call of Launch to it, commit included", from_call)
    daemon.call("Terminate", app=app.name)
    daemon.wait_for(app.name, "notRunning")


def freeze_again(events):
    """Thaws a suspended app behind the daemon's back, and freezes it as the daemon does: write, and look until it is so."""
    control = os.open(events.replace("cgroup.events", "cgroup.freeze"), os.O_WRONLY)
    os.write(control, b"0")
    spin_until(events, b"frozen 0")
    time.sleep(0.002)
    start = now()
    os.write(control, b"1")
    frozen = spin_until(events, b"frozen 1")
    os.close(control)
    return frozen - start


def freeze(daemon, program, count):
    """An app with twenty children has returned from didEnterBackground."""
    app = App(daemon, program)
    start = now()
    app.launch("children", "20")
    app.wait_for("didBecomeActive", start)
    events = app.frozen_file()
    times, kernel = [], []
    for _ in range(count):
        left = now()
        daemon.send("Leave")
        frozen = spin_until(events, b"frozen 1")
        daemon.receive()
        times.append(frozen - app.wait_for("didEnterBackground", left))
        daemon.wait_for(app.name, "suspended")
        kernel.append(freeze_again(events))
        again = now()
        app.launch()
        app.wait_for("didBecomeActive", again)
    shown("from the delegate's return to 21 processes frozen", times)
    shown("the kernel's part of it", kernel)
    daemon.call("Terminate", app=app.name)
    daemon.wait_for(app.name, "notRunning")


def cold(daemon, program, bare, count):
    """The last byte of a download is there, and its app is not."""
    app, server = App(daemon, program), Server()
    launches, bares = [], []
    for number in range(count):
        app.launch("queue", f"http://127.0.0.1:{server.port}/{number}")
        server.asked.acquire()
        daemon.call("Terminate", app=app.name)
        daemon.wait_for(app.name, "notRunning")
        sent = server.release()
        launches.append(app.wait_for("didFinishLaunching", sent) - sent)
        app.wait_for("didFinishDownloadingTo", sent)
        daemon.wait_for(app.name, "suspended")
        daemon.call("Terminate", app=app.name)
        daemon.wait_for(app.name, "notRunning")
        start = now()
        to_nowhere = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
        os.waitpid(os.posix_spawn(bare, [bare], os.environ, file_actions=to_nowhere), 0)
        bares.append(now() - start)
    shown("from the last byte to didFinishLaunching in the background", launches)
    shown("a bare Swift program, started and ended", bares)


def crowd(daemon, program, installed, suspended):
    """Many apps, some of them suspended."""
    apps = [App(daemon, program, number) for number in range(1, installed + 1)]
    for app in apps[:suspended]:
        start = now()
        app.launch()
        app.wait_for("didBecomeActive", start)
    daemon.call("Leave")
    for app in apps[:suspended]:
        daemon.wait_for(app.name, "suspended")
    print(f"{installed} apps are installed, {suspended} of them suspended", flush=True)


def main():
    program, bare, figure, count = sys.argv[1:5]
    daemon = Daemon()
    if figure == "thaw":
        thaw(daemon, program, int(count))
    elif figure == "freeze":
        freeze(daemon, program, int(count))
    elif figure == "cold":
        cold(daemon, program, bare, int(count))
    else:
        crowd(daemon, program, 4 * int(count), int(count))


main()
