"""An installation of a large customer: people, files, jobs and attempts of the last two years, made by the database."""

from __future__ import annotations

from sqlalchemy import text

from api.db.engine import Database

USERS = 100_000
FILES = 1_000_000
TEAMS = 5_000

_SERIES = {
    "sqlite": "(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {count}) SELECT n FROM s) s",
    "postgresql": "generate_series(1::bigint, {count}) s(n)",
}
_WORDS = {
    "sqlite": {
        "id": "substr(printf('%032x', {n} * 2654435761 + {salt}), 1, 32)",
        "ago": "(strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || ({seconds}) || ' seconds') || '000')",
        "text": "printf('%s', {value})",
        "json": "'{}'",
        "true": "1",
        "false": "0",
    },
    "postgresql": {
        "id": "lpad(to_hex({n} * 2654435761::bigint + {salt}), 32, '0')::uuid",
        "ago": "(now() - make_interval(secs => {seconds}))",
        "text": "({value})::text",
        "json": "'{}'::jsonb",
        "true": "true",
        "false": "false",
    },
}


async def fill(database: Database, *, users: int = USERS, files: int = FILES, teams: int = TEAMS) -> None:
    """Most files are finished, 1 in 50 failed, 1 in 2,000 waits; 1 person in 1,000 has a hundred times as many."""
    kind = database.engine.dialect.name
    words = _WORDS[kind]

    def made(word: str, **values: object) -> str:
        return words[word].format(**values)

    def series(count: int) -> str:
        return _SERIES[kind].format(count=count)

    day = 86_400
    person = made("id", n="(1 + n % {users})", salt=1_000).replace("{users}", str(users))
    team = made("id", n="(1 + n % {teams})", salt=2_000).replace("{teams}", str(teams))
    file, job = made("id", n="n", salt=3_000), made("id", n="n", salt=4_000)
    # Spread evenly over two years, in an order unlike that of the ids.
    age = f"(n * 7919 % {730 * day})"
    number = made("text", value="n")
    status = (
        "CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 2000 = 1 THEN 'waiting' WHEN n % 97 = 0 THEN 'abandoned' "
        "ELSE 'completed' END"
    )
    statements = [
        f"INSERT INTO users (id, name, email, password_hash, is_admin, created_at, updated_at) "
        f"SELECT {made('id', n='n', salt=1_000)}, 'Person ' || {number}, 'person' || {number} || '@example.com', '-', "
        f"{words['false']}, {made('ago', seconds=age)}, {made('ago', seconds=age)} FROM {series(users)}",
        f"INSERT INTO teams (id, name, is_active, created_at, updated_at) "
        f"SELECT {made('id', n='n', salt=2_000)}, 'Team ' || {number}, {words['true']}, {made('ago', seconds=age)}, "
        f"{made('ago', seconds=age)} FROM {series(teams)}",
        f"INSERT INTO files (id, user_id, team_id, slug, name, filename, kind, status, progress, phase, error, "
        f"error_code, language, size_bytes, duration_ms, facts, original_key, plays_in_browser, engine, created_at, "
        f"updated_at, deleted_at) SELECT {file}, {person}, CASE WHEN n % 5 = 0 THEN {team} END, "
        f"'slug' || {number}, CASE n % 4 WHEN 0 THEN 'Interview ' WHEN 1 THEN 'Lecture ' WHEN 2 THEN 'News ' "
        f"ELSE 'Town hall ' END || {number}, 'talk.mp4', "
        f"CASE WHEN n % 3 = 0 THEN 'audio' ELSE 'video' END, {status}, 100, '', "
        f"CASE WHEN n % 50 = 0 THEN 'The sound could not be read.' END, NULL, "
        f"CASE n % 20 WHEN 0 THEN 'is-IS' WHEN 1 THEN 'de-DE' ELSE 'en-US' END, n * 104729 % 4000000000, "
        f"CASE WHEN n % 2000 = 1 THEN NULL ELSE n * 7907 % 7200000 END, {words['json']}, 'o', {words['true']}, "
        f"'whisper small', {made('ago', seconds=age)}, {made('ago', seconds=age)}, "
        f"CASE WHEN n % 40 = 3 THEN {made('ago', seconds='n % 2592000')} END FROM {series(files)}",
        f"INSERT INTO jobs (id, kind, subject_id, file_id, user_id, dedup_key, request, state, attempt, priority, "
        f"work, run_after, fence, cancel_requested, progress, phase, progress_done, progress_total, error_code, error, "
        f"created_at, updated_at, started_at, finished_at) SELECT {job}, 'transcribe', {file}, {file}, {person}, "
        f"'t' || {number}, {words['json']}, CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 2000 = 1 THEN 'ready' "
        f"ELSE 'done' END, "
        f"1, 0, n * 7907 % 7200000, {made('ago', seconds=age)}, 1, {words['false']}, 100, '', 0, 0, "
        f"CASE WHEN n % 50 = 0 THEN CASE WHEN n % 100 = 0 THEN 'stage' ELSE 'stalled' END END, NULL, "
        f"{made('ago', seconds=age)}, {made('ago', seconds=age)}, {made('ago', seconds=age)}, "
        f"CASE WHEN n % 2000 = 1 THEN NULL ELSE {made('ago', seconds=age)} END FROM {series(files)}",
        f"INSERT INTO job_attempts (id, job_id, fence, number, kind, work, engine, device, started_at, ended_at, "
        f"ending) SELECT {made('id', n='n', salt=5_000)}, {job}, 1, 1, 'transcribe', n * 7907 % 7200000, "
        f"CASE WHEN n % 50 = 0 THEN NULL WHEN n % 3 = 0 THEN 'whisper small' ELSE 'whisper large-v3' END, "
        f"CASE WHEN n % 50 = 0 THEN NULL WHEN n % 3 = 0 THEN 'cpu' ELSE 'cuda' END, "
        f"{made('ago', seconds=f'({age} + n % 600)')}, {made('ago', seconds=age)}, "
        f"CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'done' END FROM {series(files)} WHERE n % 2000 <> 1",
    ]
    async with database.write() as session:
        for statement in statements:
            # SQLAlchemy takes a colon before a letter for a parameter.
            await session.execute(text(statement.replace(":", "\\:")))
    if kind == "postgresql":
        async with database.read() as session:
            await session.execute(text("ANALYZE"))
