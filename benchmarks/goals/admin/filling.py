"""An installation of a large customer over two years, made by the database: people, teams, companies, files, jobs,
invoices and what was recorded.
"""

from __future__ import annotations

from sqlalchemy import text

from api.platform.db.engine import Database

USERS = 100_000
FILES = 1_000_000
TEAMS = 5_000
COMPANIES = 5_000
INVOICES = 200_000
ENTRIES = 1_000_000
"""Of the audit log."""
DAY_S = 86_400

_SERIES = {
    "sqlite": "(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {count}) SELECT n FROM s) s",
    "postgresql": "generate_series(1::bigint, {count}) s(n)",
}
_WORDS = {
    "sqlite": {
        "id": "substr(printf('%032x', {n} * 2654435761 + {salt}), 1, 32)",
        "ago": "(strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || ({seconds}) || ' seconds') || '000')",
        "text": "printf('%s', {value})",
        "json": "'{{}}'",
        "list": "'[]'",
        "true": "1",
        "false": "0",
    },
    "postgresql": {
        "id": "lpad(to_hex({n} * 2654435761::bigint + {salt}), 32, '0')::uuid",
        "ago": "(now() - make_interval(secs => {seconds}))",
        "text": "({value})::text",
        "json": "'{{}}'::jsonb",
        "list": "'[]'::jsonb",
        "true": "true",
        "false": "false",
    },
}


async def fill(database: Database, *, users: int = USERS, files: int = FILES, teams: int = TEAMS) -> None:
    """Most files are finished, 1 in 50 failed, 1 in 2,000 waits; 1 person in 1,000 has a hundred times as many.

    Companies, invoices and entries are as many for each person as in the whole.
    """
    kind = database.engine.dialect.name
    statements = [*_people(kind, users, teams), *_work(kind, users, files, teams), *_records(kind, users, teams)]
    async with database.write() as session:
        for statement in statements:
            # SQLAlchemy takes a colon before a letter for a parameter.
            await session.execute(text(statement.replace(":", "\\:")))
    async with database.read() as session:
        if kind == "postgresql":
            # With the marks of what everybody sees, as autovacuum leaves it.
            await session.execute(text("VACUUM ANALYZE"))


def _made(kind: str, word: str, **values: object) -> str:
    return _WORDS[kind][word].format(**values)


def _series(kind: str, count: int) -> str:
    return _SERIES[kind].format(count=count)


def _id(kind: str, salt: int, number: str = "n") -> str:
    return _made(kind, "id", n=number, salt=salt)


def _ago(kind: str, seconds: str) -> str:
    return _made(kind, "ago", seconds=seconds)


_AGE = f"(n * 7919 % {730 * DAY_S})"
"""Seconds, spread evenly over two years, in an order unlike that of the ids."""


def _person(kind: str, users: int, number: str = "n") -> str:
    return _id(kind, 1_000, f"(1 + {number} % {users})")


def _team(kind: str, teams: int) -> str:
    return _id(kind, 2_000, f"(1 + n % {teams})")


def _people(kind: str, users: int, teams: int) -> list[str]:
    number, ago = _made(kind, "text", value="n"), _ago(kind, _AGE)
    true, false = _made(kind, "true"), _made(kind, "false")
    companies = max(1, users * COMPANIES // USERS)
    return [
        f"INSERT INTO users (id, name, email, password_hash, is_admin, email_verified_at, created_at, updated_at, "
        f"deleted_at) SELECT {_id(kind, 1_000)}, CASE n % 3 WHEN 0 THEN 'Anna ' WHEN 1 THEN 'Björn ' ELSE 'Karim ' "
        f"END || 'Person ' || {number}, 'person' || {number} || '@example' || ({number} % 50) || '.com', '-', "
        f"CASE WHEN n % 10000 = 0 THEN {true} ELSE {false} END, CASE WHEN n % 10 > 0 THEN {ago} END, {ago}, {ago}, "
        f"CASE WHEN n % 500 = 9 THEN {ago} END FROM {_series(kind, users)}".replace(
            f"({number} % 50)", _made(kind, "text", value="(n % 50)")
        ),
        f"INSERT INTO teams (id, name, created_at, updated_at) "
        f"SELECT {_id(kind, 2_000)}, 'Team ' || {number}, {ago}, {ago} FROM {_series(kind, teams)}",
        f"INSERT INTO memberships (team_id, user_id, role, created_at, updated_at) "
        f"SELECT {_team(kind, teams)}, {_id(kind, 1_000)}, 'editor', {ago}, {ago} FROM {_series(kind, users)} "
        f"WHERE n % 2 = 0",
        f"INSERT INTO companies (id, name, registration_number, contact, email, created_at, updated_at, deleted_at) "
        f"SELECT {_id(kind, 6_000)}, CASE n % 2 WHEN 0 THEN 'Útgáfan ' ELSE 'Studio ' END || {number}, "
        f"'RN' || {number}, 'Contact ' || {number}, 'office' || {number} || '@company.example', {ago}, {ago}, "
        f"CASE WHEN n % 50 = 7 THEN {ago} END FROM {_series(kind, companies)}",
        f"INSERT INTO company_users (user_id, company_id, created_at) "
        f"SELECT {_id(kind, 1_000)}, {_id(kind, 6_000, f'(1 + n % {companies})')}, {ago} "
        f"FROM {_series(kind, users)} WHERE n % 4 = 0",
        f"INSERT INTO contracts (id, user_id, price_monthly, price_minutes, starts_at, created_at, updated_at) "
        f"SELECT {_id(kind, 7_000)}, {_id(kind, 1_000)}, 10000 + n % 900, 5, {ago}, {ago}, {ago} "
        f"FROM {_series(kind, users)} WHERE n % 20 = 0",
        f"INSERT INTO subscriptions (id, user_id, stripe_id, is_current, tier, period, status, created_at, updated_at) "
        f"SELECT {_id(kind, 8_000)}, {_id(kind, 1_000)}, 'sub_' || {number}, {true}, "
        f"CASE n % 3 WHEN 0 THEN 'creator' WHEN 1 THEN 'producer' ELSE 'business' END, 'monthly', "
        f"CASE WHEN n % 30 = 1 THEN 'past_due' ELSE 'active' END, {ago}, {ago} FROM {_series(kind, users)} "
        f"WHERE n % 5 = 1",
    ]


def _work(kind: str, users: int, files: int, teams: int) -> list[str]:
    number, ago, json = _made(kind, "text", value="n"), _ago(kind, _AGE), _made(kind, "json")
    true, false = _made(kind, "true"), _made(kind, "false")
    file, job = _id(kind, 3_000), _id(kind, 4_000)
    often = max(1, users // 1_000)
    person = f"CASE WHEN n % 11 = 0 THEN {_person(kind, often)} ELSE {_person(kind, users)} END"
    status = (
        "CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 2000 = 1 THEN 'waiting' WHEN n % 97 = 0 THEN 'abandoned' "
        "ELSE 'completed' END"
    )
    return [
        f"INSERT INTO files (id, user_id, team_id, slug, name, filename, kind, status, progress, phase, error, "
        f"error_code, language, size_bytes, duration_ms, facts, original_key, plays_in_browser, engine, created_at, "
        f"updated_at, deleted_at) SELECT {file}, {person}, CASE WHEN n % 5 = 0 THEN {_team(kind, teams)} END, "
        f"'slug' || {number}, CASE n % 4 WHEN 0 THEN 'Interview ' WHEN 1 THEN 'Lecture ' WHEN 2 THEN 'News ' "
        f"ELSE 'Town hall ' END || {number}, 'talk.mp4', "
        f"CASE WHEN n % 3 = 0 THEN 'audio' ELSE 'video' END, {status}, 100, '', "
        f"CASE WHEN n % 50 = 0 THEN 'The sound could not be read.' END, NULL, "
        f"CASE n % 20 WHEN 0 THEN 'is-IS' WHEN 1 THEN 'de-DE' ELSE 'en-US' END, n * 104729 % 4000000000, "
        f"CASE WHEN n % 2000 = 1 THEN NULL ELSE n * 7907 % 7200000 END, {json}, 'o', {true}, "
        f"'whisper small', {ago}, {ago}, "
        f"CASE WHEN n % 40 = 3 THEN {_ago(kind, 'n % 2592000')} END FROM {_series(kind, files)}",
        f"INSERT INTO jobs (id, kind, subject_id, file_id, user_id, dedup_key, request, state, attempt, priority, "
        f"work, run_after, fence, cancel_requested, progress, phase, progress_done, progress_total, error_code, error, "
        f"created_at, updated_at, started_at, finished_at) SELECT {job}, 'transcribe', {file}, {file}, {person}, "
        f"'t' || {number}, {json}, CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 2000 = 1 THEN 'ready' "
        f"ELSE 'done' END, "
        f"1, 0, n * 7907 % 7200000, {ago}, 1, {false}, 100, '', 0, 0, "
        f"CASE WHEN n % 50 = 0 THEN CASE WHEN n % 100 = 0 THEN 'stage' ELSE 'stalled' END END, NULL, "
        f"{ago}, {ago}, {ago}, "
        f"CASE WHEN n % 2000 = 1 THEN NULL ELSE {ago} END FROM {_series(kind, files)}",
        f"INSERT INTO job_attempts (id, job_id, fence, number, kind, work, engine, device, started_at, ended_at, "
        f"ending) SELECT {_id(kind, 5_000)}, {job}, 1, 1, 'transcribe', n * 7907 % 7200000, "
        f"CASE WHEN n % 50 = 0 THEN NULL WHEN n % 3 = 0 THEN 'whisper small' ELSE 'whisper large-v3' END, "
        f"CASE WHEN n % 50 = 0 THEN NULL WHEN n % 3 = 0 THEN 'cpu' ELSE 'cuda' END, "
        f"{_ago(kind, f'({_AGE} + n % 600)')}, {ago}, "
        f"CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'done' END FROM {_series(kind, files)} WHERE n % 2000 <> 1",
    ]


def _records(kind: str, users: int, teams: int) -> list[str]:
    number, ago, json = _made(kind, "text", value="n"), _ago(kind, _AGE), _made(kind, "json")
    person = _person(kind, users, "n * 31")
    invoices, entries = users * INVOICES // USERS, users * ENTRIES // USERS
    administrators = max(1, users // 10_000)
    return [
        f"INSERT INTO invoices (id, number, user_id, customer_name, customer_email, customer_address, source, state, "
        f"currency, total, tax, period_start, period_end, issued_at, paid_at, lines, failures, created_at, updated_at) "
        f"SELECT {_id(kind, 9_000)}, CASE WHEN n % 100 = 0 THEN NULL ELSE 'INV-' || {number} END, {person}, "
        f"'Person ' || {number}, 'person' || {number} || '@example.com', '', "
        f"CASE WHEN n % 10 = 0 THEN 'contract' ELSE 'stripe' END, CASE WHEN n % 100 = 0 THEN 'draft' "
        f"WHEN n % 37 = 0 THEN 'open' WHEN n % 997 = 0 THEN 'void' ELSE 'paid' END, 'usd', 1000 + n % 9000, 0, "
        f"{ago}, {ago}, CASE WHEN n % 100 <> 0 THEN {ago} END, CASE WHEN n % 100 <> 0 AND n % 37 <> 0 THEN {ago} END, "
        f"{_made(kind, 'list')}, 0, {ago}, {ago} FROM {_series(kind, invoices)}",
        f"INSERT INTO audit_entries (id, at, action, actor_id, actor_email, subject_id, team_id, object_kind, "
        f"object_id, details, network) SELECT {_id(kind, 10_000)}, {ago}, CASE n % 20 WHEN 0 THEN 'browse_as.started' "
        f"WHEN 1 THEN 'browse_as.opened' WHEN 2 THEN 'file.deleted' WHEN 3 THEN 'password.changed' "
        f"ELSE 'account.signed_in' END, CASE WHEN n % 20 < 2 THEN {_person(kind, administrators)} ELSE {person} END, "
        f"'person' || {number} || '@example.com', {person}, CASE WHEN n % 7 = 0 THEN {_team(kind, teams)} END, "
        f"CASE WHEN n % 20 = 2 THEN 'file' END, CASE WHEN n % 20 = 2 THEN 'slug' || {number} END, {json}, "
        f"'192.0.2.0/24' FROM {_series(kind, entries)}",
    ]
