import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { bunFlags } from "./bun-flags.ts";

/** A process that has lasted so long is in real use, and has done what was urgent. */
const laterMs = 30_000;

/** Has a bundle made for the next starts, if this process runs from source and lasts. A machine of a CI has no next. */
export function bundleLater(env: Readonly<Record<string, string | undefined>>, afterMs: number = laterMs): void {
  const home = env.HOME;
  if (!home || env.CI || process.platform === "win32" || Bun.main.startsWith("/$bunfs/")) return;
  setTimeout(() => {
    const program = fileURLToPath(new URL("build.ts", import.meta.url));
    const child = spawn(process.execPath, [...bunFlags, program, home], { cwd: "/", env: {}, stdio: "ignore" });
    // Behind everything else that the machine has to do.
    child.once("spawn", () => setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW));
    child.once("error", () => undefined);
    child.unref();
  }, afterMs).unref();
}
