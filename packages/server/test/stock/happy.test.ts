/** Happy's client for Codex, which looks for `codex` on PATH and asks it for its version first. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { reply } from "@quire/testkit";
import { clientFolder, skipWithoutClient } from "./support/client.ts";
import { patient, type Stage, stage, stepMs } from "./support/stage.ts";

/** The part of the package that holds the client; the package exports only its command. */
function clientModule(): string {
  const dist = join(clientFolder("happy"), "dist");
  const holds = (file: string) => readFileSync(join(dist, file), "utf8").includes("class CodexAppServerClient");
  return pathToFileURL(join(dist, readdirSync(dist).find((file) => file.endsWith(".mjs") && holds(file)) ?? "")).href;
}

/** Runs a script with the client in a program of its own, as the client takes PATH and folder from its process. */
function drive({ env, cwd, home }: Stage, script: string): Promise<unknown> {
  const source = `
    const parts = Object.values(await import(${JSON.stringify(clientModule())}));
    const Client = parts.find((part) => typeof part === "function" && part.name === "CodexAppServerClient");
    Client.REQUEST_TIMEOUT_MS = ${stepMs};
    const client = new Client();
    const events = [];
    client.setEventHandler((event) => events.push(event));
    await client.connect();
    ${script}
    await client.disconnect();
    process.exit(0);`;
  const child = spawn("node", ["--input-type=module", "-e", source], {
    cwd,
    env: { ...env, HAPPY_HOME_DIR: join(home, "happy") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data) => (stdout += data));
    child.stderr.on("data", (data) => (stderr += data));
    child.on("error", reject);
    child.on("close", (code) => {
      const last = stdout.trimEnd().split("\n").at(-1) ?? "";
      if (code === 0) resolve(JSON.parse(last));
      else reject(new Error(`ended with ${code}: ${stderr}`));
    });
  });
}

describe("happy", { skip: skipWithoutClient("happy") }, () => {
  test("its client starts a thread, sees a turn's events, and decides over a command", patient, async () => {
    await using set = await stage();
    const command = { cmd: "echo ran", sandbox_permissions: "require_escalated", justification: "why" };
    set.mock.script(reply().text("Good morning."), reply().functionCall("exec_command", command), reply().text("Ran."));
    const seen = (await drive(
      set,
      `const asked = [];
      client.setApprovalHandler(async (request) => { asked.push(request.type); return "approved"; });
      await client.startThread({ cwd: process.cwd(), approvalPolicy: "on-request", sandbox: "workspace-write" });
      const first = await client.sendTurnAndWait("hello");
      const second = await client.sendTurnAndWait("run it");
      const said = events.filter(({ type }) => type === "agent_message").map(({ message }) => message);
      console.log(JSON.stringify({ first, second, asked, said, goals: client.supportsGoalActions() }));`,
    )) as object;
    assert.deepEqual(seen, {
      first: { aborted: false },
      second: { aborted: false },
      asked: ["exec"],
      said: ["Good morning.", "Ran."],
      goals: true,
    });
  });
});
