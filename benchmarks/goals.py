"""Goals by number, each with a required and a stretch value.

A goal is the ratio of our value to the compared one, run alternately on one machine, unless its unit differs.
"""

from __future__ import annotations

from cluster.testing.goal import Goal

GOALS = {
    "1": Goal("long file through the serving path / bare BatchedInferencePipeline, speed", 0.97, 1.25),
    "2": Goal("32 short clips at once / bare one at a time, fixed window, clips/s", 1.3, 5.0),
    "2-adaptive": Goal("32 short clips at once / bare one at a time, adaptive window, clips/s", 3.0, 5.0),
    "3": Goal("short clips batched / batch size 1 in our own server, adaptive window, clips/s", 1.25, 1.5),
    "4-wer": Goal("word error rate with the adaptive window minus the 30 s window", 0.3, 0.0, True, "points"),
    "4-loops": Goal("loops with the adaptive window", 0.0, 0.0, True, "per 1,000 clips"),
    "5": Goal("p95 of short clips beside a 1-hour file / p95 alone", 2.5, 1.5, True),
    "6": Goal("serving overhead of a request, median", 3.0, 1.2, True, "ms"),
    "7": Goal("submit on our API / bare uvicorn with the same body, median", 4.0, 2.0, True),
    "8": Goal("preprocessing / faster-whisper's decode, VAD and features, core-seconds", 0.7, 0.4, True),
    "9": Goal("word times on / off, wall", 1.25, 1.10, True),
    "10": Goal("a batch with 1 bad item of 16 / a clean batch, wall", 1.20, 1.10, True),
    "11": Goal("tus PATCH to `up`'s web process / raw receive and write loop, MB per core-second", 0.30, 0.60),
    "12": Goal("tus PATCH with sha256 / raw receive and write loop, MB per core-second", 0.22, 0.40),
    "13": Goal("tus to `up`'s web process / @tus/server, one PATCH, MB/s wall", 1.5, 2.5),
    "13-chunks": Goal("tus to `up`'s web process / @tus/server, 8 MiB chunks, MB/s wall", 1.5, 2.5),
    "14-lost": Goal("acknowledged bytes lost after kill -9 in mid-PATCH", 0.0, 0.0, True, "bytes"),
    "14-resume": Goal("HEAD that resumes, p99", 50.0, 10.0, True, "ms"),
    "15": Goal("200 subscribers, bursts of 10 / minimal broadcast loop, messages per core-second", 5.0, 8.0),
    "16": Goal("200 subscribers, 1 event a tick / minimal broadcast loop, messages per core-second", 1.0, 1.5),
    "17": Goal("fan-out delay p99, 50 events/s to 200 clients", 25.0, 12.0, True, "ms"),
    "18-rss": Goal("memory of an idle connection, of 2,000", 25.0, 12.0, True, "KB"),
    "18-cpu": Goal("CPU of 2,000 idle connections", 2.0, 1.0, True, "%"),
    "19": Goal("export with a subtitle track / bare ffmpeg -c copy, wall", 1.15, 1.05, True),
    "20": Goal("export with burned-in captions / bare ffmpeg, same settings, wall", 1.05, 1.0, True),
    "21": Goal("export after 1 changed caption / the first export, core-seconds", 0.03, 0.01, True),
    "22": Goal("similarity (SSIM) of an export in parts to one pass", 0.98, 0.99),
    "22-frames": Goal("frames that an export in parts has more or fewer than one pass", 0.0, 0.0, True, "frames"),
    "22-times": Goal("frames with another time than in one pass", 0.0, 0.0, True, "frames"),
    "22-sound": Goal("sound other than in one pass", 0.0, 0.0, True, "tracks"),
    "23-sorted": Goal("caption lines/s translated: ours / bare `translate_batch` sorted", 0.95, 1.0),
    "23-single": Goal("caption lines/s translated: ours / bare line by line", 3.0, 5.0),
    "24": Goal("speech and speakers together / the sum of each alone, core-seconds", 1.05, 1.02, True),
    "25": Goal("cold start to the first caption / bare faster-whisper script", 6.0, 4.0, True),
    "25-seconds": Goal("cold start to the first caption", 12.0, 12.0, True, "s"),
    "health-hung": Goal("a replica in the place of one that hangs", 15.0, 12.0, True, "s"),
    "26-lost": Goal("finished windows done again after a worker's kill -9", 0.0, 0.0, True, "windows"),
    "26-continue": Goal("a killed worker's job goes on after", 10.0, 4.0, True, "s"),
}
