import { execFile } from "node:child_process";
import { cleanPath } from "../../lib/clean-path.ts";
import { secretVariables } from "../../lib/secrets.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { asObject, type JsonObject } from "../records/normalize.ts";
import { parseJson } from "../remote/bounded-fetch.ts";
import type { BeadsSettings } from "./settings.ts";

/** Longest time and output of one call. */
const timeoutMs = 60_000;
const maxOutput = 64 * 1024 * 1024;

/**
 * Runs `bd`, the program of beads, in the folder of its database. What agents write may get there: no program is looked for in
 * it, and no credential is handed on.
 */
export class Bd {
  readonly #settings: BeadsSettings;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(settings: BeadsSettings, env: Readonly<Record<string, string | undefined>>) {
    this.#settings = settings;
    const own = Object.entries(env).filter(([name]) => !secretVariables.includes(name));
    this.#env = { ...Object.fromEntries(own), PATH: cleanPath(env.PATH, settings.folder) };
  }

  /** Runs a command; its answer is a list of records. */
  async list(args: readonly string[], signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const said = await this.run([...args, "--json"], signal);
    const value = said.trim() === "" ? [] : parseJson(said, "bd");
    if (value === null) return [];
    if (!Array.isArray(value)) throw new TrackerError("tracker_response", `bd ${args[0]} did not print a list.`);
    return value.map((each) => asObject(each) ?? {});
  }

  /** Runs a command to its end and returns what it printed. */
  run(args: readonly string[], signal?: AbortSignal): Promise<string> {
    const { command, folder } = this.#settings;
    return new Promise((done, fail) => {
      const options = { cwd: folder, env: this.#env, timeout: timeoutMs, maxBuffer: maxOutput, signal };
      execFile(command, [...args], options, (error, stdout, stderr) => {
        if (!error) return done(stdout);
        const why = error.code === "ENOENT" ? "it was not found" : (stderr.trim() || error.message).slice(0, 300);
        const remedy = `Run it in ${folder} yourself, or set tracker.provider.command and path`;
        fail(new TrackerError("tracker_request", `bd ${args[0]} failed (${why}). ${remedy}.`, { cause: error }));
      });
    });
  }
}
