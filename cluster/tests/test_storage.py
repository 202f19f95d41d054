"""Both kinds of storage give the same guarantees, and the bucket also while its service is down, slow or failing."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from cluster import doctor
from cluster.ray.head import plan_head
from cluster.settings import ClusterSettings
from cluster.storage.bucket_objects import PART_BYTES, S3Storage
from cluster.storage.folder import LocalStorage
from cluster.storage.objects import BadKey, Storage, StorageUnavailable
from cluster.storage.opening import open_storage
from cluster.storage.s3 import Bucket
from cluster.testing.patience import PATIENCE_S
from cluster.testing.s3_server import BUCKET, S3Server, running_s3

KEY = "files/one/original.mp4"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    with running_s3(monkeypatch) as server:
        yield server


@pytest.fixture
def bucket(s3: S3Server, tmp_path: Path) -> Storage:
    settings = ClusterSettings(
        data_dir=tmp_path,
        storage_url=f"s3://{BUCKET}/sagascript",
        storage_endpoint=s3.url,
        storage_public_endpoint=s3.url,
    )
    return open_storage(settings)


@pytest.fixture(params=["folder", "bucket"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "folder":
        return open_storage(ClusterSettings(data_dir=tmp_path))
    return request.getfixturevalue("bucket")  # type: ignore[no-any-return]


def made(tmp_path: Path, size: int = 1000, name: str = "made") -> Path:
    path = tmp_path / name
    path.write_bytes(random.Random(size).randbytes(size))
    return path


def test_an_object_is_what_was_put(storage: Storage, tmp_path: Path) -> None:
    source = made(tmp_path)
    content = source.read_bytes()
    assert not storage.exists(KEY)
    assert storage.put(source, KEY) == 1000
    assert not source.exists()
    assert storage.exists(KEY)
    assert storage.size(KEY) == 1000
    assert b"".join(storage.read(KEY)) == content
    assert b"".join(storage.read(KEY, 100, 250)) == content[100:250]
    assert b"".join(storage.read(KEY, 990)) == content[990:]


def test_a_local_copy_leaves_nothing_behind(storage: Storage, tmp_path: Path) -> None:
    content = made(tmp_path).read_bytes()
    storage.put(tmp_path / "made", KEY)
    work = tmp_path / "work"
    work.mkdir()
    with storage.local_copy(KEY, work) as path:
        assert path.read_bytes() == content
    assert list(work.iterdir()) == []
    assert storage.exists(KEY)


def test_an_object_is_replaced_and_deleted(storage: Storage, tmp_path: Path) -> None:
    storage.put(made(tmp_path, 10), KEY)
    storage.put(made(tmp_path, 20), KEY)
    assert storage.size(KEY) == 20
    storage.delete(KEY)
    storage.delete(KEY)
    assert not storage.exists(KEY)


def test_a_prefix_is_a_folder_and_no_more(storage: Storage, tmp_path: Path) -> None:
    for key in ("jobs/a/1/audio.wav", "jobs/a/1/deep/peaks.json", "jobs/a/10/audio.wav", "jobs/b/1/audio.wav"):
        storage.put(made(tmp_path), key)
    storage.delete_prefix("jobs/a/1")
    storage.delete_prefix("jobs/never")
    assert not storage.exists("jobs/a/1/audio.wav")
    assert not storage.exists("jobs/a/1/deep/peaks.json")
    assert storage.exists("jobs/a/10/audio.wav")
    assert storage.exists("jobs/b/1/audio.wav")


def test_what_is_not_there(storage: Storage, tmp_path: Path) -> None:
    for ask in (storage.size, storage.read, lambda key: storage.local_copy(key, tmp_path).__enter__()):
        with pytest.raises(FileNotFoundError):
            ask(KEY)


@pytest.mark.long
@pytest.mark.parametrize("key", ["../x/y", "/etc/passwd", "a/../b/c", "plain", "a/b c", "a//b"])
def test_keys_are_the_servers_own(storage: Storage, tmp_path: Path, key: str) -> None:
    for ask in (storage.size, storage.exists, storage.delete, storage.read):
        with pytest.raises(BadKey):
            ask(key)
    with pytest.raises(BadKey):
        storage.put(made(tmp_path), key)


@pytest.mark.long
def test_large_objects_travel_in_parts(s3: S3Server, bucket: Storage, tmp_path: Path) -> None:
    source = made(tmp_path, PART_BYTES * 2 + 1)
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    bucket.put(source, KEY)
    assert sum("partNumber=" in call for call in s3.calls) == 3
    assert hashlib.sha256(b"".join(bucket.read(KEY))).hexdigest() == digest
    with bucket.local_copy(KEY, tmp_path) as path:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


def test_half_written_parts_go_with_their_folder(s3: S3Server, bucket: Storage) -> None:
    client = s3.client
    for key in ("sagascript/jobs/a/1/x", "sagascript/jobs/a/2/x"):
        client.create_multipart_upload(Bucket=BUCKET, Key=key)
    bucket.delete_prefix("jobs/a/1")
    assert s3.multiparts() == ["sagascript/jobs/a/2/x"]


def test_a_link_names_and_types_the_download(bucket: Storage, tmp_path: Path) -> None:
    content = made(tmp_path).read_bytes()
    bucket.put(tmp_path / "made", KEY)
    disposition = "attachment; filename=\"a.mp4\"; filename*=UTF-8''%C3%A6.mp4"
    link = bucket.link(KEY, media_type="video/mp4", disposition=disposition)
    assert link is not None
    answer = httpx2.get(link, headers={"Range": "bytes=10-19"}, trust_env=False, timeout=PATIENCE_S)
    assert (answer.status_code, answer.content) == (206, content[10:20])
    assert answer.headers["Content-Type"] == "video/mp4"
    assert answer.headers["Content-Disposition"] == disposition


def test_no_link_where_browsers_do_not_reach_storage(s3: S3Server, tmp_path: Path) -> None:
    private = S3Storage(Bucket(BUCKET, endpoint=s3.url))
    assert private.link(KEY, media_type="video/mp4", disposition=None) is None
    local: Storage = LocalStorage(tmp_path)
    assert local.link(KEY, media_type="video/mp4", disposition=None) is None


@pytest.mark.long
def test_now_and_then_an_error_changes_nothing(s3: S3Server, bucket: Storage, tmp_path: Path) -> None:
    s3.fail_every = 3
    source = made(tmp_path, PART_BYTES + 1)
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    bucket.put(source, KEY)
    assert hashlib.sha256(b"".join(bucket.read(KEY))).hexdigest() == digest
    with bucket.local_copy(KEY, tmp_path) as path:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


def test_a_service_that_is_down_is_not_a_missing_object(s3: S3Server, bucket: Storage, tmp_path: Path) -> None:
    bucket.put(made(tmp_path), KEY)
    source = made(tmp_path, 10, "second")
    s3.stop()
    with pytest.raises(StorageUnavailable):
        bucket.exists(KEY)
    with pytest.raises(StorageUnavailable):
        bucket.put(source, "files/two/original")
    assert source.exists()
    s3.start()
    assert bucket.exists(KEY)
    bucket.put(source, "files/two/original")


def test_a_missing_bucket_is_not_a_missing_object(s3: S3Server) -> None:
    nowhere = S3Storage(Bucket("nowhere", endpoint=s3.url))
    for ask in (nowhere.exists, nowhere.read):
        with pytest.raises(StorageUnavailable, match=r"nowhere|NoSuchBucket"):
            ask(KEY)


def test_nodes_know_how_to_reach_the_bucket_and_nothing_of_the_control_plane(
    s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGASCRIPT_DATABASE_URL", "postgresql://user:secret@database/x")
    named = ClusterSettings(data_dir=tmp_path, storage_url=f"s3://{BUCKET}", storage_endpoint=s3.url)
    seen = plan_head(named, "mark").env
    assert (seen["SAGASCRIPT_STORAGE_URL"], seen["SAGASCRIPT_STORAGE_ENDPOINT"]) == (f"s3://{BUCKET}", s3.url)
    assert seen["AWS_SECRET_ACCESS_KEY"] == "test"
    assert "SAGASCRIPT_DATABASE_URL" not in seen


def test_doctor_says_whether_the_bucket_can_be_used(s3: S3Server, tmp_path: Path) -> None:
    named = ClusterSettings(data_dir=tmp_path, storage_url=f"s3://{BUCKET}/sagascript", storage_endpoint=s3.url)
    assert doctor.storage(named).state is doctor.State.OK
    assert s3.keys() == []
    absent = doctor.storage(named.model_copy(update={"storage_url": "s3://absent"}))
    assert (absent.state, "s3://absent cannot be used" in absent.sentence) == (doctor.State.MISSING, True)
    s3.stop()
    assert doctor.storage(named).state is doctor.State.MISSING
    assert doctor.storage(ClusterSettings(data_dir=tmp_path)).state is doctor.State.OK


@pytest.mark.parametrize("url", ["bucket", "http://bucket", "s3://", "s3://UPPER/x", "s3://bucket/../x"])
def test_an_address_that_is_no_bucket_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"Write s3://bucket"):
        ClusterSettings(storage_url=url)
