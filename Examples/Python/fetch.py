#!/usr/bin/env python3
"""Downloads a file with Nightjar: fetch.py URL TARGET

Ended or killed meanwhile, it is started again by the daemon when the file is there, and puts it in its place.
Needs PyPI's varlink: pip install varlink
"""
import json, os, secrets, shutil, subprocess, sys
import varlink

# The daemon starts us without arguments: there is only something to be told. A session is named by its target.
target = os.path.abspath(sys.argv[2]) if sys.argv[1:] else None
socket = os.environ.get("NIGHTJAR_SOCKET") or json.loads(subprocess.check_output(["nightjar", "status", "--json"]))["socket"]
program = {"name": "org.example.fetch", "relaunch": [sys.executable, os.path.abspath(__file__)]}

with varlink.Client("unix:" + socket) as daemon, \
        daemon.open("dev.nightjar.App") as listening, daemon.open("dev.nightjar.App") as asking:
    events = listening.Attach(program, _more=True)
    print("attached as", next(events)["attached"]["app"], flush=True)
    if target and (session := asking.OpenSession(target))["taskCount"] == 0:
        asking.Enqueue(target, {"key": secrets.token_hex(16), "task": session["nextTask"], "direction": "download",
                                "method": "GET", "url": sys.argv[1], "headers": []})
        print("queued", flush=True)
    waiting = {target} - {None}
    for event in events:
        if told := event.get("handleEvents"):  # Of a session that an earlier life has left.
            waiting.add(told["session"])
            asking.OpenSession(told["session"])
        if told := event.get("ended"):
            place = told["session"]
            if told.get("file") and told["response"]["status"] == 200:
                shutil.copyfile(told["file"]["path"], place + ".part")
                os.replace(place + ".part", place)
                subprocess.run(["sync", place, os.path.dirname(place)], check=True)  # The daemon's copy goes next.
            asking.Acknowledge([told["number"]])  # Now, and not before: until then it is told again after every crash.
            print("told:", told.get("failure") or told["response"]["status"], flush=True)
            asking.FinishEvents(place)
            waiting.discard(place)
            if not waiting:
                break
