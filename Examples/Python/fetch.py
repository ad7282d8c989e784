#!/usr/bin/env python3
"""Downloads a file with Nightjar: fetch.py URL TARGET

The daemon puts the file in its place. Ended or killed meanwhile, the program is started again by the daemon and told.
Needs the module varlink: pip install varlink
"""
import json, os, secrets, subprocess, sys
import varlink

if not sys.argv[2:] and "NIGHTJAR_APP" not in os.environ:  # The daemon sets it when it starts us.
    sys.exit(__doc__)
socket = os.environ.get("NIGHTJAR_SOCKET") or json.loads(subprocess.check_output(["nightjar", "status", "--json"]))["socket"]
program = {"name": "org.example.fetch", "relaunch": [sys.executable, os.path.abspath(__file__)]}
target = os.path.abspath(sys.argv[2]) if sys.argv[2:] else None  # Without one, there is something to be told.

with varlink.Client("unix:" + socket) as daemon, daemon.open("dev.nightjar.App") as line, daemon.open("dev.nightjar.App") as app:
    events = line.Attach(program, _more=True)
    print("attached as", next(events)["attached"]["app"], flush=True)
    if target and (session := app.OpenSession(target))["taskCount"] == 0:  # Else an earlier life has queued it.
        app.Enqueue(target, {"key": secrets.token_hex(16), "task": session["nextTask"], "direction": "download", "method": "GET",
                             "url": sys.argv[1], "headers": [], "destination": target, "overwrite": True})
    for event in events:
        if told := event.get("handleEvents"):  # Of a session that an earlier life has left.
            app.OpenSession(told["session"])
        elif told := event.get("ended"):
            print("told:", told.get("destination") or told["failure"]["detail"], flush=True)
            app.Acknowledge([told["number"]])  # Until then it is told again after every crash.
            app.FinishEvents(told["session"])
            if target in (None, told["session"]):
                break
