import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findPostgres, type PostgresServer, postgresServer } from "@quire/testkit/postgres";
import { type Place, place, slow } from "../support/quire.ts";

const options = { ...slow, skip: findPostgres() === null && "PostgreSQL is not installed" };
let postgres: PostgresServer;
before(async () => {
  if (!options.skip) postgres = await postgresServer();
});
after(() => postgres?.stop());

const listed = async (it: Place): Promise<string[]> =>
  (await it.run(["threads", "--json"])).stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).preview);

/** Makes a home keep its threads in a database. */
function useDatabase(it: Place, url: string): void {
  writeFileSync(join(it.home, "config.toml"), `[store]\nurl = "${url}"\n`);
}

test("threads go from files into a database, to another home, and back into files", options, async () => {
  await using it = await place();
  await using other = await place();
  await using backup = await place();
  const url = await postgres.createDatabase();
  assert.equal((await it.run(["run", "first thread"])).code, 0);
  assert.equal((await it.run(["run", "second thread"])).code, 0);
  useDatabase(it, url);
  assert.deepEqual(await listed(it), [], "the database is empty");
  assert.equal((await it.run(["store", "import"])).stdout, "2 threads imported.\n");
  assert.equal((await it.run(["store", "import"])).stdout, "0 threads imported, 2 there already.\n");
  useDatabase(other, url);
  assert.deepEqual(await listed(other), ["second thread", "first thread"]);
  assert.equal((await other.run(["run", "third thread"])).code, 0);
  const exported = await it.run(["store", "export", "--home", backup.home]);
  assert.deepEqual([exported.code, exported.stdout], [0, "3 threads exported.\n"]);
  assert.deepEqual(await listed(backup), ["third thread", "second thread", "first thread"]);
});

test("without a database the commands say how to name one", options, async () => {
  await using it = await place();
  for (const args of [["store", "import"], ["fleet"]]) {
    const { code, stderr } = await it.run(args);
    assert.equal(code, 2);
    assert.match(stderr, /\[store\]\nurl = "postgres:/);
  }
  useDatabase(it, "mysql://nowhere");
  assert.match((await it.run(["threads"])).stderr, /\[store\] in config\.toml needs url = "postgres:/);
});

test("the fleet is empty until a server runs, and a server that is not there cannot be drained", options, async () => {
  await using it = await place();
  useDatabase(it, await postgres.createDatabase());
  assert.match((await it.run(["fleet"])).stdout, /^No server runs on this database\. It has 0 threads\./);
  const drained = await it.run(["fleet", "drain", "nobody"]);
  assert.equal(drained.code, 1);
  assert.match(drained.stderr, /no server is called nobody; there is none/);
});
