import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type TempDir, tempDir } from "@quire/testkit";
import type { NewLine, SessionMeta, ThreadEvent } from "../../src/record/rollout-line.ts";
import type { TurnSettings } from "../../src/record/turn-settings.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Rollout, ThreadStore } from "../../src/store/thread-store.ts";
import { settingsIn } from "../support/settings.ts";

export { newestThreads as everything } from "../../src/store/thread-store.ts";

/** A store in a home of its own; disposing closes the one and removes the other. */
export interface TestStore extends AsyncDisposable {
  readonly store: ThreadStore;
  readonly home: string;
}

export async function testStore(): Promise<TestStore> {
  const dir: TempDir = await tempDir("quire-store-");
  const home = join(dir.path, "home");
  mkdirSync(home);
  const store = openStore(home);
  return {
    store,
    home,
    async [Symbol.asyncDispose]() {
      await store.close();
      await dir.remove();
    },
  };
}

/** What a new thread begins with. */
export function metaOf(
  id: string,
  more: Partial<SessionMeta> = {},
  quire: Partial<SessionMeta["quire"] & object> = {},
): SessionMeta {
  return {
    id,
    timestamp: new Date().toISOString(),
    cwd: "/work",
    originator: "test",
    cli_version: "1.0.0",
    source: "vscode",
    model_provider: "mock",
    ...more,
    quire: {
      source: "vscode",
      threadSource: null,
      serviceName: null,
      baseInstructions: null,
      developerInstructions: null,
      dynamicTools: [],
      config: null,
      parentThreadId: null,
      agentNickname: null,
      agentRole: null,
      ...quire,
    },
  };
}

export const event = (payload: ThreadEvent): NewLine => ({ type: "thread_event", payload });

export const settings: TurnSettings = settingsIn("/work");

/** The lines of a turn in which a user says something and the agent answers. */
export function turnLines(turnId: string, said: string, answer = "ok"): NewLine[] {
  const message = (role: string, text: string): NewLine => ({
    type: "response_item",
    turnId,
    payload: { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] },
  });
  const content = [{ type: "text" as const, text: said, text_elements: [] }];
  const now = Date.now();
  return [
    event({ kind: "turn_started", turnId, startedAtMs: now, rootTurnId: turnId }),
    message("user", said),
    event({ kind: "item_completed", turnId, item: { type: "userMessage", id: `${turnId}-said`, content } }),
    message("assistant", answer),
    event({ kind: "item_completed", turnId, item: { type: "agentMessage", id: `${turnId}-answer`, text: answer } }),
    event({ kind: "turn_completed", turnId, status: "completed", error: null, completedAtMs: now, durationMs: 0 }),
  ];
}

/** Stores a thread of one turn. */
export function storeThread(store: ThreadStore, said: string, meta: SessionMeta = metaOf(Bun.randomUUIDv7())): Rollout {
  const rollout = store.create(meta);
  rollout.append([{ type: "session_meta", payload: meta }, ...turnLines(`${meta.id}-1`, said)]);
  return rollout;
}
