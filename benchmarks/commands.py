"""The commands of `python -m benchmarks` by name. A module is imported only when its command runs."""

from __future__ import annotations

from cluster.testing.commands import Command

_MODULES = {
    # For whoever chooses and tunes a model: any model, any data.
    "measure": {
        "asr": ("models.asr.command", "Speech models on your audio: errors, times, speed, memory, peers."),
        "diarization": ("models.diarization.command", "Speaker models on your audio: who speaks when."),
        "translation": (
            "models.translation.command",
            "Translation models on your texts or subtitles.",
        ),
        "text": ("models.text.command", "AI texts of your transcripts: support, names, ROUGE."),
        "compare": ("outcomes.compare_command", "Two results of models: better, worse or cannot tell."),
        "report": ("outcomes.report_command", "One HTML file with the plots of several results of models."),
        "serve": ("open_loop.command", "Latency at given rates: engine, Serve application, any OpenAI server."),
        "batching": ("batching.command", "Throughput and latency by batch, wait and callers, on any model."),
        "pipeline": ("pipeline.command", "Upload to captions for many people, by the events they receive."),
        "simulate": ("simulation.command", "Waits, GPU hours and break points past one machine, and what to buy."),
        "replay": ("simulation.replay_command", "One trace through the real engine and the simulation."),
        "tune": ("tune.command", "Searches a model profile for a latency target, and writes it with its evidence."),
    },
    # What this project promises, each against its goal (`goals/table.py`).
    "goals": {
        "preprocess": ("preprocess.command", "Cost of decoding, speech detection, mel and peaks."),
        "fairness": ("fairness.command", "Short clips while a long file is being transcribed."),
        "long-file": ("long_file.command", "Memory on a 10-hour file, resume of a 3-hour file."),
        "gpu": ("gpu.command", "Whisper on this machine's GPU in minutes, with random weights of large shapes."),
        "batching-goals": ("batching.command", "Whisper through our serving path against the bare engine."),
        "translation-goals": ("translation.command", "Caption lines through our engine against the bare one."),
        "text-goals": ("text.command", "AI text: requests of many files in one batch or one after the other."),
        "speakers-goals": ("speakers.command", "Speech and speakers of one file at once."),
        "export": ("exports", "Exports against bare ffmpeg: subtitle tracks, burning in, after an edit."),
        "align": ("align", "Times of words that people change, against the times at which they were spoken."),
        "live": ("live.command", "Live captions: from the end of a word to the moment it can be read."),
        "hotwords": ("hotwords", "Names of a glossary, heard with and without it."),
        "denoise": ("denoise", "Speech in noise, heard with and without the denoiser."),
        "voices": ("voices", "People who were named in one file, known again in others."),
        "recut": ("recut.command", "Translated words in the cue of the word that they translate."),
        "segmentation": ("segmentation.command", "Lines within a quality profile, by the way speech is cut."),
        "health": ("health.command", "Hung replicas, overload, and changes while files are in work."),
        "speech-calls": ("speech_calls.command", "One sentence through the speech API: processor time."),
        "start": ("start.command", "Cold start to the first caption; a killed worker's way back."),
        "upgrade": ("upgrade.command", "How long people wait while an earlier version becomes this one."),
        "submit": ("submit.command", "How fast the API takes work and lists files."),
        "files": ("files.command", "Lists of files for 64 people at once."),
        "login": ("login.command", "Signing in, and what other calls feel of it."),
        "captions": ("captions.command", "Durable caption edits by many people at once."),
        "style": ("style.command", "Captions as previewed and as exported, in pairs of pictures."),
        "ui": ("ui.command", "The pages on a slow processor: first load, typing, scrolling, waveform."),
        "newcomer": ("newcomer.command", "From the address to an exported clip, in clicks and seconds."),
        "admin": ("admin.command", "The administrators' lists and figures over a million files."),
        "uploads": ("uploads.command", "Uploads against a raw socket loop and the official Node server."),
        "verdicts": ("verdicts.command", "How often `compare` is wrong about speed, on a busy machine."),
        "relay": ("relay.command", "The websocket relay against a minimal broadcast loop."),
    },
}

COMMANDS = {
    name: Command(f"benchmarks.{folder}.{module}", text)
    for folder, commands in _MODULES.items()
    for name, (module, text) in commands.items()
}
