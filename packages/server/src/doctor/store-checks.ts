import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../lib/error-message.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** Further problems of a broken index say nothing new. */
const shownProblems = 1;

/** Checks SQLite and the index of threads. */
export function checkDatabase({ home }: DoctorOptions): Finding {
  const path = join(home, "quire-index.sqlite");
  if (!existsSync(path)) {
    using memory = new Database(":memory:");
    const { version } = memory.query("select sqlite_version() as version").get() as { version: string };
    return ok(`SQLite ${version}; no index yet`);
  }
  const remedy = `delete ${path}: it is made anew from the threads`;
  try {
    using database = new Database(path, { readonly: true });
    const rows = database.query(`pragma quick_check(${shownProblems})`).values();
    const [[said] = []] = rows;
    return said === "ok" ? ok(path) : warning(`${path}: ${String(said)}`, remedy);
  } catch (error) {
    return warning(`${path}: ${errorMessage(error)}`, remedy);
  }
}

/** Counts the stored threads. */
export async function checkThreads({ home }: DoctorOptions): Promise<Finding> {
  const counts = await Promise.all(["sessions", "archived_sessions"].map((folder) => count(join(home, folder))));
  const [active = 0, archived = 0] = counts;
  if (counts.includes(undefined)) {
    return failed(`sessions below ${home} cannot be read`, "give yourself the right to read them");
  }
  return ok(`${active} stored, ${archived} archived`);
}

/** `undefined` when the folder cannot be read. */
async function count(folder: string): Promise<number | undefined> {
  if (!existsSync(folder)) return 0;
  let found = 0;
  try {
    for await (const _ of new Bun.Glob("**/rollout-*.jsonl").scan({ cwd: folder })) found++;
    return found;
  } catch {
    return undefined;
  }
}
