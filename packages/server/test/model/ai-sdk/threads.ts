import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, gate, reply } from "@quire/testkit";
import { input } from "../../support/test-client.ts";
import { plan, type Scenario } from "./scenario.ts";
import { said } from "./stage.ts";

export const threads: Scenario[] = [
  {
    name: "a steered turn goes on with the new input",
    async run({ client, cwd, mock }) {
      const hold = gate();
      mock.script(reply().text(["half ", hold, "done"]), reply().text("In French."));
      const threadId = await client.thread({ cwd });
      const turnId = await client.start(threadId, "count");
      await client.waitFor("item/agentMessage/delta");
      await client.request("turn/steer", { threadId, expectedTurnId: turnId, input: input("in French") });
      hold.open();
      await client.ended(turnId);
      assert.equal(said(client).at(-1), "In French.");
      assert.match(mock.last.lastUserText, /in French/);
    },
  },
  {
    name: "a turn that is steered while its command runs answers the call first",
    async run({ client, cwd, mock }) {
      const slow = {
        cmd: "touch begun; while [ ! -e go ]; do sleep 0.02; done; echo through",
        login: false,
        yield_time_ms: 30_000,
      };
      mock.script(reply().functionCall("exec_command", slow), reply().text("Both done."));
      const threadId = await client.thread({ cwd });
      const turnId = await client.start(threadId, "run it");
      await eventually(() => existsSync(join(cwd, "begun")), { timeoutMs: 60_000 });
      await client.request("turn/steer", { threadId, expectedTurnId: turnId, input: input("and hurry") });
      writeFileSync(join(cwd, "go"), "");
      assert.equal((await client.ended(turnId)).status, "completed");
      assert.match(mock.last.functionOutputs()[0]?.output ?? "", /through/);
      assert.match(mock.last.lastUserText, /and hurry/);
    },
  },
  {
    name: "an interrupted answer ends the request, and the thread goes on",
    async run({ client, cwd, mock }) {
      const hold = gate();
      mock.script(reply().text(["half ", hold]), reply().text("Again."));
      const threadId = await client.thread({ cwd });
      const turnId = await client.start(threadId, "count");
      await client.waitFor("item/agentMessage/delta");
      await client.request("turn/interrupt", { threadId, turnId });
      assert.equal((await client.ended(turnId)).status, "interrupted");
      assert.equal(await mock.requests[0]?.ended, "aborted");
      assert.equal((await client.turn(threadId, "and now")).status, "completed");
      assert.equal(said(client).at(-1), "Again.");
    },
  },
  {
    name: "an interrupted command is answered in the next turn",
    async run({ client, cwd, mock }) {
      const slow = { cmd: "touch begun; sleep 60", login: false, yield_time_ms: 30_000 };
      mock.script(reply().functionCall("exec_command", slow), reply().text("Again."));
      const threadId = await client.thread({ cwd });
      const turnId = await client.start(threadId, "run it");
      await eventually(() => existsSync(join(cwd, "begun")), { timeoutMs: 60_000 });
      await client.request("turn/interrupt", { threadId, turnId });
      await client.ended(turnId);
      assert.equal((await client.turn(threadId, "and now")).status, "completed");
      assert.equal(mock.last.functionOutputs().length, 1);
    },
  },
  {
    name: "a compacted thread knows its summary",
    async run({ client, cwd, mock }) {
      mock.script(
        reply().functionCall("update_plan", plan),
        reply().text("First."),
        reply().text("THE SUMMARY"),
        reply().text("Second."),
      );
      const threadId = await client.thread({ cwd });
      const first = await client.turn(threadId, "one");
      await client.request("thread/compact/start", { threadId });
      const { turn } = await client.waitFor("turn/completed", ({ turn }) => turn.id !== first.id);
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.ok(mock.last.tools().length > 0, "the tools stay, for the cache");
      assert.equal((await client.turn(threadId, "two")).status, "completed");
      assert.match(mock.last.inputText("user"), /THE SUMMARY/);
    },
  },
  {
    name: "a compaction whose model calls a tool is asked again without any",
    async run({ client, cwd, mock }) {
      mock.script(
        reply().functionCall("update_plan", plan),
        reply().text("First."),
        reply().functionCall("update_plan", plan),
        reply().text("THE SUMMARY"),
        reply().text("Second."),
      );
      const threadId = await client.thread({ cwd });
      const first = await client.turn(threadId, "one");
      await client.request("thread/compact/start", { threadId });
      const { turn } = await client.waitFor("turn/completed", ({ turn }) => turn.id !== first.id);
      assert.equal(turn.status, "completed", turn.error?.message);
      await client.turn(threadId, "two");
      assert.match(mock.last.inputText("user"), /THE SUMMARY/);
    },
  },
  {
    name: "a thread whose server was closed in mid-turn goes on",
    async run(stage) {
      const { client, cwd, mock } = stage;
      const hold = gate();
      mock.script(reply().reasoning(["think"]).functionCall("update_plan", plan), reply().text(["half ", hold]));
      const threadId = await client.thread({ cwd });
      await client.start(threadId, "go");
      await client.waitFor("item/agentMessage/delta");
      await stage.close();
      const again = await stage.reopen();
      await again.request("thread/resume", { threadId });
      mock.script(reply().text("Whole."));
      const turn = await again.turn(threadId, "and now");
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.equal(mock.last.functionOutputs().length, 1);
      assert.deepEqual(said(again), ["Whole."]);
    },
  },
  {
    name: "a thread whose server was killed in the middle of its calls goes on, with each of them answered",
    async run(stage) {
      const { cwd, mock } = stage;
      await stage.close();
      const first = await stage.spawn();
      const run = (cmd: string) => ({ cmd, login: false, yield_time_ms: 30_000 });
      mock.script(
        reply().reasoning(["think"]).functionCall("exec_command", run("echo one")),
        reply()
          .functionCall("exec_command", run("touch begun; while [ ! -e go ]; do sleep 0.02; done"))
          .functionCall("exec_command", run("echo two")),
      );
      const threadId = await first.client.thread({ cwd });
      await first.client.start(threadId, "run them");
      await eventually(() => existsSync(join(cwd, "begun")), { timeoutMs: 60_000 });
      await first.kill();
      writeFileSync(join(cwd, "go"), "");
      const { client } = await stage.spawn();
      await client.request("thread/resume", { threadId });
      mock.script(reply().text("It goes on."));
      const turn = await client.turn(threadId, "and now");
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.deepEqual(said(client), ["It goes on."]);
      assert.equal(mock.last.functionOutputs().length, 3);
    },
  },
  {
    name: "a fork goes on by itself",
    async run({ client, cwd, mock }) {
      mock.script(
        reply().reasoning(["think"]).functionCall("update_plan", plan),
        reply().text("First."),
        reply().text("Second."),
      );
      const threadId = await client.thread({ cwd });
      await client.turn(threadId, "one");
      const { thread } = await client.request("thread/fork", { threadId });
      assert.equal((await client.turn(thread.id, "two")).status, "completed");
      assert.deepEqual(mock.last.messages("assistant"), ["First."]);
    },
  },
  {
    name: "another provider in mid-thread gets what it can read, and so does the first when it is back",
    async run(stage) {
      const { client, cwd, mock, other, otherWire, wire } = stage;
      const call = () =>
        reply().reasoning(["secret thought"], { encrypted: "SEALED" }).functionCall("update_plan", plan);
      mock.script(call(), reply().text("From the first."));
      const threadId = await client.thread({ cwd });
      await client.turn(threadId, "one");
      await stage.close();
      const second = await stage.reopen();
      await second.request("thread/resume", { threadId, modelProvider: "other", model: otherWire.model });
      other.script(call(), reply().text("From the other."));
      const turn = await second.turn(threadId, "two");
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.match(other.last.inputText("assistant"), /From the first/);
      assert.doesNotMatch(JSON.stringify(other.requests[0]?.sent), /SEALED|secret thought/);
      await stage.close();
      const third = await stage.reopen();
      await third.request("thread/resume", { threadId, modelProvider: "own", model: wire.model });
      mock.script(reply().text("Back."));
      const back = await third.turn(threadId, "three");
      assert.equal(back.status, "completed", back.error?.message);
      assert.match(mock.last.inputText("assistant"), /From the other/);
    },
  },
  {
    name: "a provider with an outage hands over to one of another wire, which clients are told, and takes over again",
    options: { retries: 0, hasFallback: true },
    async run({ client, cwd, mock, other, wire, otherWire }) {
      const call = () => reply().reasoning(["secret thought"], { encrypted: "SEALED" });
      mock.script(call().functionCall("update_plan", plan), mock.error(503, "Down"));
      other.script(call().functionCall("update_plan", plan));
      mock.script(reply().text("Back again."));
      const threadId = await client.thread({ cwd });
      const turn = await client.turn(threadId);
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.deepEqual(said(client), ["Back again."]);
      const { fromModel, toModel } = await client.waitFor("model/rerouted");
      assert.deepEqual([fromModel, toModel], [wire.model, otherWire.model]);
      assert.equal(other.last.functionOutputs().length, 1);
      assert.doesNotMatch(JSON.stringify(other.last.sent), /SEALED|secret thought/);
      assert.equal(mock.last.functionOutputs().length, 2);
    },
  },
  {
    name: "each request begins as the one before it, whatever changes and happens between them",
    async run(stage) {
      const { cwd, mock, wire, place } = stage;
      writeFileSync(join(cwd, "AGENTS.md"), "FIRST");
      let { client } = stage;
      let threadId = await client.thread({ cwd, approvalPolicy: "on-request", sandbox: "read-only" });
      const turn = async (params: object = {}) => {
        mock.script(reply().reasoning(["hm"]).functionCall("update_plan", plan), reply().text("said"));
        const { turn } = await client.request("turn/start", { threadId, input: input("go"), ...params });
        assert.equal((await client.ended(turn.id)).status, "completed");
      };
      await turn();
      await turn({ cwd: place.outside });
      await turn({ cwd, approvalPolicy: "never", sandboxPolicy: { type: "dangerFullAccess" } });
      writeFileSync(join(cwd, "AGENTS.md"), "EDITED");
      await turn();
      mkdirSync(join(place.home, "skills", "new"), { recursive: true });
      writeFileSync(join(place.home, "skills", "new", "SKILL.md"), "---\nname: new\ndescription: For x.\n---\n");
      await turn();
      const hold = gate();
      mock.script(reply().text(["begun", hold]), reply().text("steered"), reply().text(["cut", gate()]));
      const steered = await client.start(threadId);
      await client.waitFor("item/agentMessage/delta", ({ delta }) => delta === "begun");
      await client.request("turn/steer", { threadId, expectedTurnId: steered, input: input("also") });
      hold.open();
      await client.ended(steered);
      const cut = await client.start(threadId);
      await client.waitFor("item/agentMessage/delta", ({ delta }) => delta === "cut");
      await client.request("turn/interrupt", { threadId, turnId: cut });
      await client.ended(cut);
      await turn();
      await stage.close();
      client = await stage.reopen();
      await client.request("thread/resume", { threadId });
      await turn();
      const { thread } = await client.request("thread/fork", { threadId });
      threadId = thread.id;
      await turn();
      await turn({ model: wire.model.replace(/-\w+$/, "-other") });
      assertGrowing(mock.requests.map(({ sent }) => sent));
    },
  },
];

/** Asserts that each request begins with all of the one before it: tools, instructions, then messages. */
function assertGrowing(requests: readonly Readonly<Record<string, unknown>>[]): void {
  const written = requests.map((sent) => {
    const { tools, system, systemInstruction, messages, contents, input } = sent;
    return withoutMarks(JSON.stringify([tools, system, systemInstruction, messages ?? contents ?? input]));
  });
  for (const [index, text] of written.slice(1).entries()) {
    // The last message may go on.
    const before = written[index]?.replace(/["\]}]+$/, "") ?? "";
    const at = [...before].findIndex((char, place) => char !== text[place]);
    const place = `request ${index + 2}: ${before.slice(at - 80, at + 40)} is now ${text.slice(at - 80, at + 40)}`;
    assert.ok(text.startsWith(before), place);
  }
}

const withoutMarks = (text: string): string => text.replace(/,"cache_control":\{[^}]*\}/g, "");
