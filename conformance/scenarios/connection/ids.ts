import type { Scenario } from "../../lib/scenario.ts";
import { text, unknownThread } from "../../lib/steps.ts";

/** Methods that name a thread, with what else they need. */
const methods: Readonly<Record<string, object>> = {
  "thread/read": {},
  "thread/turns/list": {},
  "thread/items/list": {},
  "thread/items/read": { turnId: "t", itemIds: ["i"] },
  "thread/resume": {},
  "thread/fork": {},
  "thread/archive": {},
  "thread/unarchive": {},
  "thread/delete": {},
  "thread/unsubscribe": {},
  "thread/name/set": { name: "x" },
  "thread/metadata/update": { gitInfo: { branch: "x" } },
  "thread/compact/start": {},
  "thread/revert": { beforeTurnId: "x" },
  "thread/inject_items": { items: [] },
  "thread/settings/update": {},
  "thread/backgroundTerminals/clean": {},
  "turn/start": { input: [text("x")] },
  "turn/steer": { expectedTurnId: "t", input: [text("x")] },
  "turn/interrupt": { turnId: "t" },
};

interface Case extends Pick<Scenario, "name" | "covers" | "differences"> {
  readonly threadId: string;
}

function withThread({ threadId, ...rest }: Case): Scenario {
  return {
    ...rest,
    run: async (stage) => {
      const peer = await stage.connect();
      for (const [method, params] of Object.entries(methods)) await peer.request(method, { threadId, ...params });
    },
  };
}

/** Thread ids that lead nowhere, in every method. */
export const ids: readonly Scenario[] = [
  withThread({
    name: "ids/unknown",
    covers: "An unknown thread in every method",
    threadId: unknownThread,
    differences: [
      {
        at: /^reply thread\/items\/(list|read) error/,
        reason: "An unknown thread is named as such; Codex says that the method is not supported.",
      },
    ],
  }),
  withThread({
    name: "ids/invalid",
    covers: "A thread id that is none, in every method",
    threadId: "bad",
    differences: [
      { at: /^reply \S+ error\.message/, reason: "The message quotes the id that is wrong; the code is the same." },
    ],
  }),
];
