"""Files that make readers open another file or an address."""

from __future__ import annotations

import struct
from pathlib import Path

from pipelines.testing.media.mp4_boxes import box, ftyp, full, movie, pcm_entry, tables
from pipelines.testing.media.samples import ffmpeg

SECONDS = 2


def _hls(*entries: str) -> str:
    rows = "".join(f"#EXTINF:{SECONDS},\n{entry}\n" for entry in entries)
    return f"#EXTM3U\n#EXT-X-TARGETDURATION:{SECONDS}\n#EXT-X-MEDIA-SEQUENCE:0\n{rows}#EXT-X-ENDLIST\n"


def _dash(base: str) -> str:
    return (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT2S">'
        f'<Period><AdaptationSet mimeType="video/mp2t"><Representation id="1" bandwidth="1"><BaseURL>{base}</BaseURL>'
        "</Representation></AdaptationSet></Period></MPD>"
    )


def texts(secret: Path, port: int) -> dict[str, bytes]:
    """By a name that makes readers trust them."""
    web = f"http://127.0.0.1:{port}/x.ts"
    hls = _hls(str(secret))
    written = {
        "absolute.m3u8": hls,
        "above.m3u8": _hls(f"../{secret.parent.name}/{secret.name}", f"../../../../../../../..{secret}"),
        "file.m3u8": _hls(f"file:{secret}", f"file://{secret}"),
        "web.m3u8": _hls(web),
        "layers.m3u8": _hls(f"subfile,,start,0,end,4096,,:{secret}", f"crypto:{secret}", f"concat:{secret}|{secret}"),
        "cache.m3u8": _hls(f"cache:{secret}", f"async:{secret}", f"crypto+file:{secret}", f"tcp://127.0.0.1:{port}"),
        "data.m3u8": _hls("data:text/plain;base64," + "R" * 64),
        "key.m3u8": hls.replace("#EXTINF", f'#EXT-X-KEY:METHOD=AES-128,URI="{secret}"\n#EXTINF', 1),
        "map.m3u8": hls.replace("#EXTINF", f'#EXT-X-MAP:URI="{secret}"\n#EXTINF', 1),
        "master.m3u8": f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{secret}\n#EXT-X-STREAM-INF:BANDWIDTH=2\n{web}\n",
        "named.mp4": hls,
        "named.mov": hls,
        "junk.m3u8": f"\n \n#comment\n{hls}",
        "bare.m3u": f"{secret}\n{web}\n",
        "list.pls": f"[playlist]\nFile1={secret}\nFile2={web}\nNumberOfEntries=2\n",
        "list.ffconcat": f"ffconcat version 1.0\nfile '{secret}'\nfile '{web}'\n",
        "list.concat": f"file '{secret}'\n",
        "file.mpd": _dash(f"file://{secret}"),
        "web.mpd": _dash(web),
        "film.smil": f'<smil><body><video src="{secret}"/><ref src="{web}"/></body></smil>',
        "film.asx": f'<asx version="3.0"><entry><ref href="{secret}"/></entry></asx>',
        "cpl.xml": f'<?xml version="1.0"?><CompositionPlaylist><Id>1</Id><x>{secret}</x></CompositionPlaylist>',
        "call.sdp": f"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio {port} RTP/AVP 0\n",
        "film.avs": f'AVISource("{secret}")\n',
        "graph.lavfi": f"movie={secret}",
        "index.idx": f"# VobSub index file, v7 (do not modify this line!)\n# {secret}\nid: en, index: 0\n",
        "lines.ass": f"[Script Info]\n[V4+ Styles]\nStyle: D,{secret},20\n[Events]\nDialogue: 0,0,1,D,,0,0,0,,x\n",
        "lines.srt": f'1\n00:00:00,000 --> 00:00:01,000\n<font face="{secret}">{{\\fn{secret}}}x</font>\n',
        "pages.ffmeta": f";FFMETADATA1\ntitle={secret}\n",
        # A `G` every 188 bytes looks like a transport stream.
        "grid.m3u8": "".join(f"G{row}".ljust(188, "\n") for row in (*hls.splitlines(), *["x"] * 8)),
    }
    encoded = {name: text.encode() for name, text in written.items()}
    return encoded | {
        "mark.m3u8": b"\xef\xbb\xbf" + hls.encode(),
        "utf16.m3u8": b"\xff\xfe" + hls.encode("utf-16-le"),
        "utf16-other.m3u8": b"\xfe\xff" + hls.encode("utf-16-be"),
        "zeros.m3u8": bytes(64) + hls.encode(),
        # The first box of an MP4, then the list.
        "boxed.mp4": struct.pack(">I4s", 8, b"free") + hls.encode(),
    }


def referring_movie(path: Path, secret: Path, *, samples: int = 8000) -> None:
    """A QuickTime movie whose sound is in another file, named by its absolute path."""
    head = ftyp()
    volume = b"Macintosh HD"
    absolute = str(secret).replace("/", ":").lstrip(":").encode()
    absolute = volume + b":" + absolute
    absolute += bytes(len(absolute) % 2)
    alias = (
        bytes(10)
        + bytes([len(volume)]) + volume.ljust(27, b"\x00") + bytes(12)
        + bytes([len(secret.name)]) + secret.name.encode().ljust(63, b"\x00") + bytes(16)
        + struct.pack(">hh", -1, -1) + bytes(16)
        + struct.pack(">HH", 2, len(absolute)) + absolute
        + struct.pack(">hH", -1, 0)
    )  # fmt: skip
    references = struct.pack(">I", 1) + full("alis", alias)
    sample = tables(samples=samples, ticks=1, size=2, offset=44)
    moov = movie(*sample, entry=pcm_entry(), duration=1000, timescale=8000, references=references)
    path.write_bytes(head + moov)


def reference_movie(path: Path, secret: Path, port: int) -> None:
    """A movie that only names other files."""
    names = [f"file://{secret}", str(secret), f"http://127.0.0.1:{port}/x.mov"]
    entries = [
        box("rmda", full("rdrf", b"url ", struct.pack(">I", len(name) + 1), name.encode() + b"\x00")) for name in names
    ]
    path.write_bytes(ftyp() + box("moov", box("rmra", *entries)))


def list_in_avi(path: Path, secret: Path) -> None:
    """An AVI whose subtitle track is a playlist: readers open such a track as a file of its own."""
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x36:r=5:d=1", "-f", "lavfi", "-i", "sine=440:r=8000:d=1", "-c:v", "mjpeg",
           "-c:a", "pcm_s16le", path.name, cwd=path.parent)  # fmt: skip
    body = _hls(str(secret)).encode()
    packet = b"GAB2\x00\x02\x00" + struct.pack("<I", 2) + b"x\x00" + struct.pack("<HI", 4, len(body)) + body
    raw = path.read_bytes()
    offset = raw.index(b"movi") + 4
    track = b"02tx" + struct.pack("<I", len(packet)) + packet + bytes(len(packet) % 2)
    header = struct.pack("<4s4sIHHIIIIIIII4H", b"txts", bytes(4), 0, 0, 0, 0, 1, 25, 0, 25, 4096, 0, 0, 0, 0, 0, 0)
    lists = (
        b"LIST"
        + struct.pack("<I", 4 + 8 + len(header) + 8)
        + b"strl"
        + b"strh"
        + struct.pack("<I", len(header))
        + header
    )
    lists += b"strf" + struct.pack("<I", 0)
    end = raw.index(b"LIST", raw.index(b"hdrl"))
    end = 20 + struct.unpack("<I", raw[16:20])[0]
    grown = bytearray(raw[:end] + lists + raw[end:offset] + track + raw[offset:])
    grown[16:20] = struct.pack("<I", end - 20 + len(lists))
    grown[56:60] = struct.pack("<I", 3)
    path.write_bytes(bytes(grown))
