import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { findPostgres, type PostgresServer, postgresServer } from "@quire/testkit/postgres";

const options = { skip: findPostgres() === null && "PostgreSQL is not installed" };

test("a server keeps what it stored over a crash, on the same port", options, async () => {
  await using server = await postgresServer();
  const url = await server.createDatabase();
  await query(url, "create table notes (text text)");
  await query(url, "insert into notes values ('kept')");
  const { pid } = server;
  await server.kill();
  assert.equal(existsSync(`/proc/${pid}`), false);
  await server.start();
  assert.equal(await query(url, "select text from notes"), "kept");
});

test("each database is empty, and a stopped server leaves nothing", options, async () => {
  const server: PostgresServer = await postgresServer();
  const [first, second] = [await server.createDatabase(), await server.createDatabase()];
  await query(first, "create table notes (text text)");
  assert.equal(await query(second, "select count(*) from pg_tables where schemaname = 'public'"), "0");
  const { pid } = server;
  await server.stop();
  await server.stop();
  assert.equal(existsSync(`/proc/${pid}`), false);
});

const run = promisify(execFile);

async function query(url: string, text: string): Promise<string> {
  const { stdout } = await run(join(findPostgres() ?? "", "psql"), ["-At", "-c", text, url]);
  return stdout.trim();
}
