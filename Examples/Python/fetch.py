#!/usr/bin/env python3
"""Downloads a file with Nightjar: fetch.py URL TARGET

Ended or killed meanwhile, it is started again by the daemon when the file is there, and puts it in its place.
Needs PyPI's varlink: pip install varlink
"""
import json, os, secrets, shutil, subprocess, sys
import varlink

def put(staged, target):
    """Copies the file, durably: once the end is acknowledged, the daemon's own copy goes."""
    with open(staged, "rb") as source, open(target + ".part", "wb") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(copy.fileno())
    os.replace(target + ".part", target)
    folder = os.open(os.path.dirname(target), os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)

# The daemon starts us without arguments: there is only something to be told. A session is named by its target.
url, target = (sys.argv[1], os.path.abspath(sys.argv[2])) if len(sys.argv) > 1 else (None, None)
socket = os.environ.get("NIGHTJAR_SOCKET") or json.loads(subprocess.check_output(["nightjar", "status", "--json"]))["socket"]
again = [sys.executable, os.path.abspath(__file__)]

with varlink.Client("unix:" + socket) as daemon, \
        daemon.open("dev.nightjar.App") as listening, daemon.open("dev.nightjar.App") as asking:
    events = listening.Attach({"name": "org.example.fetch", "relaunch": again}, _more=True)
    print("attached as", next(events)["attached"]["app"], flush=True)
    if target:
        session = asking.OpenSession(target)
        if session["taskCount"] == 0:
            asking.Enqueue(target, {"key": secrets.token_hex(16), "task": session["nextTask"], "direction": "download",
                                    "method": "GET", "url": url, "headers": []})
            print("queued", flush=True)
    waiting = {target} if target else set()
    for event in events:
        if told := event.get("handleEvents"):  # Of a session that an earlier life has left.
            waiting.add(told["session"])
            asking.OpenSession(told["session"])
        if told := event.get("ended"):
            if told.get("file") and told["response"]["status"] == 200:
                put(told["file"]["path"], told["session"])
            asking.Acknowledge([told["number"]])  # Now, and not before: until then it is told again after every crash.
            print("told:", told.get("failure") or told["response"]["status"], flush=True)
            waiting -= {target} & {told["session"]}
        if told := event.get("eventsFinished"):
            asking.FinishEvents(told["session"])
            waiting.discard(told["session"])
        if not waiting:
            break
