import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RealCodex } from "@quire/testkit";

/** Writes rollouts as Codex writes them, of so many messages and answers each. Returns their ids. */
export function storeThreads({ home, cwd }: Pick<RealCodex, "home" | "cwd">, count: number, items = 2): string[] {
  const ids: string[] = [];
  const folders = new Set<string>();
  for (let n = 0; n < count; n++) {
    const id = Bun.randomUUIDv7();
    const time = new Date(Date.UTC(2026, 0, 1 + (n % 28), 0, 0, n % 86_400));
    const timestamp = time.toISOString();
    const folder = join(home, "sessions", ...timestamp.slice(0, 10).split("-"));
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    const line = (type: string, payload: object) => `${JSON.stringify({ timestamp, type, payload })}\n`;
    const meta = {
      id,
      timestamp,
      cwd,
      originator: "bench",
      cli_version: "0.118.0",
      source: "vscode",
      model_provider: "mock",
    };
    let text = line("session_meta", meta);
    for (let item = 0; item < items; item += 2) {
      text += line("event_msg", { type: "user_message", message: `question ${n} ${item}`, images: [] });
      text += line("event_msg", { type: "agent_message", message: `answer ${n} ${item}` });
    }
    writeFileSync(join(folder, `rollout-${timestamp.slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`), text);
    ids.push(id);
  }
  return ids;
}
