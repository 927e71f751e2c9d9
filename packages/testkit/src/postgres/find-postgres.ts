import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Debian's folder of versions: their programs are not on PATH. */
const debianFolder = "/usr/lib/postgresql";

/** The folder with PostgreSQL's programs: the newest of Debian's, or what is on PATH. Null where there is none. */
export function findPostgres(): string | null {
  const onPath = (process.env.PATH ?? "").split(delimiter);
  return [...debianVersions(), ...onPath].find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

function debianVersions(): string[] {
  if (!existsSync(debianFolder)) return [];
  return readdirSync(debianFolder)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debianFolder, version, "bin"));
}
