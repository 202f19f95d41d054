"""The upload store over a real S3 service: no recorded byte is ever lost."""

from __future__ import annotations

import contextlib
import random
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from moto.s3 import models as moto_models

from api.content.uploads.tus.records import PARTIAL, Owner, TusRecord
from api.content.uploads.tus.storage import s3_joining, s3_state
from api.content.uploads.tus.storage.s3_state import MAX_PARTS, MIB, USUAL_PART, S3State, chained, part_size
from api.content.uploads.tus.storage.s3_store import S3Store
from api.content.uploads.tus.storage.s3_writer import MAX_PIECES
from api.content.uploads.tus.storage.store import BytesMissing
from cluster.storage.bucket_objects import S3Storage
from cluster.storage.objects import StorageUnavailable
from cluster.storage.s3 import Bucket
from cluster.testing.s3_server import BUCKET, S3Server, running_s3

MAX_SIZE = 1_000_000
PART = 1000
"""Bytes of a part in these tests, where both sides have lower limits."""


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    monkeypatch.setattr(s3_state, "USUAL_PART", PART)
    monkeypatch.setattr(s3_state, "MIB", 1)
    monkeypatch.setattr(s3_joining, "LEAST_PART", PART // 2)
    monkeypatch.setattr(s3_joining, "COPY_BYTES", 2 * PART)
    monkeypatch.setattr(moto_models, "S3_UPLOAD_PART_MIN_SIZE", PART // 2)
    with running_s3(monkeypatch) as server:
        yield server


@pytest.fixture
def bucket(s3: S3Server) -> Bucket:
    return Bucket(BUCKET, prefix="here/", endpoint=s3.url)


@pytest.fixture
def store(bucket: Bucket, tmp_path: Path) -> S3Store:
    return S3Store(bucket, tmp_path / "scratch", max_size=MAX_SIZE)


def new_record(length: int | None, *, concat: str | None = None) -> TusRecord:
    upload_id = uuid.uuid4().hex + "0" * 8
    return TusRecord(
        id=upload_id,
        owner=Owner(user_id=uuid.uuid4(), team_id=None, token_hash=""),
        length=length,
        offset=0,
        metadata="",
        expires_at=datetime.now(UTC) + timedelta(days=1),
        concat=concat,
        object_key="" if concat == PARTIAL else f"uploads/{upload_id}/original",
    )


def sent(store: S3Store, record: TusRecord, content: bytes) -> TusRecord:
    """The record after one whole request."""
    writer = store.open(record)
    writer.write([content])
    state = writer.sync()
    writer.close()
    return replace(record, offset=writer.written, state=state)


def stored(bucket: Bucket, record: TusRecord) -> bytes:
    return b"".join(S3Storage(bucket).read(record.object_key))


@pytest.mark.parametrize("seed", range(6))
def test_recorded_bytes_are_the_published_ones(s3: S3Server, bucket: Bucket, store: S3Store, seed: int) -> None:
    """Requests of any size, cut, undone, suspended or killed between any two steps."""
    chance = random.Random(seed)
    content = chance.randbytes(chance.randrange(1, 12 * PART))
    record = new_record(len(content) if seed % 3 else None)
    suspended = []
    while record.offset < len(content):
        writer = store.open(record)
        first = record
        for _ in range(chance.randrange(1, 6)):
            size = chance.choice([1, 40, PART // 3, PART, 2 * PART + 7])
            part = content[writer.written : writer.written + size]
            writer.write([part[: size // 2], part[size // 2 :]])
            if chance.random() < 0.7:
                state = writer.sync()
                if chance.random() < 0.2:
                    break  # killed before the state was recorded
                record = replace(record, offset=writer.written, state=state)
        else:
            if chance.random() < 0.2:
                record = replace(first, state=writer.undo())
        if chance.random() < 0.2:
            suspended.append(writer)
        else:
            writer.close()
    for writer in suspended:
        # It continues after losing its lock: its state is rejected, and its bytes must do no harm.
        with contextlib.suppress(StorageUnavailable):
            writer.write([content[writer.written : writer.written + PART]])
        writer.close()
    record = replace(record, length=len(content))
    assert store.publish(record)
    assert stored(bucket, record) == content
    store.discard(record)
    assert s3.keys() == [f"here/{record.object_key}"]
    assert s3.multiparts() == []


@pytest.mark.long
def test_many_tiny_requests_leave_few_objects(s3: S3Server, bucket: Bucket, store: S3Store) -> None:
    content = random.Random(1).randbytes(250)
    record = new_record(len(content))
    most = 0
    for start in range(0, len(content), 10):
        record = sent(store, record, content[start : start + 10])
        most = max(most, len(s3.keys()))
    assert most <= 2 * MAX_PIECES + 1
    assert store.publish(record)
    assert stored(bucket, record) == content


def test_an_empty_upload_is_an_empty_object(bucket: Bucket, store: S3Store) -> None:
    record = new_record(0)
    assert store.publish(record)
    assert stored(bucket, record) == b""


def test_publishing_again_after_a_crash_finds_the_object(store: S3Store) -> None:
    record = sent(store, new_record(2500), bytes(2500))
    assert store.publish(record)
    assert store.publish(record)


def test_a_part_that_is_not_the_recorded_one_is_never_published(bucket: Bucket, store: S3Store) -> None:
    record = sent(store, new_record(2500), bytes(2500))
    assert record.state is not None
    place = bucket.location(record.object_key)
    bucket.client.upload_part(**place, UploadId=record.state["multipart"], PartNumber=2, Body=b"x" * PART)
    assert not store.publish(record)


def test_an_upload_aborted_by_somebody_else_starts_again(bucket: Bucket, store: S3Store) -> None:
    record = sent(store, new_record(9000), bytes(2500))
    assert record.state is not None
    bucket.abort(record.object_key, record.state["multipart"])
    with pytest.raises(BytesMissing) as missing:
        store.open(record)
    assert (missing.value.found, missing.value.state) == (0, None)
    assert not store.publish(replace(record, length=2500))


def test_a_lost_tail_falls_back_to_the_remaining_bytes(bucket: Bucket, store: S3Store) -> None:
    content = random.Random(2).randbytes(3000)
    record = new_record(3000)
    for start, stop in ((0, 1500), (1500, 1600), (1600, 1700)):
        record = sent(store, record, content[start:stop])
    tails = [key for key, _, _ in bucket.objects(f"incoming/{record.id}/")]
    assert len(tails) == 3
    state = S3State.of(record, MAX_SIZE)
    bucket.delete([s3_state.piece_key(record.id, state.tail[1][0])])
    with pytest.raises(BytesMissing) as missing:
        store.open(record)
    assert missing.value.found == 1500
    record = replace(record, offset=missing.value.found, state=missing.value.state)
    record = sent(store, record, content[1500:])
    assert store.publish(record)
    assert stored(bucket, record) == content


SIZES = [
    [2500],
    [0, 2500, 0],
    [100, 100, 100],
    [100, 2500, 30, 4600, 499, 501],
    [500, 499, 1, 1000],
    [2000, 2499, 2501],
]


@pytest.mark.long
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_parts_become_one_object(s3: S3Server, bucket: Bucket, store: S3Store, sizes: list[int]) -> None:
    contents = [random.Random(size).randbytes(size) for size in sizes]
    parts = []
    for content in contents:
        part = new_record(len(content), concat=PARTIAL)
        half = len(content) // 2
        parts.append(sent(store, sent(store, part, content[:half]), content[half:]) if content else part)
    whole = new_record(sum(sizes), concat="final;")
    store.concatenate(whole, parts)
    # Again, as after a crash before anything was recorded.
    whole = replace(whole, offset=sum(sizes), state=store.concatenate(whole, parts))
    assert store.publish(whole)
    assert stored(bucket, whole) == b"".join(contents)
    for record in (whole, *parts):
        store.discard(record)
    assert s3.keys() == [f"here/{whole.object_key}"]
    assert s3.multiparts() == []


def test_strays_are_removed(s3: S3Server, store: S3Store) -> None:
    record = sent(store, new_record(9000), bytes(2500))
    part = sent(store, new_record(9000, concat=PARTIAL), bytes(2500))
    found = list(store.strays(-60))
    assert {stray.upload_id for stray in found} == {record.id, part.id}
    assert len(found) == 4
    for stray in found:
        store.remove_stray(stray)
    assert s3.keys() == []
    assert s3.multiparts() == []


def test_a_service_that_is_down_loses_nothing(s3: S3Server, bucket: Bucket, store: S3Store) -> None:
    content = random.Random(3).randbytes(5000)
    record = sent(store, new_record(5000), content[:2500])
    s3.stop()
    with pytest.raises(StorageUnavailable):
        store.open(record)
    s3.start()
    writer = store.open(record)
    s3.stop()
    with pytest.raises(StorageUnavailable):
        writer.write([content[2500:]])
    writer.close()
    s3.start()
    record = sent(store, record, content[2500:])
    assert store.publish(record)
    assert stored(bucket, record) == content


def test_the_part_size_keeps_within_the_limit_of_parts() -> None:
    assert part_size(1) == USUAL_PART
    assert part_size(MAX_PARTS * USUAL_PART) == USUAL_PART
    assert part_size(MAX_PARTS * USUAL_PART + 1) == USUAL_PART + MIB


def test_entity_tags_are_chained_one_by_one_or_at_once() -> None:
    tags = ['"a"', '"b"', '"c"']
    assert chained(tags) == chained(tags[2:], chained(tags[:2])) != chained(["ab", "c"])
