"""The commands of `python -m benchmarks` by name. A module is imported only when its command runs."""

from __future__ import annotations

from cluster.testing.commands import Command

COMMANDS = {
    "asr": Command(
        "benchmarks.models.asr.command", "Speech models on your audio: errors, times, speed, memory, peers."
    ),
    "diarization": Command("benchmarks.models.diarization.command", "Speaker models on your audio: who speaks when."),
    "translation": Command(
        "benchmarks.models.translation.command", "Translation models on your texts or subtitles: quality and speed."
    ),
    "text": Command("benchmarks.models.text.command", "AI texts of your transcripts: support, names, ROUGE."),
    "compare": Command("benchmarks.models.compare_command", "Two results of models: better, worse or cannot tell."),
    "report": Command("benchmarks.models.report_command", "One HTML file with the plots of several results of models."),
    "preprocess": Command("benchmarks.preprocess.command", "Cost of decoding, speech detection, mel and peaks."),
    "fairness": Command("benchmarks.fairness.command", "Short clips while a long file is being transcribed."),
    "long-file": Command("benchmarks.long_file.command", "Memory on a 10-hour file, resume of a 3-hour file."),
    "serve": Command(
        "benchmarks.open_loop.command", "Latency at given rates: engine, Serve application, any OpenAI server."
    ),
    "batching": Command(
        "benchmarks.batching.command", "Throughput and latency by batch, wait and callers, on any model."
    ),
    "pipeline": Command(
        "benchmarks.pipeline.command", "Upload to captions for many people, by the events they receive."
    ),
    "simulate": Command(
        "benchmarks.simulation.command", "Waits, GPU hours and break points past one machine, and what to buy."
    ),
    "replay": Command("benchmarks.simulation.replay_command", "One trace through the real engine and the simulation."),
    "tune": Command(
        "benchmarks.tune.command", "Searches a model profile for a latency target, and writes it with its evidence."
    ),
    "batching-goals": Command(
        "benchmarks.batching_goals.command", "Whisper through our serving path against the bare engine."
    ),
    "translation-goals": Command(
        "benchmarks.translation_goals.command", "Caption lines through our engine against the bare one."
    ),
    "text-goals": Command(
        "benchmarks.text_goals.command", "AI text: requests of many files in one batch or one after the other."
    ),
    "speakers-goals": Command("benchmarks.speakers_goals.command", "Speech and speakers of one file at once."),
    "export": Command("benchmarks.exports", "Exports against bare ffmpeg: subtitle tracks, burning in, after an edit."),
    "recut": Command("benchmarks.recut.command", "Translated words in the cue of the word that they translate."),
    "segmentation": Command(
        "benchmarks.segmentation.command", "Lines within a quality profile, by the way speech is cut."
    ),
    "health": Command("benchmarks.health.command", "Hung replicas, overload, and changes while files are in work."),
    "gpu-whisper": Command(
        "benchmarks.gpu_whisper.command", "Whisper by torch at the shapes of large models, by batch size."
    ),
    "speech-calls": Command("benchmarks.speech_calls.command", "One sentence through the speech API: processor time."),
    "start": Command("benchmarks.start.command", "Cold start to the first caption; a killed worker's way back."),
    "submit": Command("benchmarks.submit.command", "How fast the API takes work and lists files."),
    "files": Command("benchmarks.files.command", "Lists of files for 64 people at once."),
    "login": Command("benchmarks.login.command", "Signing in, and what other calls feel of it."),
    "captions": Command("benchmarks.captions.command", "Durable caption edits by many people at once."),
    "style": Command("benchmarks.style.command", "Captions as previewed and as exported, in pairs of pictures."),
    "contact-sheet": Command(
        "benchmarks.contact_sheet.command", "Pictures of the main screens from phones to 4K, in both themes."
    ),
    "ui": Command("benchmarks.ui.command", "The pages on a slow processor: first load, typing, scrolling, waveform."),
    "admin": Command("benchmarks.admin.command", "The administrators' lists and figures over a million files."),
    "uploads": Command("benchmarks.uploads.command", "Uploads against a raw socket loop and the official Node server."),
    "relay": Command("benchmarks.relay.command", "The websocket relay against a minimal broadcast loop."),
}
