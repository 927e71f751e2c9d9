import { reply } from "@quire/testkit";
import type { DeclaredDifference, Scenario } from "../../lib/scenario.ts";
import { errorWords } from "../../lib/shared-differences.ts";
import { beginTurn, endOfTurn, runTurn, startThread, text } from "../../lib/steps.ts";

const settings = (more: Readonly<Record<string, string | number | boolean>>) =>
  Object.fromEntries(
    Object.entries({ enabled: true, ...more }).map(([key, value]) => [`features.current_time_reminder.${key}`, value]),
  );

const clock = (name: string, args: object, callId: string) =>
  reply().functionCall(name, args, { callId, namespace: "clock" });

const askedOnce: DeclaredDifference = {
  at: /^(event lacks:|order of) currentTime\/read/,
  reason: "The client's clock is read once for each request to the model; Codex reads it up to three times.",
};

/** The time that models are told, and waiting. */
export const time: readonly Scenario[] = [
  {
    name: "time/client-clock",
    covers: '`currentTime/read`: with `clock_source = "external"` the client tells what time it is',
    setup: { config: settings({ clock_source: "external" }) },
    quotes: [
      "<current_time_reminder>It is 2026-06-17 17:34:15 UTC.</current_time_reminder>",
      "It is 2026-06-17 17:34:17 UTC",
      "<current_date>2026-06-17",
    ],
    run: async (stage) => {
      let now = 1_781_717_655;
      stage.model.script(clock("curr_time", {}, "call-1"), reply().text("one"), reply().text("two"));
      const peer = await stage.connect();
      peer.answer("currentTime/read", () => ({ currentTimeAt: now }));
      const thread = await startThread(peer);
      await runTurn(peer, thread, "a");
      await runTurn(peer, thread, "b");
      now += 2;
      await runTurn(peer, thread, "c");
    },
    differences: [askedOnce],
  },
  {
    name: "time/no-clock",
    covers: "A turn fails where the client's clock does",
    setup: { config: settings({ clock_source: "external" }) },
    // The real server reads it before it takes in what the user said.
    free: ["currentTime/read"],
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      peer.answer("currentTime/read", () => {
        throw new Error("stopped");
      });
      await runTurn(peer, thread, "a");
      peer.answer("currentTime/read", () => ({ currentTimeAt: "noon" }));
      await runTurn(peer, thread, "b");
    },
    differences: [
      errorWords,
      {
        at: /^event adds: item\/(started|completed) userMessage/,
        reason: "What the user said is kept though the clock fails; Codex forgets it.",
      },
    ],
  },
  {
    name: "time/own-clock",
    covers: "`clock.sleep`, which new input ends; reminders only after input, and after a while",
    setup: {
      config: settings({
        sleep_tool: true,
        delivery_mode: "after_user_or_tool_output",
        reminder_interval_seconds: 900,
      }),
    },
    run: async (stage) => {
      stage.model.script(
        clock("sleep", { duration_ms: 10 }, "call-1"),
        clock("sleep", { duration_ms: 0 }, "call-2"),
        clock("sleep", {}, "call-3"),
        clock("sleep", { duration_ms: 3_600_000 }, "call-4"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id } = await beginTurn(peer, thread, "wait");
      await peer.waitFor("item/started", ({ item }) => item.id === "call-4");
      await peer.request("turn/steer", { threadId: thread.id, expectedTurnId: id, input: [text("enough")] });
      await endOfTurn(peer, id);
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
    },
  },
];
