#!/usr/bin/env python3
"""Downloads a file with Nightjar: fetch.py URL TARGET

Ended or killed meanwhile, it is started again by the daemon when the file is there, and puts it in its place.
Needs PyPI's varlink: pip install varlink
"""
import json, os, secrets, shutil, subprocess, sys
import varlink

if not sys.argv[2:] and "NIGHTJAR_APP" not in os.environ:  # The daemon sets it when it starts us.
    sys.exit(__doc__)

socket = os.environ.get("NIGHTJAR_SOCKET") or json.loads(subprocess.check_output(["nightjar", "status", "--json"]))["socket"]
program = {"name": "org.example.fetch", "relaunch": [sys.executable, os.path.abspath(__file__)]}
interface = "dev.nightjar.App"

with varlink.Client("unix:" + socket) as daemon, daemon.open(interface) as line, daemon.open(interface) as app:
    events = line.Attach(program, _more=True)
    print("attached as", next(events)["attached"]["app"], flush=True)
    # The daemon starts us without arguments: there is something to be told. A session is named by its download's target.
    target = os.path.abspath(sys.argv[2]) if sys.argv[1:] else None
    if target and (session := app.OpenSession(target))["taskCount"] == 0:
        app.Enqueue(target, {"key": secrets.token_hex(16), "task": session["nextTask"], "direction": "download",
                             "method": "GET", "url": sys.argv[1], "headers": []})
    for event in events:
        if told := event.get("handleEvents"):  # Of a session that an earlier life has left.
            app.OpenSession(told["session"])
        elif told := event.get("ended"):
            if told.get("file") and told["response"]["status"] == 200:
                shutil.copyfile(told["file"]["path"], told["session"] + ".part")
                os.replace(told["session"] + ".part", told["session"])
                subprocess.run(["sync", told["session"], os.path.dirname(told["session"])], check=True)
            # Now, and not before: until then it is told again after every crash, and the daemon keeps its copy.
            app.Acknowledge([told["number"]])
            app.FinishEvents(told["session"])
            print("told:", told.get("failure") or told["response"]["status"], flush=True)
            if not target or told["session"] == target:
                break
