"""What the scripts that look at the home screen need: a browser (W3C WebDriver), and a daemon with apps in a home of its own."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def eventually(what, look, seconds=30.0):
    """Looks again and again until something is there, and hands it back."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise TimeoutError(f"{what}: not within {seconds} s")


class Browser:
    """Chromium without a window, driven over its driver's HTTP interface."""

    def __init__(self, folder, width=1100, height=760, dark=False, scale=1):
        port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        eventually("the driver answers", self._answers)
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/browser",
            f"--window-size={width},{height}", f"--force-device-scale-factor={scale}"]
        if dark:
            arguments.append("--force-dark-mode")
        options = {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        session = self._send("POST", "/session", {"capabilities": {"alwaysMatch": options}})
        self.base += f"/session/{session['sessionId']}"
        media = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.devtools("Emulation.setEmulatedMedia", {"features": media})
        self.devtools("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 500})

    def _answers(self):
        try:
            return self._send("GET", "/status")["ready"]
        except OSError:
            return False

    def _send(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def go(self, url):
        self._send("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """Runs a function's body in the page and hands back what it returns."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def click(self, selector):
        found = self._send("POST", "/element", {"using": "css selector", "value": selector})
        self._send("POST", f"/element/{found[ELEMENT]}/click")

    def wait(self, what, script, *arguments):
        """Waits until a script returns something."""
        return eventually(what, lambda: self.run(script, *arguments))

    def devtools(self, command, parameters):
        return self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def picture(self, path):
        path.write_bytes(base64.b64decode(self._send("GET", "/screenshot")))

    def complaints(self):
        return self._send("POST", "/se/log", {"type": "browser"})

    def close(self):
        with contextlib.suppress(Exception):
            self._send("DELETE", "")
        self.driver.terminate()
        self.driver.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Stage:
    """A daemon and its home screen in a folder that goes away with them."""

    def __init__(self, programs, **settings):
        self.programs = pathlib.Path(programs)
        self.folder = tempfile.mkdtemp(prefix="nightjar-stage-")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "NIGHTJAR_HOME": f"{self.folder}/home", **settings}
        self.log = open(f"{self.folder}/log", "ab")
        self.daemon = self.start("nightjard")
        eventually("the daemon serves", lambda: os.path.exists(self.socket))
        # The daemon may be made to believe another date; the browser and the page's server are not.
        self.screen = self.start(
            "nightjar", "home", "--no-open", "--json", stdout=subprocess.PIPE, environment={"LD_PRELOAD": ""})
        self.entrance = json.loads(self.screen.stdout.readline())

    @property
    def socket(self):
        return f"{self.folder}/home/run/nightjar.sock"

    def start(self, program, *arguments, stdout=None, environment=None):
        return subprocess.Popen(
            [self.programs / program, *arguments], env={**self.environment, **(environment or {})}, stdin=subprocess.DEVNULL,
            stdout=stdout or self.log, stderr=self.log)

    def nightjar(self, *arguments, may_fail=False):
        """Runs a command and hands back what it prints."""
        command = [self.programs / "nightjar", *arguments]
        done = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0 and not may_fail:
            raise RuntimeError(f"nightjar {arguments}: {done.stderr}")
        return done.stdout

    def install(self, program, name, identifier, icon=None):
        """Installs a program as an app of this name."""
        bundle = pathlib.Path(self.folder) / "bundles" / f"{name}.app"
        bundle.mkdir(parents=True)
        shutil.copy(self.programs / program, bundle / program)
        keys = {"CFBundleIdentifier": identifier, "CFBundleExecutable": program, "CFBundleDisplayName": name}
        if icon:
            shutil.copy(icon, bundle / "icon.png")
            keys["CFBundleIconFile"] = "icon"
        pairs = "".join(f"<key>{key}</key><string>{value}</string>" for key, value in keys.items())
        (bundle / "Info.plist").write_text(f'<plist version="1.0"><dict>{pairs}</dict></plist>')
        self.nightjar("install", str(bundle))

    def close(self):
        """Ends everything; apps that run would outlive their daemon."""
        for app in json.loads(self.nightjar("apps", "--json"))["apps"]:
            if "pid" in app:
                self.nightjar("terminate", app["id"], may_fail=True)
        for process in (self.screen, self.daemon):
            process.terminate()
            process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
