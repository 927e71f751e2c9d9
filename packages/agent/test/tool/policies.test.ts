import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allow,
  deny,
  markdown,
  readBeforeWrite,
  Session,
  sequentialDependency,
  supply,
  ToolInvoked,
  type ToolPolicy,
  ToolResult,
  tool,
} from "@quire/agent";
import { type Filesystem, FilesystemResource } from "@quire/agent/runtime";
import { PolicyState } from "@quire/agent/tools";
import { z } from "zod";
import { bridgeOf } from "../support/bridge.ts";
import { StepAdded } from "../support/records.ts";

const plain = (name: string, run: () => ToolResult = () => ToolResult.ok()) =>
  tool({ name, description: name, run: run });

test("2.13: policies of the section come first, then those around it, then those of the prompt; the first denial decides", async () => {
  const asked: string[] = [];
  const policy = (name: string, verdict = allow()): ToolPolicy => ({
    name,
    check: async ({ tool: { name: called }, input, context }) => {
      asked.push(`${name} ${called} ${JSON.stringify(input)} ${context.callId}`);
      return verdict;
    },
  });
  const make = (inner: ToolPolicy) => {
    const child = markdown({ key: "in", title: "In", template: "x", tools: [plain("t")], policies: [inner] });
    const outer = markdown({ key: "out", title: "Out", template: "x", policies: [policy("outer")], children: [child] });
    return bridgeOf({ define: { sections: [outer], policies: [policy("template")] } });
  };
  await using fine = await make(policy("inner"));
  assert.equal((await fine.call("t")).success, true);
  assert.deepEqual(
    asked,
    ["inner", "outer", "template"].map((name) => `${name} t {} call-1`),
  );
  asked.length = 0;
  await using denied = await make(policy("inner", deny("not today")));
  const { success, text } = await denied.call("t");
  assert.deepEqual([success, text], [false, "not today"]);
  assert.equal(asked.length, 1);
  await using bare = await make(policy("inner", deny()));
  assert.match((await bare.call("t")).text, /denied by policy/);
});

test("2.13: a policy that is in another section has no say", async () => {
  const other = markdown({ key: "b", title: "B", template: "x", policies: [{ name: "no", check: () => deny() }] });
  const own = markdown({ key: "a", title: "A", template: "x", tools: [plain("t")] });
  await using bridge = await bridgeOf({ define: { sections: [own, other] } });
  assert.equal((await bridge.call("t")).success, true);
});

test("2.14: a denied call is not run, leaves no trace but its event, and the model reads why", async () => {
  let runs = 0;
  const session = new Session();
  const meddling: ToolPolicy = {
    name: "meddling",
    check({ context }) {
      context.session.dispatch(StepAdded({ step: "from the policy" }));
      return deny("no");
    },
    onResult: () => assert.fail("there was no success"),
  };
  const counted = plain("t", () => ToolResult.ok(++runs));
  await using bridge = await bridgeOf({ tools: [counted], session, define: { policies: [meddling] } });
  const { success, text } = await bridge.call("t");
  assert.deepEqual([success, text, runs], [false, "no", 0]);
  assert.deepEqual(session.slice(StepAdded).all(), []);
  const event = session.slice(ToolInvoked).latest();
  assert.deepEqual([event?.name, event?.result.success, event?.result.message], ["t", false, "no"]);
});

test("2.14: policies are asked after the arguments were checked, and told of successes only, within the transaction", async () => {
  const told: string[] = [];
  const session = new Session();
  const policy = (fails: boolean): ToolPolicy => ({
    name: "p",
    check: ({ input }) => {
      told.push(`check ${JSON.stringify(input)}`);
      return allow();
    },
    onResult({ context }, result) {
      told.push(`result ${result.message}`);
      context.session.dispatch(StepAdded({ step: "noted" }));
      if (fails) throw new Error("policy broke");
    },
  });
  const params = z.object({ ok: z.boolean() });
  const maybe = tool({
    name: "t",
    description: "T",
    input: params,
    run: ({ ok }) => (ok ? ToolResult.ok() : ToolResult.error("bad")),
  });
  await using bridge = await bridgeOf({ tools: [maybe], session, define: { policies: [policy(false)] } });
  await bridge.call("t", { ok: "no" });
  assert.deepEqual(told, []);
  await bridge.call("t", { ok: false });
  await bridge.call("t", { ok: true });
  assert.deepEqual(told, ['check {"ok":false}', 'check {"ok":true}', "result OK"]);
  assert.equal(session.slice(StepAdded).size, 1);
  await using broken = await bridgeOf({ tools: [maybe], session, define: { policies: [policy(true)] } });
  const { success, text } = await broken.call("t", { ok: true });
  assert.deepEqual([success, text], [false, "policy broke"]);
  assert.equal(session.slice(StepAdded).size, 1, "what the policy noted was taken back");
});

test("2.15: a tool that needs others waits for their success", async () => {
  const session = new Session();
  const policies = [sequentialDependency({ requires: { deploy: ["build", "test"] } })];
  let built = false;
  const build = plain("build", () => (built ? ToolResult.ok() : ToolResult.error("broken build")));
  await using bridge = await bridgeOf({
    tools: [build, plain("test"), plain("deploy")],
    session,
    define: { policies },
  });
  assert.match((await bridge.call("deploy")).text, /needs these to have succeeded first: build, test\./);
  await bridge.call("test");
  await bridge.call("build");
  assert.match((await bridge.call("deploy")).text, /first: build\./);
  built = true;
  await bridge.call("build");
  assert.equal((await bridge.call("deploy")).success, true);
  assert.deepEqual(session.slice(PolicyState).all(), [
    { policy: "sequential_dependency", seen: ["test", "build", "deploy"] },
  ]);
});

test("2.15: a file that exists must be read before it is written, a new one need not", async () => {
  const files = new Set(["old.txt"]);
  const filesystem = { root: "/", exists: async (path: string) => files.has(path) } as Filesystem;
  const params = z.object({ path: z.string() });
  const read = tool({ name: "read", description: "R", input: params, run: () => ToolResult.ok() });
  const write = tool({
    name: "write",
    description: "W",
    input: params,
    run: ({ path }) => {
      files.add(path);
      return ToolResult.ok();
    },
  });
  const define = {
    policies: [readBeforeWrite({ read: ["read"], write: ["write"] })],
    resources: [supply(FilesystemResource, filesystem)],
  };
  const session = new Session();
  await using bridge = await bridgeOf({ tools: [read, write], session, define });
  const { success, text } = await bridge.call("write", { path: "./old.txt" });
  assert.deepEqual([success, text], [false, 'Read "old.txt" before you write it: call read first.']);
  assert.equal((await bridge.call("write", { path: "new.txt" })).success, true);
  assert.equal((await bridge.call("write", { path: "a/../new.txt" })).success, true, "who wrote it knows it");
  await bridge.call("read", { path: "old.txt" });
  assert.equal((await bridge.call("write", { path: "old.txt" })).success, true);
  assert.deepEqual(session.slice(PolicyState).latest()?.seen, ["new.txt", "old.txt"]);
  await using blind = await bridgeOf({ tools: [read, write], define: { policies: define.policies } });
  assert.equal((await blind.call("write", { path: "any.txt" })).success, false);
});
