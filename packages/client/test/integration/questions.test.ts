import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  type ApprovalRequest,
  type ClientWarning,
  type CommandApproval,
  type FileChangeApproval,
  policies,
  type QuestionHandlers,
  type ThreadHandle,
  type TurnHandle,
  type TurnResult,
  WithdrawnError,
} from "@quire/client";
import { gate, isWithin, type Reply, reply } from "@quire/testkit";
import { sharedAsker } from "./shared-server.ts";
import { type Fixture, onEachCodex, spawned } from "./support.ts";

const command = (callId: string, file = "made.txt") =>
  reply().functionCall("exec_command", { cmd: `touch ${file}` }, { callId });
const patch = (callId: string, text: string) =>
  reply().functionCall("exec_command", { cmd: `apply_patch <<'EOF'\n${text}\nEOF\n` }, { callId });
const addition = "*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch";

/** A thread in a folder of its own, in which the server asks before every command and every change. */
interface Asking {
  readonly thread: ThreadHandle;
  readonly folder: string;
  readonly warnings: ClientWarning[];
  /** The path of a file in the folder. */
  at(name: string): string;
  /** Runs a turn in which the model answers so. */
  run(...replies: Reply[]): TurnHandle;
}

async function ask({ client, codex, mock }: Fixture, name: string): Promise<Asking> {
  const folder = join(codex.cwd, name);
  await mkdir(folder);
  const warnings: ClientWarning[] = [];
  client.on("warning", (warning) => warnings.push(warning));
  const thread = await client.thread({ approvalPolicy: "untrusted", cwd: folder });
  const run = (...replies: Reply[]) => {
    mock.when(`test ${name}.`).reply(...replies);
    return thread.run(`test ${name}.`);
  };
  return { thread, folder, warnings, at: (file) => join(folder, file), run };
}

/** One server for many tests, each with a thread, a folder and deciders of its own. */
function oneServer(version: string): (name: string, handlers: QuestionHandlers) => Promise<Asking & Fixture> {
  const asker = sharedAsker(version);
  return async (name, handlers) => {
    const fixture = asker(handlers);
    return { ...fixture, ...(await ask(fixture, name)) };
  };
}

/** What became of the commands and changes of a turn, in order. */
const fates = ({ items }: TurnResult) => items.flatMap((item) => ("status" in item ? [item.status] : []));

await onEachCodex("approvals", "0.98.0", (version) => {
  const asking = oneServer(version);

  test("an accepted command runs, and whoever decides sees what it is about", async () => {
    const asked: CommandApproval[] = [];
    const it = await asking("accept", {
      onApproval: {
        command: (request) => {
          asked.push(request);
          return request.accept();
        },
      },
    });
    const result = await it.run(command("call-1"), command("call-2"), reply().text("Done."));
    assert.deepEqual(fates(result), ["completed", "completed"]);
    assert.ok(existsSync(it.at("made.txt")));
    const ids = asked.map(({ itemId }) => itemId);
    assert.deepEqual(ids, ["call-1", "call-2"], "once means once");
    const [first] = asked;
    assert.match(first?.command ?? "", /touch made\.txt/);
    assert.equal(first?.cwd, it.folder);
    assert.equal(first?.threadId, it.thread.id);
    assert.equal(first?.turnId, result.turn.id);
    assert.deepEqual(it.warnings, []);
  });

  for (const decision of ["acceptForSession", "acceptWithAmendment"] as const) {
    test(`after ${decision} the same command is not asked about again`, async () => {
      let asked = 0;
      const it = await asking(decision, {
        onApproval: {
          command: (request) => {
            asked++;
            return request[decision]();
          },
        },
      });
      const file = `${decision}.txt`;
      const result = await it.run(command("call-1", file), command("call-2", file), reply().text("Done."));
      assert.deepEqual(fates(result), ["completed", "completed"]);
      assert.equal(asked, 1);
      const rules = await readFile(join(it.codex.home, "rules", "default.rules"), "utf8").catch(() => "");
      assert.equal(rules.includes(file), decision === "acceptWithAmendment", "only a rule outlives the session");
    });
  }

  test("a declined command does not run, the model is told, and the turn goes on", async () => {
    const it = await asking("decline", { onApproval: { command: () => "decline" } });
    const result = await it.run(command("call-1"), reply().text("I will not."));
    assert.deepEqual(fates(result), ["declined"]);
    assert.equal(result.agentMessage, "I will not.");
    assert.match(it.mock.last?.functionOutput("call-1") ?? "", /rejected by user/);
    assert.ok(!existsSync(it.at("made.txt")));
  });

  test("cancel does not run the command and ends the turn", async () => {
    const it = await asking("cancel", { onApproval: { command: (request) => request.cancel() } });
    const before = it.mock.requests.length;
    const result = await it.run(command("call-1"));
    assert.equal(result.status, "interrupted");
    // Up to 0.110, Codex may be about to tell the model of the rejection when it ends the turn.
    const more = it.mock.requests.slice(before + 1);
    const isLate = isWithin(version, { until: "0.110.0" });
    const allowed = isLate ? more.filter((asked) => /rejected by user/.test(asked.functionOutput("call-1") ?? "")) : [];
    assert.deepEqual(more, allowed, "the model is not asked again");
    assert.ok(!existsSync(it.at("made.txt")));
  });

  test("a question is withdrawn when its turn is interrupted", async () => {
    const asked = gate();
    let signal: AbortSignal | undefined;
    const it = await asking("interrupted", {
      onApproval: {
        command: (request) => {
          ({ signal } = request);
          asked.open();
          return new Promise<never>(() => {});
        },
      },
    });
    const turn = it.run(command("call-1"));
    await asked;
    await turn.interrupt();
    assert.equal((await turn).status, "interrupted");
    assert.ok(signal?.reason instanceof WithdrawnError);
    assert.deepEqual(it.warnings, []);
  });

  for (const decision of ["accept", "decline"] as const) {
    const isAccepted = decision === "accept";
    test(`the diffs are shown before the decision; ${decision} ${isAccepted ? "writes" : "leaves"} the files`, async () => {
      const asked: FileChangeApproval[] = [];
      const it = await asking(`${decision}-files`, {
        onApproval: {
          fileChange: (request) => {
            asked.push(request);
            return decision;
          },
        },
      });
      await writeFile(it.at("old.txt"), "one\n");
      const text = addition.replace("*** End", "*** Update File: old.txt\n@@\n-one\n+two\n*** End");
      const result = await it.run(patch("call-1", text), reply().text("Done."));
      assert.equal(asked.length, 1);
      const changes = asked[0]?.changes.map(({ path, kind, diff }) => [path, kind.type, diff]);
      assert.deepEqual(changes?.[0], [it.at("new.txt"), "add", "new\n"]);
      assert.deepEqual(changes?.[1]?.slice(0, 2), [it.at("old.txt"), "update"]);
      assert.match(changes?.[1]?.[2] ?? "", /-one\n\+two\n/);
      assert.deepEqual(fates(result), [isAccepted ? "completed" : "declined"]);
      assert.equal(await readFile(it.at("old.txt"), "utf8"), isAccepted ? "two\n" : "one\n");
      assert.equal(existsSync(it.at("new.txt")), isAccepted);
      if (!isAccepted) assert.match(it.mock.last?.functionOutput("call-1") ?? "", /rejected by user/);
    });
  }
});

await onEachCodex("approvals without a user", "0.98.0", (version) => {
  const asking = oneServer(version);

  const failures: [why: string, code: ClientWarning["code"], handlers: QuestionHandlers, says: RegExp][] = [
    ["nobody decides", "declined", {}, /set onApproval/],
    ["nobody decides its kind", "declined", { onApproval: { fileChange: () => "accept" } }, /onApproval\.command/],
    ["who decides throws", "handler-failed", { onApproval: () => Promise.reject(new Error("no tty")) }, /no tty/],
  ];
  for (const [why, code, handlers, says] of failures) {
    test(`a command is declined with a warning, and the turn goes on, when ${why}`, async () => {
      await using fixture = await spawned(version, handlers);
      const it = await ask(fixture, "failure");
      const result = await it.run(command("call-1"), reply().text("Then not."));
      assert.deepEqual(fates(result), ["declined"]);
      assert.equal(result.agentMessage, "Then not.");
      const codes = it.warnings.map((warning) => warning.code);
      assert.deepEqual(codes, [code]);
      assert.match(it.warnings[0]?.message ?? "", says);
    });
  }

  for (const name of ["acceptAll", "declineAll", "nonInteractive"] as const) {
    const fate = name === "acceptAll" ? "completed" : "declined";
    test(`policies.${name} leaves commands and changes ${fate}, without warnings`, async () => {
      const it = await asking(name, policies[name]);
      const result = await it.run(command("call-1"), patch("call-2", addition), reply().text("Done."));
      assert.deepEqual(fates(result), [fate, fate]);
      for (const file of ["made.txt", "new.txt"]) assert.equal(existsSync(it.at(file)), fate === "completed");
      assert.deepEqual(it.warnings, []);
    });
  }
});

await onEachCodex(
  "conversations of the oldest kind",
  "0.98.0",
  (version) => {
    for (const decision of ["acceptForSession", "decline"] as const) {
      test(`they ask in words of their own, and ${decision} is understood`, async () => {
        const asked: string[] = [];
        const onApproval = ({ method, itemId }: ApprovalRequest) => {
          asked.push(`${method} ${itemId}`);
          return decision;
        };
        await using it = await spawned(version, { onApproval });
        it.mock.script(command("call-1"), patch("call-2", addition), reply().text("Done."));
        const ended = new Promise<void>((resolve) => {
          it.client.on("notification", ({ method }) => method === "codex/event/task_complete" && resolve());
        });
        const { conversationId } = (await it.client.requestUntyped("newConversation", {
          approvalPolicy: "untrusted",
        })) as { conversationId: string };
        await it.client.requestUntyped("addConversationListener", { conversationId });
        const items = [{ type: "text", data: { text: "go", text_elements: [] } }];
        await it.client.requestUntyped("sendUserMessage", { conversationId, items });
        await ended;
        assert.deepEqual(asked, ["execCommandApproval call-1", "applyPatchApproval call-2"]);
        for (const name of ["made.txt", "new.txt"])
          assert.equal(existsSync(join(it.codex.cwd, name)), decision !== "decline");
      });
    }
  },
  "0.98.0",
);
