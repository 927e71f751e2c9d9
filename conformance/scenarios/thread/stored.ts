import { existsSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import type { Thread } from "@quire/protocol";
import { eventually, reply } from "@quire/testkit";
import { realVersion } from "../../lib/contestants.ts";
import type { Peer } from "../../lib/peer.ts";
import type { DeclaredDifference, Scenario } from "../../lib/scenario.ts";
import { alwaysPaged } from "../../lib/shared-differences.ts";
import { command, runTurn, startThread } from "../../lib/steps.ts";

/** A thread that a Codex has written is found, read and gone on with. */
const mode: DeclaredDifference = {
  at: "model input adds: developer <collaboration mode>",
  reason: "The whole context is put before the history of a thread that Codex has stored; Codex appends to its own.",
};

function writtenBy(version: string, differences: readonly DeclaredDifference[] = []): Scenario {
  return {
    differences: [...differences, mode],
    name: `stored/codex-${version}`,
    covers: `A thread that Codex ${version} has stored is listed, read and resumed`,
    run: async (stage) => {
      stage.model.script(
        reply().reasoning(["why"], { encrypted: "ENC" }).text("one"),
        command("echo hi"),
        reply().text("two"),
      );
      const writer = await stage.connect({ codex: version });
      const { thread } = await writer.result("thread/start", {});
      for (const words of ["a", "b"]) await plainTurn(writer, thread.id, words);
      await writer.close();
      const peer = await stage.connect();
      await indexed(peer, thread.id);
      await peer.request("thread/list", {});
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
      await peer.request("thread/resume", { threadId: thread.id, excludeTurns: true });
      await runTurn(peer, thread, "c");
    },
  };
}

/** The real server takes in what it finds on its disk bit by bit. */
async function indexed(peer: Peer, threadId: string): Promise<void> {
  await eventually(async () => (await peer.probe("thread/read", { threadId }))?.thread.preview === "a", {
    what: "the thread with its first words",
  });
}

/** Old versions cannot be asked whether a turn is stored. */
async function plainTurn(peer: Peer, threadId: string, words: string): Promise<void> {
  await peer.result("turn/start", { threadId, input: [{ type: "text", text: words, text_elements: [] }] });
  await peer.waitFor("turn/completed");
}

/** Makes a file look as if nobody had touched it for so many days. */
function age(path: string, days: number): void {
  const then = Date.now() / 1000 - days * 24 * 3600;
  utimesSync(path, then, then);
}

/** A thread that this server and the real Codex work on in turn: each shows all that the other has done. */
function backAndForth(codexBegins: boolean): Scenario {
  return {
    name: `stored/back-and-forth-${codexBegins ? "from" : "to"}-codex`,
    covers: `A thread begun ${codexBegins ? "by the real Codex" : "here"}, gone on with by both: messages, commands and patches are there for each`,
    run: async (stage) => {
      const patch = "*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch\n";
      const replies = (round: number) => [
        reply()
          .reasoning(["sum"])
          .functionCall("exec_command", { cmd: `echo ${round}` }, { callId: `echo-${round}` }),
        reply().functionCall("exec_command", { cmd: `apply_patch <<'EOF'\n${patch}EOF` }, { callId: `patch-${round}` }),
        reply().text(`answer ${round}`),
      ];
      stage.model.script(...[1, 2, 3].flatMap(replies));
      let threadId = "";
      for (const round of [1, 2, 3]) {
        const isCodex = (round % 2 === 1) === codexBegins;
        const peer = await stage.connect(isCodex ? { codex: realVersion } : {});
        if (threadId === "") threadId = (await startThread(peer)).id;
        else {
          // Before it resumes a thread, the real Codex knows only what it has written itself.
          await peer.request("thread/resume", { threadId });
          await peer.request("thread/turns/list", { threadId, itemsView: "full" });
        }
        await plainTurn(peer, threadId, `round ${round}`);
        await peer.silence(300);
        await peer.close();
      }
      for (const options of [{ codex: realVersion }, {}]) {
        const peer = await stage.connect(options);
        await peer.request("thread/resume", { threadId });
        await peer.request("thread/read", { threadId, includeTurns: true });
        await peer.request("thread/items/list", { threadId });
        await peer.close();
      }
    },
    erratic: ["thread/readState/changed", "turn/diff/updated"],
    differences: [
      {
        at: /readState\.(firstUnread|revision)/,
        reason: "Which turns a user has read in Codex is in a database of Codex's own, which Quire leaves alone.",
      },
      {
        at: /^model input (lacks|adds): (developer <(collaboration mode|skills|permissions)>|user <environment>)/,
        reason: "Each server skips the other's context in a thread's file and adds its own.",
      },
    ],
  };
}

/** Homes that others have written, or write at the same time. */
export const stored: readonly Scenario[] = [
  ...[realVersion, "0.166.0"].map((version) =>
    writtenBy(version, [
      {
        at: /readStates?\.(thread-1\.)?(firstUnread|revision)/,
        reason: "Which turns a user has read in Codex is in a database of Codex's own, which Quire leaves alone.",
      },
    ]),
  ),
  writtenBy("0.118.0", [
    {
      at: /^model input lacks: (developer <permissions>|user <environment>)/,
      reason:
        "The whole context is put before the history of a thread that Codex has stored; Codex appends to its own.",
    },
    alwaysPaged,
    {
      at: /^reply thread\/read result\.thread\.turns\.(items|startedAt|completedAt|durationMs)$|^event adds: thread\/tokenUsage/,
      reason: "Of a thread that 0.118 has stored, commands, times and tokens are shown as well.",
    },
  ]),
  backAndForth(true),
  backAndForth(false),
  {
    name: "stored/compressed",
    covers: "`rollout/compress`: threads at rest are packed, and listed, searched, read and gone on with as before",
    run: async (stage) => {
      stage.model.script(...["one", "two", "three", "four"].map((words) => reply().text(words)));
      const writer = await stage.connect();
      const threads = [await startThread(writer), await startThread(writer), await startThread(writer)];
      for (const thread of threads) await runTurn(writer, thread, "a");
      const [old, young, archived] = threads as [Thread, Thread, Thread];
      await writer.request("thread/archive", { threadId: archived.id });
      await writer.waitFor("thread/archived");
      await writer.close();
      const moved = join(stage.home, "archived_sessions", basename(archived.path ?? ""));
      age(old.path ?? "", 8);
      age(young.path ?? "", 6);
      age(moved, 8);
      const peer = await stage.connect();
      await peer.request("rollout/compress");
      const [packed, unpacked] = [
        [`${old.path}.zst`, `${moved}.zst`],
        [old.path ?? "", moved],
      ];
      await eventually(() => packed.every((path) => existsSync(path)) && !unpacked.some((path) => existsSync(path)));
      stage.observe(
        "unpacked",
        [old.path ?? "", young.path ?? "", moved].map((path) => existsSync(path)),
      );
      for (const { id: threadId } of threads) await peer.request("thread/read", { threadId, includeTurns: true });
      await peer.request("thread/resume", { threadId: old.id, path: old.path, excludeTurns: true });
      await runTurn(peer, old, "b");
      stage.observe("packed after a turn", existsSync(`${old.path}.zst`));
      await peer.request("thread/unarchive", { threadId: archived.id });
      await peer.request("thread/read", { threadId: archived.id, includeTurns: true });
    },
  },
  {
    name: "stored/one-writer",
    covers: "A thread that one process has loaded, in another",
    differences: [
      {
        at: /^(reply (thread\/resume|turn\/start) (error|result)|event adds: |model requests)/,
        reason:
          "A thread has one writer while a turn runs, not as long as it is loaded: between turns another process may go on with it, and each takes over what the other has written.",
      },
    ],
    run: async (stage) => {
      const one = await stage.connect();
      const thread = await startThread(one);
      await runTurn(one, thread, "a");
      const other = await stage.connect();
      await other.request("thread/read", { threadId: thread.id });
      await other.request("thread/resume", { threadId: thread.id, excludeTurns: true });
      await other.request("turn/start", {
        threadId: thread.id,
        input: [{ type: "text", text: "b", text_elements: [] }],
      });
    },
  },
  {
    name: "stored/config-flags",
    covers: "`-c key=value` on the command line",
    run: async (stage) => {
      const peer = await stage.connect({ flags: ["-c", 'model="flag-model"', "-c", "model_reasoning_effort=high"] });
      await runTurn(peer, await startThread(peer), "a");
    },
  },
];
