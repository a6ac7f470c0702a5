"""Stand-ins for the worker process on the nodes of a cluster; what a request is about tells them how to behave."""

from __future__ import annotations

from tests.checking.scripted_worker import fake_worker

_BEHAVIOUR = """
name = request["task"]["source"]["file"]
emit("Text", text=name)
if "slow" in name:
    time.sleep(2)
if "stuck" in name:
    json.loads(sys.stdin.readline())
    emit("Text", text="stopped")
if "dying" in name:
    os.kill(os.getpid(), signal.SIGKILL)
emit("Done")
"""


def worker_command() -> list[str]:
    return fake_worker(behaviour=_BEHAVIOUR)
