import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Thread } from "@quire/protocol";
import { reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import type { Stage } from "../../lib/stage.ts";
import { command, startThread } from "../../lib/steps.ts";

/** A handler of a hook, as `hooks.json` has it. */
export interface HookSetup {
  readonly command?: string;
  readonly type?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly input?: object;
  readonly matcher?: string;
  readonly timeout?: number;
  readonly async?: boolean;
  readonly statusMessage?: string;
}

/** Writes hooks, trusts them, and starts a thread. */
export async function withHooks(
  stage: Stage,
  hooks: Readonly<Record<string, HookSetup>>,
  params: object = { sandbox: "danger-full-access", approvalPolicy: "never" },
): Promise<{ peer: Peer; thread: Thread }> {
  const events = Object.entries(hooks).map(([event, { matcher, ...handler }]) => [
    event,
    [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: "command", timeout: 5, ...handler }] }],
  ]);
  writeFileSync(join(stage.home, "hooks.json"), JSON.stringify({ hooks: Object.fromEntries(events) }));
  const peer = await stage.connect();
  const { data } = await peer.result("hooks/list", { cwds: [stage.cwd] });
  const value = Object.fromEntries(
    data.flatMap((entry) => entry.hooks).map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]),
  );
  await peer.probe("config/batchWrite", {
    edits: [{ keyPath: "hooks.state", value, mergeStrategy: "upsert" }],
    reloadUserConfig: true,
  });
  await peer.request("hooks/list", { cwds: [stage.cwd] });
  return { peer, thread: await startThread(peer, params) };
}

/** A model that runs one command. */
export function runs(stage: Stage, cmd = "echo hi"): void {
  stage.model.script(command(cmd), reply().text("done"));
}
