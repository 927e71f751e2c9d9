import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { installCodex } from "@quire/testkit";
import { realVersion } from "./contestants.ts";

/** The real exec-server, which runs commands for app-servers elsewhere. Its owner disposes of it. */
export interface ExecServer extends AsyncDisposable {
  readonly url: string;
}

/** @param url Where to listen; any free port unless given. */
export async function execServer(home: string, url = "ws://127.0.0.1:0"): Promise<ExecServer> {
  const command = await installCodex(realVersion);
  const env = { ...process.env, CODEX_HOME: home };
  const child = spawn(command, ["exec-server", "--listen", url], { env, stdio: ["ignore", "pipe", "pipe"] });
  return {
    url: await address(child),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** It says where it listens. */
function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const read = (text: unknown) => {
      said += String(text);
      const [url] = /ws:\/\/\d+\.\d+\.\d+\.\d+:\d+/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`The exec-server ended: ${said}`)));
  });
}
