import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { installOurs } from "./installed.ts";

/** Runtime of a contestant. */
export type Runtime = "bun" | "node";

/** Longer than any contestant may take; one that loses the end of a turn would wait for ever. */
const patienceMs = 120_000;

/**
 * The contestants, each file transpiled for itself: what it imports from a package is loaded from there, our packages as
 * they are published. Disposal removes the files.
 */
export class Contestants implements Disposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param files Their URLs. */
  static async build(files: readonly string[]): Promise<Contestants> {
    // Within the repository, so that what our packages do not bring is found there.
    const folder = mkdtempSync(join(await installOurs(), "contestants-"));
    const built = await Bun.build({
      entrypoints: files.map((file) => fileURLToPath(file)),
      target: "node",
      packages: "external",
      outdir: folder,
      splitting: true,
      naming: "[name].mjs",
    });
    if (!built.success) throw new AggregateError(built.logs, "the contestants cannot be built");
    return new Contestants(folder);
  }

  /** Runs one in a process of its own and returns what it printed on its last line. */
  async run<Result>(
    runtime: Runtime,
    file: string,
    args: readonly string[],
    env: Record<string, string>,
  ): Promise<Result> {
    const { stdout } = await this.#start(runtime, file, args, env);
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Result;
  }

  /** Runs one and returns the ms from the start of its process to the first thing that it printed. */
  async timeToOutput(runtime: Runtime, file: string, args: readonly string[]): Promise<number> {
    return (await this.#start(runtime, file, args, {})).firstOutputMs;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }

  #start(runtime: Runtime, file: string, args: readonly string[], env: Record<string, string>): Promise<Outcome> {
    const began = performance.now();
    const child = spawn(runtime === "bun" ? process.execPath : "node", [join(this.#folder, file), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
      timeout: patienceMs,
    });
    return new Promise((resolve, reject) => {
      let stdout = "";
      let stderr = "";
      let firstOutputMs = 0;
      child.stdout.on("data", (chunk) => {
        firstOutputMs ||= performance.now() - began;
        stdout += chunk;
      });
      child.stderr.on("data", (chunk) => {
        stderr += chunk;
      });
      child.once("error", reject);
      child.once("close", (code) => {
        if (code === 0) resolve({ stdout, firstOutputMs });
        else
          reject(
            new Error(`${runtime} ${file} ${args[0]} ${args[1]} exited with ${code}: ${stderr.trim().slice(-2000)}`),
          );
      });
    });
  }
}

interface Outcome {
  readonly stdout: string;
  readonly firstOutputMs: number;
}
