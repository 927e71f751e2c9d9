import type { SQL } from "bun";

/**
 * The schema's steps, oldest first. A step that was released is never changed: a database remembers how many it has taken.
 *
 * A row of `threads` is the thread's entry in lists and the right to write it: the owner's number (`epoch`) goes up with
 * each new owner, and a chunk is taken only from the owner with that number. `chunks` are the bytes of the rollout.
 */
const steps: readonly string[] = [
  `
  CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT,
    token TEXT,
    started TIMESTAMPTZ NOT NULL DEFAULT now(),
    lease_until TIMESTAMPTZ NOT NULL,
    draining BOOLEAN NOT NULL DEFAULT false
  );
  CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    file TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    owner TEXT,
    seq INTEGER NOT NULL DEFAULT 0,
    bytes BIGINT NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    listed INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL DEFAULT 'unknown',
    parent TEXT,
    provider TEXT NOT NULL DEFAULT '',
    originator TEXT NOT NULL DEFAULT '',
    cwd TEXT NOT NULL DEFAULT '',
    name TEXT,
    preview TEXT NOT NULL DEFAULT '',
    created DOUBLE PRECISION NOT NULL DEFAULT 0,
    updated DOUBLE PRECISION NOT NULL DEFAULT 0,
    rest TEXT NOT NULL DEFAULT '{}'
  );
  CREATE INDEX threads_by_owner ON threads (owner) WHERE owner IS NOT NULL;
  CREATE INDEX threads_by_parent ON threads (parent) WHERE parent IS NOT NULL;
  CREATE INDEX threads_by_created ON threads (archived, created, id);
  CREATE INDEX threads_by_updated ON threads (archived, updated, id);
  CREATE TABLE chunks (
    thread TEXT NOT NULL REFERENCES threads ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, seq)
  );
  CREATE TABLE texts (
    thread TEXT NOT NULL REFERENCES threads ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    number INTEGER NOT NULL,
    turn TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, seq, number)
  );
  `,
  `
  CREATE SEQUENCE state_version;
  CREATE TABLE state_rows (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    row TEXT,
    version BIGINT NOT NULL,
    PRIMARY KEY (kind, key)
  );
  CREATE INDEX state_rows_by_version ON state_rows (version);
  `,
];

/** Any number that no other program is likely to use. */
const advisoryLock = 7_314_159;

/** Brings a database up to date. Servers that start together take turns. Throws for one of a later version. */
export async function migrate(sql: SQL): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`SELECT pg_advisory_xact_lock(${advisoryLock})`;
    await transaction`CREATE TABLE IF NOT EXISTS quire_schema (version INTEGER NOT NULL)`;
    const [row] = await transaction`SELECT version FROM quire_schema`;
    const version = (row as { version: number } | undefined)?.version ?? 0;
    if (version > steps.length) {
      throw new Error(
        `the database has version ${version} of the schema, this Quire knows ${steps.length}; update Quire`,
      );
    }
    for (const step of steps.slice(version)) await transaction.unsafe(step);
    if (row === undefined) await transaction`INSERT INTO quire_schema (version) VALUES (${steps.length})`;
    else if (version < steps.length) await transaction`UPDATE quire_schema SET version = ${steps.length}`;
  });
}
