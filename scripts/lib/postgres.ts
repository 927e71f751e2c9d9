import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { aptInstall } from "./apt.ts";

/** True if tests can start a PostgreSQL server of their own. */
export async function hasPostgres(): Promise<boolean> {
  // Imported late: a broken testkit must fail its own tests, not the whole run.
  const { findPostgres } = await import("@quire/testkit/postgres");
  return findPostgres() !== null;
}

/** Installs Debian's programs, without the server that the package would start. Throws the remedy where it cannot. */
export async function installPostgres(): Promise<void> {
  if (process.getuid?.() === 0) {
    const folder = "/etc/postgresql-common/createcluster.d";
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/quire-tests.conf`, "create_main_cluster = false\n");
  }
  await aptInstall("postgresql", "Install PostgreSQL (Debian: apt-get install postgresql)");
}
