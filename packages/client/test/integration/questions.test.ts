import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import {
  type ClientWarning,
  CodexClient,
  type CommandApproval,
  type FileChangeApproval,
  policies,
  type QuestionHandlers,
  type ThreadHandle,
  type TurnResult,
  WithdrawnError,
} from "@quire/client";
import { eventually, gate, mockResponses, realCodex, reply } from "@quire/testkit";
import { type Fixture, onEachCodex, spawned } from "./support.ts";

const command = (callId: string) => reply().functionCall("exec_command", { cmd: "touch made.txt" }, { callId });
const patch = (callId: string, text: string) =>
  reply().functionCall("exec_command", { cmd: `apply_patch <<'EOF'\n${text}\nEOF\n` }, { callId });

interface Asking extends Fixture {
  readonly thread: ThreadHandle;
  readonly warnings: ClientWarning[];
  /** The path of a file in the workspace. */
  at(name: string): string;
}

/** A thread in which the server asks before every command and every change. */
async function asking(version: string, handlers: QuestionHandlers): Promise<Asking> {
  const fixture = await spawned(version, handlers);
  const warnings: ClientWarning[] = [];
  fixture.client.on("warning", (warning) => warnings.push(warning));
  const thread = await fixture.client.thread({ approvalPolicy: "untrusted" });
  return { ...fixture, thread, warnings, at: (name) => join(fixture.codex.cwd, name) };
}

/** What became of the commands and changes of a turn, in order. */
const fates = ({ items }: TurnResult) => items.flatMap((item) => ("status" in item ? [item.status] : []));

await onEachCodex("approving commands", "0.98.0", (version) => {
  test("an accepted command runs, and whoever decides sees what it is about", async () => {
    const asked: CommandApproval[] = [];
    const decide = (request: CommandApproval) => {
      asked.push(request);
      return request.accept();
    };
    await using it = await asking(version, { onApproval: { command: decide } });
    it.mock.script(command("call-1"), command("call-2"), reply().text("Done."));
    const result = await it.thread.run("go");
    assert.deepEqual(fates(result), ["completed", "completed"]);
    assert.ok(existsSync(it.at("made.txt")));
    assert.deepEqual(
      asked.map(({ itemId }) => itemId),
      ["call-1", "call-2"],
      "once means once",
    );
    const [first] = asked;
    assert.match(first?.command ?? "", /touch made\.txt/);
    assert.equal(first?.cwd, it.codex.cwd);
    assert.equal(first?.threadId, it.thread.id);
    assert.equal(first?.turnId, result.turn.id);
    assert.deepEqual(it.warnings, []);
  });

  for (const decision of ["acceptForSession", "acceptWithAmendment"] as const) {
    test(`after ${decision} the same command is not asked about again`, async () => {
      let asked = 0;
      const decide = (request: CommandApproval) => {
        asked++;
        return request[decision]();
      };
      await using it = await asking(version, { onApproval: { command: decide } });
      it.mock.script(command("call-1"), command("call-2"), reply().text("Done."));
      assert.deepEqual(fates(await it.thread.run("go")), ["completed", "completed"]);
      assert.equal(asked, 1);
      const kept = decision === "acceptWithAmendment";
      assert.equal(existsSync(join(it.codex.home, "rules", "default.rules")), kept, "only a rule outlives the session");
    });
  }

  test("a declined command does not run, the model is told, and the turn goes on", async () => {
    await using it = await asking(version, { onApproval: () => "decline" });
    it.mock.script(command("call-1"), reply().text("I will not."));
    const result = await it.thread.run("go");
    assert.deepEqual(fates(result), ["declined"]);
    assert.equal(result.agentMessage, "I will not.");
    assert.match(it.mock.last?.functionOutput("call-1") ?? "", /rejected by user/);
    assert.ok(!existsSync(it.at("made.txt")));
  });

  test("cancel does not run the command and ends the turn", async () => {
    await using it = await asking(version, { onApproval: (request) => request.cancel() });
    it.mock.script(command("call-1"), reply().text("never said"));
    const result = await it.thread.run("go");
    assert.equal(result.status, "interrupted");
    assert.equal(it.mock.requests.length, 1, "the model is not asked again");
    assert.ok(!existsSync(it.at("made.txt")));
  });

  const failures: [why: string, code: ClientWarning["code"], handlers: QuestionHandlers, says: RegExp][] = [
    ["there is no handler", "declined", {}, /set onApproval/],
    [
      "there is no handler of its kind",
      "declined",
      { onApproval: { fileChange: () => "accept" } },
      /onApproval\.command/,
    ],
    ["its handler throws", "handler-failed", { onApproval: () => Promise.reject(new Error("no tty")) }, /no tty/],
    ["its handler gives no answer", "declined", { onApproval: (() => {}) as never }, /request\.accept\(\)/],
  ];
  for (const [why, code, handlers, says] of failures) {
    test(`a command is declined with a warning, and the turn goes on, when ${why}`, async () => {
      await using it = await asking(version, handlers);
      it.mock.script(command("call-1"), reply().text("Then not."));
      const result = await it.thread.run("go");
      assert.deepEqual(fates(result), ["declined"]);
      assert.equal(result.agentMessage, "Then not.");
      assert.deepEqual(
        it.warnings.map((warning) => warning.code),
        [code],
      );
      assert.match(it.warnings[0]?.message ?? "", says);
    });
  }

  for (const [name, fate] of [
    ["acceptAll", "completed"],
    ["declineAll", "declined"],
    ["nonInteractive", "declined"],
  ] as const) {
    test(`policies.${name} leaves commands and changes ${fate}, without warnings`, async () => {
      await using it = await asking(version, policies[name]);
      const add = patch("call-2", "*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch");
      it.mock.script(command("call-1"), add, reply().text("Done."));
      assert.deepEqual(fates(await it.thread.run("go")), [fate, fate]);
      assert.equal(existsSync(it.at("made.txt")), fate === "completed");
      assert.equal(existsSync(it.at("new.txt")), fate === "completed");
      assert.deepEqual(it.warnings, []);
    });
  }

  test("a question is withdrawn when its turn is interrupted", async () => {
    const asked = gate();
    let signal: AbortSignal | undefined;
    const onApproval = (request: { signal: AbortSignal }) => {
      ({ signal } = request);
      asked.open();
      return new Promise<never>(() => {});
    };
    await using it = await asking(version, { onApproval });
    it.mock.script(command("call-1"), reply().text("never said"), reply().text("back to work"));
    const turn = it.thread.run("go");
    await asked;
    await turn.interrupt();
    assert.equal((await turn).status, "interrupted");
    assert.ok(signal?.reason instanceof WithdrawnError);
    assert.deepEqual(it.warnings, []);
  });
});

await onEachCodex("approving file changes", "0.98.0", (version) => {
  const text = "*** Begin Patch\n*** Add File: new.txt\n+new\n*** Update File: old.txt\n@@\n-one\n+two\n*** End Patch";
  for (const decision of ["accept", "decline"] as const) {
    const does = decision === "accept" ? "writes" : "leaves";
    test(`the diffs are shown before the decision; ${decision} ${does} the files`, async () => {
      const asked: FileChangeApproval[] = [];
      const decide = (request: FileChangeApproval) => {
        asked.push(request);
        return decision;
      };
      await using it = await asking(version, { onApproval: { fileChange: decide } });
      await writeFile(it.at("old.txt"), "one\n");
      it.mock.script(patch("call-1", text), reply().text("Done."));
      const result = await it.thread.run("go");
      assert.equal(asked.length, 1);
      const changes = asked[0]?.changes.map(({ path, kind, diff }) => [path, kind.type, diff]);
      assert.deepEqual(changes?.[0], [it.at("new.txt"), "add", "new\n"]);
      assert.deepEqual(changes?.[1]?.slice(0, 2), [it.at("old.txt"), "update"]);
      assert.match(changes?.[1]?.[2] ?? "", /-one\n\+two\n/);
      const accepted = decision === "accept";
      assert.deepEqual(fates(result), [accepted ? "completed" : "declined"]);
      assert.equal(await readFile(it.at("old.txt"), "utf8"), accepted ? "two\n" : "one\n");
      assert.equal(existsSync(it.at("new.txt")), accepted);
      if (!accepted) assert.match(it.mock.last?.functionOutput("call-1") ?? "", /rejected by user/);
    });
  }
});

await onEachCodex("two clients on one thread", "0.118.0", (version) => {
  test("both are asked; when one answers, the other's question is withdrawn", async () => {
    await using mock = await mockResponses();
    await using codex = await realCodex(version, { model: mock });
    const probe = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => probe.once("listening", resolve));
    const url = `ws://127.0.0.1:${(probe.address() as { port: number }).port}`;
    await new Promise((resolve) => probe.close(resolve));
    spawn(codex.command, [...codex.args, "--listen", url], { env: codex.env, cwd: codex.cwd, stdio: "ignore" });
    const otherAsked = gate();
    const withdrawn = gate();
    const hesitate = ({ signal }: { signal: AbortSignal }) => {
      signal.addEventListener("abort", () => signal.reason instanceof WithdrawnError && withdrawn.open());
      otherAsked.open();
      return new Promise<never>(() => {});
    };
    const onApproval = () => otherAsked.then(() => "accept" as const) as Promise<"accept">;
    const connect = (handlers: QuestionHandlers) => CodexClient.connect(url, handlers);
    await using decided = await eventually(() => connect({ onApproval }), { timeoutMs: 20_000 });
    await using hesitant = await connect({ onApproval: hesitate });
    mock.script(reply().text("Hello."), command("call-1"), reply().text("Done."));
    const thread = await decided.thread({ approvalPolicy: "untrusted" });
    await thread.run("hi");
    await hesitant.resume(thread.id);
    assert.deepEqual(fates(await thread.run("go")), ["completed"]);
    await withdrawn;
  });
});
