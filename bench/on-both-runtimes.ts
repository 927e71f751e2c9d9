import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/**
 * Runs one contestant file on Bun from source and on Node from a bundle of the same source, and hands back what each
 * printed as JSON on its last line. Peers stay outside the bundle: they run as they are published.
 */
export async function onBothRuntimes<Result>(
  file: string,
  args: string[] = [],
): Promise<{ bun: Result; node: Result }> {
  const folder = mkdtempSync(join(import.meta.dirname, "..", "node_modules", ".bench-"));
  try {
    const built = await Bun.build({
      entrypoints: [file],
      target: "node",
      packages: "bundle",
      outdir: folder,
      conditions: ["bun"],
      naming: "contestant.mjs",
    });
    if (!built.success) throw new AggregateError(built.logs, `${file} does not bundle`);
    return {
      bun: run<Result>(process.execPath, [file, ...args]),
      node: run<Result>("node", ["--expose-gc", join(folder, "contestant.mjs"), ...args]),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run<Result>(command: string, args: string[]): Result {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${status}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Result;
}
