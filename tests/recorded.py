"""What is on record of the runs of a test."""


def records(daemon):
    return list(daemon.parts.reader)


def record_of(daemon, answer):
    return daemon.parts.reader.get(answer.headers["x-laios-run-id"])


def stages(record):
    return [f"{step['stage']} {step['label']}".strip() for step in record["steps"]]
