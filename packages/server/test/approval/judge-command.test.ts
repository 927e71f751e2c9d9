import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsOf } from "../../src/approval/commands.ts";
import { type CommandCase, type CommandVerdict, judgeCommand, mayEscalate } from "../../src/approval/judge-command.ts";
import type { Policy } from "../../src/approval/policy.ts";
import { judgeByRules } from "../../src/approval/rules/judge-rules.ts";
import { parseRules } from "../../src/approval/rules/parse-rules.ts";

const granular = (sandbox_approval: boolean, rules: boolean): Policy => ({
  granular: { sandbox_approval, rules, mcp_elicitations: true, skill_approval: true, request_permissions: true },
});
const policies: readonly Policy[] = [
  "untrusted",
  "on-failure",
  "on-request",
  "never",
  ...[true, false].flatMap((a) => [true, false].map((b) => granular(a, b))),
];
const sandboxes = ["readOnly", "workspaceWrite", "dangerFullAccess", "externalSandbox"] as const;
const escalations = ["nothing", "escalated", "more"] as const;
const scripts = [
  "ls",
  "touch a",
  "rm -rf a",
  "allowed x",
  "prompted x",
  "forbidden x",
  "allowed x; touch a",
  "echo $X",
];
const { rules } = parseRules(`
prefix_rule(pattern=["allowed"])
prefix_rule(pattern=["prompted"], decision="prompt")
prefix_rule(pattern=["forbidden"], decision="forbidden")`);

function caseOf(script: string, more: Partial<CommandCase> = {}): CommandCase {
  const argv = ["/bin/bash", "-lc", script];
  const commands = commandsOf(script, argv);
  return {
    policy: "on-request",
    sandbox: "workspaceWrite",
    confinable: true,
    escalation: "nothing",
    argv,
    commands,
    rules: judgeByRules(rules, commands),
    vetted: true,
    justification: null,
    ...more,
  };
}

/** Every case there is. */
function* all(): Generator<{ script: string; given: CommandCase; verdict: CommandVerdict; name: string }> {
  for (const script of scripts)
    for (const policy of policies)
      for (const sandbox of sandboxes)
        for (const escalation of escalations)
          for (const confinable of [true, false]) {
            const given = caseOf(script, { policy, sandbox, escalation, confinable });
            const name = JSON.stringify({ script, policy, sandbox, escalation, confinable });
            yield { script, given, verdict: judgeCommand(given), name };
          }
}

test("in every case: who may not be asked is not asked", () => {
  for (const { given, verdict, name } of all()) {
    if (given.policy === "never") assert.notEqual(verdict.kind, "ask", name);
    if (given.escalation !== "nothing" && !mayEscalate(given.policy)) assert.equal(verdict.kind, "refuse", name);
  }
});

test("in every case: nothing leaves the sandbox unasked but what a rule allows", () => {
  for (const { script, verdict, name } of all()) {
    if (verdict.kind === "run" && verdict.outside) assert.equal(script, "allowed x", name);
  }
});

test("in every case: what a rule forbids does not run, and what it asks about is not run unasked", () => {
  for (const { script, verdict, name } of all()) {
    if (script === "forbidden x") assert.equal(verdict.kind, "refuse", name);
    if (script === "prompted x" || script === "rm -rf a") assert.notEqual(verdict.kind, "run", name);
  }
});

test("in every case: untrusted runs nothing unasked but trusted and allowed commands", () => {
  for (const { script, given, verdict, name } of all()) {
    if (given.policy === "untrusted" && verdict.kind === "run") assert.ok(["ls", "allowed x"].includes(script), name);
  }
});

test("in every case: where there is no sandbox somebody is asked, or the start of the command refuses", () => {
  for (const { given, verdict, name } of all()) {
    const needsOne = given.sandbox === "readOnly" || given.sandbox === "workspaceWrite";
    if (given.confinable || !needsOne || !mayEscalate(given.policy)) continue;
    if (verdict.kind === "run") assert.ok(verdict.outside, name);
  }
});

test("the table, case by case", () => {
  const kind = (script: string, more: Partial<CommandCase>) => judgeCommand(caseOf(script, more)).kind;
  assert.equal(kind("touch a", {}), "run");
  assert.equal(kind("touch a", { escalation: "escalated" }), "ask");
  assert.equal(kind("touch a", { escalation: "escalated", sandbox: "dangerFullAccess" }), "run");
  assert.equal(kind("rm -rf a", { sandbox: "dangerFullAccess" }), "ask");
  assert.equal(kind("rm -rf a", { policy: "never", sandbox: "dangerFullAccess" }), "refuse");
  assert.equal(kind("ls", { policy: "untrusted" }), "run");
  assert.equal(kind("ls", { policy: "untrusted", escalation: "escalated" }), "ask");
  assert.equal(kind("touch a", { policy: "untrusted", sandbox: "dangerFullAccess" }), "ask");
  assert.equal(kind("touch a", { policy: "on-failure" }), "run");
  assert.equal(kind("touch a", { policy: "never", confinable: false }), "run");
  assert.equal(kind("prompted x", { policy: granular(true, false) }), "refuse");
  assert.equal(kind("prompted x", { policy: granular(false, true) }), "ask");
});
