import { internalError, invalidRequest } from "../lib/rpc-errors.ts";
import { helperEnvironment, helperFolder, ownProgram } from "../run/helpers/own-program.ts";
import { runHelper } from "../run/helpers/run-helper.ts";
import { Semaphore } from "../run/helpers/semaphore.ts";
import type { Confinement } from "../run/process/launcher.ts";
import { sandboxLauncher } from "../run/sandbox/sandbox-launcher.ts";
import type { SandboxOptions } from "../run/sandbox/sandbox-options.ts";

const timeoutMs = 120_000;
const maxOutputBytes = 64 * 1024;

/** Each is a process of this program's size; others wait. */
const helpers = new Semaphore(4);

/** A change of a file or folder. */
export type FileChange =
  | { readonly kind: "write"; readonly path: string }
  | { readonly kind: "createDirectory"; readonly path: string; readonly recursive: boolean }
  | { readonly kind: "remove"; readonly path: string; readonly recursive: boolean; readonly force: boolean }
  | { readonly kind: "copy"; readonly path: string; readonly to: string; readonly recursive: boolean };

/** Turned into text and run by another process of this program in the sandbox, so it uses nothing from outside. */
async function change(given: FileChange): Promise<void> {
  const files = await import("node:fs/promises");
  const work = async () => {
    if (given.kind === "write") await files.writeFile(given.path, await Bun.stdin.bytes());
    else if (given.kind === "createDirectory") await files.mkdir(given.path, { recursive: given.recursive });
    else if (given.kind === "copy") {
      const { recursive } = given;
      await files.cp(given.path, given.to, { recursive, verbatimSymlinks: true });
    } else {
      try {
        const isFolder = (await files.lstat(given.path)).isDirectory();
        if (!isFolder) await files.unlink(given.path);
        else if (given.recursive) await files.rm(given.path, { recursive: true });
        else await files.rmdir(given.path);
      } catch (error) {
        if (!given.force || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
  };
  try {
    await work();
    await Bun.write(Bun.stdout, "{}");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    await Bun.write(Bun.stdout, JSON.stringify({ code, message }));
  }
}

/**
 * Changes a file within a sandbox, the same as that of commands: what it keeps, it keeps here too, by whatever links a
 * path leads. Throws the system's error, and an RPC error when there is no sandbox.
 */
export async function changeConfined(
  given: FileChange,
  confinement: Confinement,
  { sandbox, bytes = new Uint8Array(0) }: { readonly sandbox: SandboxOptions; readonly bytes?: Uint8Array },
): Promise<void> {
  using _ = await helpers.enter();
  const argv = ownProgram(`await (${change.toString()})(${JSON.stringify(given)})`);
  const launch = launched({ argv, cwd: helperFolder, env: helperEnvironment(sandbox.env) }, confinement, sandbox);
  const release = launch.hold?.();
  let end: Awaited<ReturnType<typeof runHelper>>;
  try {
    end = await runHelper({ ...launch, input: bytes, timeoutMs, maxOutputBytes });
  } finally {
    release?.();
  }
  if (end?.stopped) throw internalError(`the change in the sandbox took longer than ${timeoutMs} ms`);
  const answer = parsed(end?.output);
  if (!answer || end?.code !== 0) throw internalError("the change in the sandbox failed: its helper did not answer");
  if (answer.code === "ERR_FS_EISDIR")
    throw invalidRequest("fs/copy requires recursive: true when sourcePath is a directory");
  if (answer.message !== undefined) throw Object.assign(new Error(answer.message), { code: answer.code });
}

type Answer = { readonly code?: string; readonly message?: string };

function parsed(output: Buffer | undefined): Answer | undefined {
  try {
    return JSON.parse(String(output)) as Answer;
  } catch {
    return undefined;
  }
}

function launched(
  launch: Parameters<ReturnType<typeof sandboxLauncher>>[0],
  confinement: Confinement,
  sandbox: SandboxOptions,
): ReturnType<ReturnType<typeof sandboxLauncher>> {
  try {
    return sandboxLauncher(sandbox)(launch, confinement);
  } catch (error) {
    throw internalError(`cannot confine the change: ${(error as Error).message}`);
  }
}
