/** Stores in databases, with the drivers that Bun has. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { postgresStore, type SqliteDatabase, sqliteStore } from "@quire/agent/stores";
import { tempDir } from "@quire/testkit";
import { findPostgres, testDatabase } from "@quire/testkit/postgres";
import { storeContract } from "./support/store-contract.ts";

const builtin = <T>(name: string): Promise<T> => import(name) as Promise<T>;

const folder = await tempDir("stores-");
after(() => folder.remove());

const { Database } = await builtin<{ Database: new (path: string) => SqliteDatabase }>("bun:sqlite");
storeContract("SQLite", () => sqliteStore(new Database(join(folder.path, "store.db"))));

type Rows = Readonly<Record<string, unknown>>[];
interface Sql {
  unsafe(sql: string, params: string[]): Promise<Rows>;
  end(): Promise<void>;
}

if (findPostgres() === null) {
  test("PostgreSQL", { skip: "PostgreSQL is not installed" }, () => {});
} else {
  const { SQL } = await builtin<{ SQL: new (url: string) => Sql }>("bun");
  const sql = new SQL(await testDatabase());
  after(() => sql.end());
  const query = (text: string, params: string[]) => sql.unsafe(text, params);
  storeContract("PostgreSQL", () => postgresStore({ query }));

  test("14.6: the first calls of many stores make one table, and each may have its own", async () => {
    const stores = Array.from({ length: 10 }, () => postgresStore({ query, table: "many" }));
    await Promise.all(stores.map((store, index) => store.write(`k${index}`, "x")));
    assert.equal((await stores[0]?.keys())?.length, 10);
    assert.deepEqual(await postgresStore({ query, table: "other" }).keys(), []);
  });

  test("14.6: a database that was away is tried again, and rows may come as pg gives them", async () => {
    let away = true;
    const store = postgresStore({
      table: "later",
      query: async (text, params) => {
        if (away) throw new Error("connection refused");
        return { rows: await query(text, params) };
      },
    });
    await assert.rejects(store.read("a"), /connection refused/);
    away = false;
    await store.write("a", "x");
    assert.equal((await store.read("a"))?.text, "x");
  });
}

test("14.6: a name of a table that is none is refused", () => {
  for (const table of ["a; DROP TABLE b", "A", "", "x".repeat(64)])
    assert.throws(() => postgresStore({ query: async () => [], table }), /table has a name/);
});
