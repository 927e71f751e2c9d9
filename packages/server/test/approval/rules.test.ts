import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { proposeAmendment } from "../../src/approval/amendment.ts";
import { commandsOf } from "../../src/approval/commands.ts";
import { judgeByRules } from "../../src/approval/rules/judge-rules.ts";
import { parseRules } from "../../src/approval/rules/parse-rules.ts";
import { withPaths } from "../../src/approval/rules/program-paths.ts";
import { matches } from "../../src/approval/rules/rule.ts";
import { RuleBook } from "../../src/approval/rules/rule-book.ts";

const text = `
# what we agreed on
prefix_rule(
    pattern = ["git", ["push", 'fetch']],  # either
    decision = "prompt",
    justification = "talks to \\"the\\" server",
    match = [["git", "push"], "git fetch"],
)
prefix_rule(pattern=["danger"], decision="forbidden")
prefix_rule(pattern=["make", "test"])
network_rule(host="example.com", protocol="https", decision="allow")
`;

const judge = (script: string, source = text) =>
  judgeByRules(parseRules(source).rules, commandsOf(script, ["/bin/bash", "-lc", script]));

test("a file of rules is read as it is written by hand", () => {
  const { rules, problems } = parseRules(text);
  assert.deepEqual(problems, []);
  assert.deepEqual(rules, [
    { pattern: ["git", ["push", "fetch"]], decision: "prompt", justification: 'talks to "the" server' },
    { pattern: ["danger"], decision: "forbidden", justification: null },
    { pattern: ["make", "test"], decision: "allow", justification: null },
  ]);
});

test("a file with a mistake says where, keeps what it forbids and allows nothing", () => {
  for (const mistake of [
    "prefix_rule(pattern=[])",
    'prefix_rule(pattern=["x"',
    "surprise()",
    "prefix_rule(pattern=[1])",
  ]) {
    const { rules, problems } = parseRules(`${text}${mistake}`);
    assert.match(problems[0] ?? "", /^line 1[0-9]: /, mistake);
    assert.deepEqual(
      rules.map(({ decision }) => decision),
      ["prompt", "forbidden"],
      mistake,
    );
  }
});

test("rules about hosts: what is not allowed in so many words is denied, and a mistake allows nothing", () => {
  assert.deepEqual(parseRules(text).hosts, [{ host: "example.com", decision: "allow" }]);
  const more =
    'network_rule(host="Evil.Example", decision="forbidden")\nnetwork_rule(host="b.example", decision="prompt")\n';
  const denied = [
    { host: "evil.example", decision: "deny" },
    { host: "b.example", decision: "deny" },
  ];
  assert.deepEqual(parseRules(more).hosts, denied);
  assert.deepEqual(parseRules(`${text}${more}nonsense(`).hosts, denied);
  assert.equal(parseRules("network_rule(host=[])").problems.length, 1);
});

test("the strictest rule holds for the whole script", () => {
  assert.equal(judge("make test && git push origin").kind, "prompt");
  assert.equal(judge("git push; danger x").kind, "forbidden");
  assert.deepEqual(judge("make test -j4"), { kind: "none", open: [] });
  assert.deepEqual(judge("make test | tail"), { kind: "none", open: [["tail"]] });
  assert.deepEqual(judge("make"), { kind: "none", open: [["make"]] });
});

test("a forbidden program is found behind paths, assignments, redirections and in what is not understood", () => {
  for (const script of [
    "/opt/danger x",
    "X=1 danger",
    "danger > out",
    "danger $X",
    "echo $(danger)",
    "if x; then danger; fi",
  ]) {
    assert.equal(judge(script).kind, "forbidden", script);
  }
  assert.equal(judge("/opt/make test").kind === "none" && judge("make test > out").kind, "none");
  assert.notDeepEqual(judge("/opt/make test"), { kind: "none", open: [] }, "what allows is exact");
  assert.notDeepEqual(judge("make test > out"), { kind: "none", open: [] }, "a redirection is not allowed along");
});

test("what is allowed is stored once and found again, by others too", async () => {
  await using home = await tempDir("quire-rules-");
  const warned: string[] = [];
  const [one, other] = [1, 2].map(() => new RuleBook(home.path, (problem) => warned.push(problem))) as [
    RuleBook,
    RuleBook,
  ];
  assert.deepEqual(other.rules(), []);
  const odd = ["echo", 'a "b" \\ \n\t c', "ä\u0001"];
  one.allow(odd);
  one.allow(odd);
  assert.equal(other.rules().length, 1);
  assert.ok(other.rules().every((rule) => rule.decision === "allow" && matches(rule, odd)));
  one.setHost("example.com", "deny");
  assert.equal(other.rules().length, 1);
  assert.deepEqual(warned, []);
});

test("a file that cannot be read is told once for each change, and the others still hold", async () => {
  await using home = await tempDir("quire-rules-");
  await mkdir(join(home.path, "rules"));
  await writeFile(join(home.path, "rules", "a.rules"), "what is this");
  await writeFile(join(home.path, "rules", "b.rules"), 'prefix_rule(pattern=["x"])\n');
  const warned: string[] = [];
  const book = new RuleBook(home.path, (problem) => warned.push(problem));
  for (let n = 0; n < 3; n++) assert.equal(book.rules().length, 1);
  assert.equal(warned.length, 1);
  assert.match(warned[0] ?? "", /a\.rules: line 1: .*allows nothing/);
});

test("a rule is proposed as the model names it where that is sensible, else the command itself", () => {
  assert.deepEqual(proposeAmendment([["npm", "install", "x"]], ["npm", "install"]), ["npm", "install"]);
  assert.deepEqual(proposeAmendment([["git", "x"]], ["rm"]), ["git", "x"]);
  for (const broad of [["python"], ["python", "-c"], ["bash"], ["/usr/bin/env"], []]) {
    assert.equal(proposeAmendment([["python", "-c", "x"]], broad), null);
  }
  assert.equal(proposeAmendment([], ["a"]), null);
});

test("a rule for a name holds for the paths of the system's programs, or those that the rules name, and no others", () => {
  const allows = (text: string, program: string) => {
    const { rules, programs } = parseRules(text);
    const script = `${program} push`;
    const verdict = judgeByRules(withPaths(rules, programs), commandsOf(script, ["/bin/sh", "-c", script]));
    return verdict.kind === "none" && verdict.open.length === 0;
  };
  const rule = 'prefix_rule(pattern=[["git", "hg"], "push"])\n';
  for (const program of ["git", "/usr/bin/git", "/usr/local/bin/hg"]) assert.ok(allows(rule, program), program);
  for (const program of ["/tmp/x/git", "./git", "bin/git", "/usr/bin/../../tmp/git", "/usr/bin/svn"])
    assert.ok(!allows(rule, program), program);
  const named = `${rule}host_executable(name="git", paths=["/opt/git/bin/git"])\n`;
  for (const program of ["git", "/opt/git/bin/git", "/usr/bin/hg"]) assert.ok(allows(named, program), program);
  for (const program of ["/usr/bin/git", "/tmp/git"]) assert.ok(!allows(named, program), program);
});

test("paths of programs that cannot be meant make the whole file allow nothing", () => {
  for (const call of [
    'name="git", paths=["git"]',
    'name="git", paths=["/bin/sh"]',
    'name="a/b", paths=[]',
    'name="git"',
  ]) {
    const { rules, problems } = parseRules(`prefix_rule(pattern=["git"])\nhost_executable(${call})\n`);
    assert.deepEqual([rules, problems.length], [[], 1], call);
  }
});
