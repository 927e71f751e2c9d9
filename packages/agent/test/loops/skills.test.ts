import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  definePrompt,
  markdown,
  PromptEvaluationError,
  Session,
  SkillError,
  skill,
  WorkspaceBudgetExceededError,
} from "@quire/agent";
import { createPrivateHome, hermeticEnv } from "@quire/agent/runtime";
import { SetVisibilityOverride } from "@quire/agent/sessions";
import { tempDir } from "@quire/testkit";
import { errorOf, stage } from "../support/stage.ts";
import { harvest, plant } from "../workspace/files.ts";

const text = (name: string, description = "What it is for") =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;
const homes = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("quire-home-"));

test("12.1: a skill is a folder or a file, and is named after it", () => {
  assert.equal(skill("/x/deploy-it").name, "deploy-it");
  assert.equal(skill("/x/deploy.md").name, "deploy");
  assert.equal(skill("/x/whatever", { name: "own" }).name, "own");
  for (const name of ["Upper", "a_b", "-a", "a--b", "", "x".repeat(65)])
    assert.throws(() => skill("/x", { name }), SkillError, name);
});

test("12.1: what a skill says of itself is checked, unless that is turned off", async () => {
  await using host = await tempDir("host-");
  const bad: Record<string, string> = {
    "no-front": "Just text",
    "other-name": text("another"),
    "no-description": "---\nname: no-description\n---\n",
    "too-long": text("too-long", "x".repeat(1025)),
  };
  for (const [name, body] of Object.entries(bad)) {
    await plant(host.path, { [`${name}/SKILL.md`]: body });
    const skills = [skill(join(host.path, name))];
    await assert.rejects(createPrivateHome({ skills, env: {} }), SkillError, name);
    await using loose = await createPrivateHome({ skills, env: {}, validateSkills: false });
    assert.ok(loose.dir);
  }
  await plant(host.path, {
    "quoted/SKILL.md": '---\nname: "quoted"\ndescription: >-\n  Folded over\n  two lines\nmore: x\n---\n',
    "empty/readme.txt": "no skill",
  });
  await using good = await createPrivateHome({ skills: [skill(join(host.path, "quoted"))], env: {} });
  assert.ok(good.dir);
  await assert.rejects(createPrivateHome({ skills: [skill(join(host.path, "empty"))], env: {} }), SkillError);
});

test("12.1: skills follow the visibility of their section", async () => {
  const guide = markdown({
    key: "g",
    title: "G",
    template: "All",
    summary: "Some",
    visibility: "summary",
    skills: [skill("/x/deploy")],
  });
  const prompt = definePrompt({ ns: "t", key: "s", sections: [guide] }).bind();
  const session = new Session();
  assert.deepEqual((await prompt.render({ session })).skills, []);
  session.dispatch(SetVisibilityOverride({ path: "g", visibility: "full" }));
  assert.deepEqual(
    (await prompt.render({ session })).skills.map(({ name }) => name),
    ["deploy"],
  );
});

test("12.2: skills are put into a home of their own, without links, which goes away", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, {
    secret: "S",
    "deploy/SKILL.md": text("deploy"),
    "deploy/sub/x.txt": "x",
    "deploy/link": "→ ../secret",
    "review.md": text("review"),
  });
  const skills = [skill(join(host.path, "deploy")), skill(join(host.path, "review.md"))];
  const home = await createPrivateHome({ skills, env: {} });
  assert.deepEqual(Object.keys(await harvest(home.dir)), [
    ".agents/skills/deploy/SKILL.md",
    ".agents/skills/deploy/sub/x.txt",
    ".agents/skills/review/SKILL.md",
  ]);
  await home[Symbol.asyncDispose]();
  assert.deepEqual(await homes(), []);
});

test("12.2: skills that are too large, double or missing are refused, and nothing is left", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, {
    "big/SKILL.md": text("big"),
    "big/data": "x".repeat(10 * 1024 * 1024),
    "long.md": text("long") + "x".repeat(1024 * 1024),
    "one/SKILL.md": text("one"),
  });
  const at = (name: string) => skill(join(host.path, name));
  await assert.rejects(createPrivateHome({ skills: [at("big")], env: {} }), WorkspaceBudgetExceededError);
  await assert.rejects(createPrivateHome({ skills: [at("long.md")], env: {} }), WorkspaceBudgetExceededError);
  await assert.rejects(createPrivateHome({ skills: [at("one"), at("one")], env: {} }), SkillError);
  await assert.rejects(createPrivateHome({ skills: [at("missing")], env: {} }), SkillError);
  assert.deepEqual(await homes(), []);
});

test("12.3: the login survives, and a CODEX_HOME that is set is respected", async () => {
  await using plain = await createPrivateHome({ env: { HOME: "/home/me", OTHER: "kept" } });
  assert.deepEqual(plain.env, { HOME: plain.dir, OTHER: "kept", CODEX_HOME: "/home/me/.codex" });
  await using own = await createPrivateHome({ env: { HOME: "/home/me", CODEX_HOME: "/mine" } });
  assert.equal(own.env.CODEX_HOME, "/mine");
  await using none = await createPrivateHome({ env: {} });
  assert.equal(none.env.CODEX_HOME, join(homedir(), ".codex"));
});

test("12.4: a hermetic home has the credentials, and the environment nothing that is not needed", async () => {
  await using host = await tempDir("host-");
  await plant(host.path, { ".codex/auth.json": "{}", ".codex/history.jsonl": "private" });
  const env = {
    HOME: host.path,
    PATH: "/bin",
    OPENAI_API_KEY: "k",
    CODEX_X: "x",
    AWS_SECRET_ACCESS_KEY: "s",
    GITHUB_TOKEN: "t",
  };
  const home = await createPrivateHome({ env, hermetic: true });
  assert.deepEqual(home.env, {
    PATH: "/bin",
    OPENAI_API_KEY: "k",
    CODEX_X: "x",
    HOME: home.dir,
    CODEX_HOME: home.env.CODEX_HOME,
  });
  assert.deepEqual(await harvest(String(home.env.CODEX_HOME)), { "auth.json": "{}" });
  await home[Symbol.asyncDispose]();
  assert.deepEqual(await readdir(join(host.path, ".codex/.tmp")), []);
  assert.deepEqual(hermeticEnv({ AZURE_CLIENT_SECRET: "s", PATH: "p" }), { PATH: "p" });
});

test("12.2: a server that is not started here cannot be given skills, and says so", async () => {
  const prompt = definePrompt({
    ns: "t",
    key: "s",
    sections: [markdown({ key: "a", title: "A", template: "x", skills: [skill("/x/y")] })],
  });
  const error = await errorOf(stage().agent.evaluate(prompt.bind()));
  assert.ok(error instanceof PromptEvaluationError);
  assert.match(error.message, /Skills .* need a server that is started/);
});
