#!/usr/bin/env python3
"""Downloads a file with Nightjar: fetch.py URL TARGET

Ended or killed meanwhile, it is started again by the daemon when the file is there, and puts it in its place.
Needs PyPI's varlink: pip install varlink
"""
import json, os, secrets, shutil, subprocess, sys
import varlink

url, target = sys.argv[1], os.path.abspath(sys.argv[2])
socket = os.environ.get("NIGHTJAR_SOCKET") or json.loads(subprocess.check_output(["nightjar", "status", "--json"]))["socket"]
again = [sys.executable, os.path.abspath(__file__), url, target]

with varlink.Client("unix:" + socket) as daemon, \
        daemon.open("dev.nightjar.App") as listening, daemon.open("dev.nightjar.App") as asking:
    events = listening.Attach({"name": "org.example.fetch", "relaunch": again}, _more=True)
    print("attached as", next(events)["attached"]["app"], flush=True)
    session = asking.OpenSession(target)
    if session["taskCount"] == 0:
        asking.Enqueue(target, {"key": secrets.token_hex(16), "task": session["nextTask"], "direction": "download",
                                "method": "GET", "url": url, "headers": []})
        print("queued", flush=True)
    ended = next(event["ended"] for event in events if event.get("ended"))
    if ended.get("file") and ended["response"]["status"] == 200:
        shutil.copyfile(ended["file"]["path"], target + ".part")
        os.replace(target + ".part", target)
    asking.Acknowledge([ended["number"]])  # Now, and not before: until then it is told again after every crash.
    print("told:", ended.get("failure") or ended["response"]["status"], flush=True)
