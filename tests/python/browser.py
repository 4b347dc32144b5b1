"""A headless Chromium that does what a person does. It speaks WebDriver (https://www.w3.org/TR/webdriver2/) with chromedriver
and needs nothing but the standard library.
"""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

# The keys of WebDriver.
KEYS = {"Left": "\ue012", "Right": "\ue014", "Up": "\ue013", "Down": "\ue015", "Home": "\ue011", "End": "\ue010", "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Space": " ",
        "PageUp": "\ue00e", "PageDown": "\ue00f", "Backspace": "\ue003"}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Browser:
    """A session of headless Chromium, with a window of this size."""

    def __init__(self, width, height, dark=False, touch=False):
        self.port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.session = None
        arguments = ["--headless=new", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage"]
        # A key that is pressed while another one still scrolls may be lost.
        arguments.append("--disable-smooth-scrolling")
        # Without a GPU, emulating one takes more time than painting.
        arguments.append("--disable-software-rasterizer")
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {
            "args": arguments,
            # The log is read for requests alone, and takes a quarter of the processor's time with all the events of a page.
            "perfLoggingPrefs": {"enableNetwork": True, "enablePage": False},
            "mobileEmulation": {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 1, "touch": touch}},
        }
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        for attempt in range(100):
            try:
                created = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        else:
            raise RuntimeError("chromedriver does not answer")
        self.session = created["sessionId"]
        if dark:
            self.devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def command(self, method, path, body=None):
        return self.call(method, f"/session/{self.session}{path}", body)

    def devtools(self, name, parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, path):
        self.command("POST", "/url", {"url": Path(path).resolve().as_uri()})

    def run(self, script, *arguments):
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        for key in keys:
            value = KEYS.get(key, key)
            actions = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
            self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def pointer(self, kind, *moves):
        """Presses at the first place, moves to the others, and releases."""
        steps = []
        for index, (x, y) in enumerate(moves):
            steps.append({"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)})
            if index == 0:
                steps.append({"type": "pointerDown", "button": 0})
        steps.append({"type": "pointerUp", "button": 0})
        action = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps}
        self.command("POST", "/actions", {"actions": [action]})

    def box(self, selector, index=0):
        script = "const b = document.querySelectorAll(arguments[0])[arguments[1]]; b.scrollIntoView({block: 'center'});" \
            "const r = b.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]"
        return self.run(script, selector, index)

    def check_width(self, what):
        found = self.run("return [document.documentElement.scrollWidth, innerWidth]")
        if found[0] > found[1]:
            raise AssertionError(f"{what}: the page is {found[0]} px wide, expected at most {found[1]} px")

    def log(self, kind):
        return self.command("POST", "/se/log", {"type": kind})

    def close(self):
        try:
            if self.session:
                self.command("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def equal(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r}")
