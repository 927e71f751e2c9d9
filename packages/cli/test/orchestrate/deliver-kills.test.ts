import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertNoProcesses, random, taggedProcesses } from "@quire/testkit";
import { launcher, place } from "../support/quire.ts";

/**
 * Issues, how many at once, and kills of the orchestrator or of an agent. `QUIRE_KILLS=100,20,30` is the whole of it, which takes
 * minutes; `QUIRE_SEED` repeats a run.
 */
const [count = 8, atOnce = 4, kills = 8] = (process.env.QUIRE_KILLS ?? "8,4,8").split(",").map(Number);
const timeout = 280_000 + count * 10_000;
const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];

function git(cwd: string, ...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...identity, "-C", cwd, ...args]);
  assert.equal(exitCode, 0, stderr.toString());
  return stdout.toString();
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was quicker.
  }
}

test("killed again and again, the orchestrator delivers each issue by one branch and one pull request, and loses no commit", {
  timeout,
}, async (t) => {
  const { seed, int, chance, pick } = random();
  t.diagnostic(`seed ${seed}`);
  await using at = await place();
  const [origin, first] = [join(at.home, "app.git"), join(at.home, "first")];
  git(at.home, "init", "-q", "--bare", origin);
  git(at.home, "init", "-q", first);
  git(first, "commit", "-q", "--allow-empty", "-m", "First");
  git(first, "push", "-q", origin, "HEAD:refs/heads/main");
  const made = await at.run(["orchestrate", "init", "--offline", "--repository", origin, "--merge", "green"]);
  assert.equal(made.code, 0, made.stderr);
  mkdirSync(join(at.cwd, "issues"), { recursive: true });
  for (let number = 1; number <= count; number++) {
    const text = `---\ntitle: Write ${number}\nstate: Todo\n---\n\nwrite: ${number}.txt\nNumber ${number}.\n---\n`;
    writeFileSync(join(at.cwd, "issues", `TOUR-${number}.md`), text);
  }
  const workflow = join(at.cwd, "WORKFLOW.md");
  const patient = "codex:\n  read_timeout_ms: 60000";
  writeFileSync(
    workflow,
    readFileSync(workflow, "utf8")
      .replace("codex:", patient)
      .replace("runs: 10", "runs: 1000")
      .replace("agents: 2", `agents: ${atOnce}`),
  );
  const tag = `QUIRE_TEST_KILLS=${process.pid}-${seed}`;
  const env = { ...at.env, QUIRE_TEST_KILLS: `${process.pid}-${seed}` };
  let [killed, agentsKilled] = [0, 0];
  while (killed < kills) {
    const child = Bun.spawn([launcher, "orchestrate", "--once"], {
      cwd: at.cwd,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    // By what it printed, not by a clock, so that it is in the middle of something on every machine.
    let left = int(1, 10 * atOnce);
    for await (const chunk of child.stdout) {
      left -= new TextDecoder().decode(chunk).split("\n").length - 1;
      if (left > 0) continue;
      const agents = (await taggedProcesses(tag)).filter(({ command }) => command.includes("app-server"));
      if (killed + 1 >= kills || agents.length === 0 || chance()) break;
      kill(pick(agents).pid);
      agentsKilled++;
      killed++;
      left = int(1, 10 * atOnce);
    }
    child.kill("SIGKILL");
    killed++;
    await child.exited;
  }
  t.diagnostic(`${killed} kills, ${agentsKilled} of them of agents`);
  const isDone = (number: number) =>
    /^state: Done$/m.test(readFileSync(join(at.cwd, "issues", `TOUR-${number}.md`), "utf8"));
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  let last = { code: 0, stdout: "", stderr: "" };
  for (let round = 0; round < 6 && !numbers.every(isDone); round++) last = await at.run(["orchestrate", "--once"]);
  assert.ok(numbers.every(isDone), last.stderr);
  const branches = git(origin, "for-each-ref", "--format=%(refname:short)").trim().split("\n");
  assert.deepEqual(branches, ["main", ...numbers.map((number) => `quire/TOUR-${number}`)].toSorted());
  assert.deepEqual(
    readdirSync(join(at.cwd, "pulls")).toSorted(),
    numbers.map((number) => `quire_TOUR-${number}.md`).toSorted(),
  );
  for (const number of numbers) {
    assert.equal(git(origin, "show", `main:${number}.txt`).trim(), `Number ${number}.`);
    assert.equal(git(origin, "merge-base", "--is-ancestor", `quire/TOUR-${number}`, "main"), "");
    assert.match(readFileSync(join(at.cwd, "pulls", `quire_TOUR-${number}.md`), "utf8"), /^state: merged$/m);
  }
  await assertNoProcesses({ tag }, { timeoutMs: 20_000 });
});
