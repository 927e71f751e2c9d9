import { spawn } from "node:child_process";
import { endGuarded, guarded, guardName, signalGroup } from "@quire/jsonrpc/processes";
import { WorkspaceError } from "./workspace-error.ts";

/** A hook, and where and how it runs. */
export interface HookRun {
  /** As in the workflow: `after_create`. */
  readonly name: string;
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Ends the hook early. */
  readonly signal?: AbortSignal | undefined;
}

/** Output of a hook that is kept, from its end. */
const maxOutput = 8 * 1024;
/** Time that the output may stay open after the shell is gone: a process left behind may hold it. */
const outputGraceMs = 500;

/** Runs a hook to its end and returns the last of its output. However it ends, all that it started is ended with it. */
export async function runHook(hook: HookRun): Promise<string> {
  hook.signal?.throwIfAborted();
  const env = { ...hook.env };
  const shell = ["/bin/sh", "-lc", hook.script];
  const words = guarded({ argv: shell, cwd: hook.cwd, env, ending: "exit" });
  const [program = "", ...args] = words ?? shell;
  const child = spawn(program, args, {
    cwd: hook.cwd,
    env,
    ...(words && { argv0: guardName }),
    stdio: ["ignore", "pipe", "pipe"],
    // Leader of a group, which can be ended as a whole.
    detached: true,
  });
  let output = "";
  const take = (chunk: Buffer) => {
    output = (output + chunk.toString("utf8")).slice(-maxOutput);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = () => {
    const { pid } = child;
    if (pid === undefined) return;
    if (!words) void signalGroup(pid, "SIGKILL");
    else if (child.exitCode === null && child.signalCode === null) endGuarded(pid);
  };
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, hook.timeoutMs);
  hook.signal?.addEventListener("abort", kill, { once: true });
  try {
    const status = await exited;
    kill();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, outputGraceMs))]);
    hook.signal?.throwIfAborted();
    if (timedOut) {
      throw new WorkspaceError(
        "hook_timeout",
        `hooks.${hook.name} timed out after ${hook.timeoutMs} ms (hooks.timeout_ms)${said(output)}`,
      );
    }
    if (status !== 0)
      throw new WorkspaceError("hook_failed", `hooks.${hook.name} exited with ${status}${said(output)}`);
    return output;
  } finally {
    clearTimeout(timer);
    hook.signal?.removeEventListener("abort", kill);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function said(output: string): string {
  const text = output.trim().slice(-400);
  return text === "" ? "" : `; output: ${text}`;
}
