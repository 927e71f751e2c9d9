import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually } from "@quire/testkit";
import { launcher, type Place, place } from "../support/quire.ts";

/**
 * An app-server that answers the handshake, takes a turn and never ends it, nor itself. It notes each start, and that of a
 * process that has left its session and environment.
 */
const stubborn = `
import { appendFileSync } from "node:fs";
appendFileSync("starts", process.pid + "\\n");
const hidden = Bun.spawn(["/bin/sleep", "1000"], { env: {}, detached: true, stdio: ["ignore", "ignore", "ignore"] });
appendFileSync("hidden", hidden.pid + "\\n");
const results = { initialize: { userAgent: "x/0.166.0" }, "thread/start": { thread: { id: "t" } }, "turn/start": { turn: { id: "1" } } };
let text = "";
process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
for await (const chunk of Bun.stdin.stream()) {
  text += new TextDecoder().decode(chunk);
  for (let end; (end = text.indexOf("\\n")) >= 0; text = text.slice(end + 1)) {
    const { id, method } = JSON.parse(text.slice(0, end));
    if (id !== undefined) process.stdout.write(JSON.stringify({ id, result: results[method] ?? {} }) + "\\n");
    if (method === "turn/start") appendFileSync("turns", "x");
  }
}
await new Promise(() => {});
`;

interface Backlog {
  readonly command?: string;
  readonly file?: string;
  readonly issues?: number;
}

/** Writes a workflow with a folder of issues; the offline model moves each to done. */
function backlog(at: Place, { command, file = "WORKFLOW.md", issues = 1 }: Backlog = {}): void {
  mkdirSync(join(at.cwd, "issues"), { recursive: true });
  for (let number = 1; number <= issues; number++) {
    writeFileSync(
      join(at.cwd, "issues", `T-${number}.md`),
      `---\ntitle: Thing ${number}\nstate: todo\n---\n\nDo it.\n`,
    );
  }
  const codex =
    command === undefined
      ? "codex: {read_timeout_ms: 60000}"
      : `codex: {command: ${JSON.stringify(command)}, read_timeout_ms: 60000}`;
  const text = `---\ntracker: {kind: folder, provider: {path: ${join(at.cwd, "issues")}}, active_states: [todo], terminal_states: [done]}\nworkspace: {root: ${join(at.cwd, "ws")}}\npolling: {interval_ms: 1000}\n${codex}\n---\ntool: tracker_update {"state":"done"}\n`;
  mkdirSync(join(at.cwd, file, ".."), { recursive: true });
  writeFileSync(join(at.cwd, file), text);
}

const state = (at: Place, issue: string) =>
  /state: (\w+)/.exec(readFileSync(join(at.cwd, "issues", `${issue}.md`), "utf8"))?.[1];

/** A workflow whose worker hangs and will not go. */
function hanging(at: Place): void {
  writeFileSync(join(at.cwd, "stubborn.ts"), stubborn);
  backlog(at, { command: `'${process.execPath}' '${join(at.cwd, "stubborn.ts")}'` });
}

const pids = (at: Place, name: string) => file(at, name).trim().split("\n").map(Number);

function hasEnded(pid: number): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

/** Starts the command; all that it starts carries a mark. */
function start(at: Place, args: readonly string[] = []) {
  const mark = `QUIRE_TEST_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const child = Bun.spawn([launcher, "orchestrate", ...args], {
    cwd: at.cwd,
    env: { ...at.env, [mark]: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const out = { text: "" };
  const errors = { text: "" };
  const read = async (from: AsyncIterable<Uint8Array>, to: { text: string }) => {
    for await (const chunk of from) to.text += new TextDecoder().decode(chunk);
    return to.text;
  };
  void read(child.stdout, out);
  return { child, out, errors, stderr: read(child.stderr, errors), tag: `${mark}=1` };
}

const file = (at: Place, name: string) => {
  const path = join(at.cwd, "ws", "T-1", name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
const patient = { timeoutMs: 30_000 };

describe("17.7 quire orchestrate", () => {
  test("works through WORKFLOW.md of the current folder", async () => {
    await using at = await place();
    backlog(at, { issues: 2 });
    const { code, stdout, stderr } = await at.run(["orchestrate", "--once"]);
    assert.equal(code, 0, stderr);
    assert.deepEqual([state(at, "T-1"), state(at, "T-2")], ["done", "done"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(events.filter(({ type }) => type === "run.started").length, 2);
  });

  test("works through the workflow that is named", async () => {
    await using at = await place();
    backlog(at, { file: "ops/flow.md" });
    const { code, stderr } = await at.run(["orchestrate", "ops/flow.md", "--once"]);
    assert.equal(code, 0, stderr);
    assert.equal(state(at, "T-1"), "done");
  });

  test("a workflow that is not there, named or not, is an error that says what to do", async () => {
    await using at = await place();
    for (const args of [[], ["none.md"]]) {
      const { code, stderr } = await at.run(["orchestrate", ...args]);
      assert.equal(code, 1);
      assert.match(stderr, /(WORKFLOW|none)\.md cannot be read \(ENOENT\): create it, or pass its path/);
    }
  });

  test("a workflow that cannot be used is an error in one line, and nothing is started", async () => {
    await using at = await place();
    for (const text of ["---\n[\n---\n", "---\ntracker: {kind: nope}\n---\n", "no settings"]) {
      writeFileSync(join(at.cwd, "WORKFLOW.md"), text);
      const { code, stderr } = await at.run(["orchestrate"]);
      assert.equal(code, 1);
      assert.match(stderr, /^Error: [^\n]+/);
      assert.doesNotMatch(stderr, /\n {4}at /);
    }
  });

  test("a wrong option is refused with code 2, and --help teaches", async () => {
    await using at = await place();
    assert.equal((await at.run(["orchestrate", "--onec"])).code, 2);
    assert.equal((await at.run(["orchestrate", "a", "b"])).code, 2);
    const { code, stdout } = await at.run(["orchestrate", "--help"]);
    assert.equal(code, 0);
    for (const word of ["--dry-run", "--once", "--port", "WORKFLOW.md", "Examples:"])
      assert.ok(stdout.includes(word), word);
  });

  test("--dry-run shows what would be begun, and begins nothing", async () => {
    await using at = await place();
    backlog(at, { issues: 2 });
    const { code, stdout } = await at.run(["orchestrate", "--dry-run"]);
    assert.equal(code, 0);
    assert.match(stdout, /begin {2}T-1 {2}todo {2}Thing 1\nbegin {2}T-2/);
    assert.match(stdout, /Programs and permissions:[\s\S]* codex\.command: quire app-server\n/);
    assert.match(stdout, /First prompt:\n\ntool: tracker_update/);
    assert.ok(!existsSync(join(at.cwd, "ws")));
    assert.equal(state(at, "T-1"), "todo");
  });

  test("a workflow that changed what it runs is not started until --agree", async () => {
    await using at = await place();
    backlog(at);
    assert.equal((await at.run(["orchestrate", "--once"])).code, 0);
    const path = join(at.cwd, "WORKFLOW.md");
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace("codex:", `hooks: {before_run: "touch ran\\u202e"}\ncodex:`),
    );
    const refused = await at.run(["orchestrate", "--once"]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /since you approved it: hooks\.before_run \(new\)\. Review it, then run: quire orchestrate --agree/,
    );
    const agreed = await at.run(["orchestrate", "--agree"]);
    assert.equal(agreed.code, 0);
    assert.match(agreed.stderr, /\+ hooks\.before_run: touch ran⟦/);
    assert.ok(!agreed.stderr.includes("\u202e"));
    assert.equal((await at.run(["orchestrate", "--once"])).code, 0);
  });

  test("with --once an issue that is given up makes the exit code 1", async () => {
    await using at = await place();
    backlog(at, { command: "exit 5" });
    const text = readFileSync(join(at.cwd, "WORKFLOW.md"), "utf8");
    writeFileSync(join(at.cwd, "WORKFLOW.md"), text.replace("codex:", "agent: {max_retry_backoff_ms: 1}\ncodex:"));
    const { code, stderr } = await at.run(["orchestrate", "--once"]);
    assert.equal(code, 1);
    assert.match(stderr, /port_exit/);
  });

  test("Ctrl-C with nothing under way ends with success", async () => {
    await using at = await place();
    backlog(at, { issues: 0 });
    const { child, out, stderr } = start(at, ["--port", "0"]);
    await eventually(() => out.text.includes('"type":"tick"'), patient);
    child.kill("SIGINT");
    assert.equal(await child.exited, 0, await stderr);
  });

  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    test(`a second ${signal} ends all at once too, with code ${code}`, async () => {
      await using at = await place();
      hanging(at);
      const { child, errors, stderr, tag } = start(at);
      await eventually(() => file(at, "turns") === "x", patient);
      child.kill(signal);
      await eventually(() => errors.text.includes("finishing running turns"), patient);
      child.kill(signal);
      assert.equal(await child.exited, code, await stderr);
      await assertNoProcesses({ tag });
    });
  }

  test("--port wins over server.port, where a port that is taken is an error", async () => {
    await using at = await place();
    backlog(at, { issues: 0 });
    await using taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const text = readFileSync(join(at.cwd, "WORKFLOW.md"), "utf8");
    writeFileSync(join(at.cwd, "WORKFLOW.md"), text.replace("codex:", `server: {port: ${taken.port}}\ncodex:`));
    const refused = await at.run(["orchestrate"]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`${taken.port}`));
    const { child, out, stderr } = start(at, ["--port", "0"]);
    await eventually(() => out.text.includes("\n"), patient);
    const { type, url, token_file } = JSON.parse(out.text.split("\n")[0] ?? "") as Record<string, string>;
    assert.equal(type, "listening");
    assert.equal((await fetch(new URL("api/v1/state", url))).status, 401);
    const headers = { authorization: `Bearer ${readFileSync(token_file ?? "", "utf8").trim()}` };
    await eventually(async () => {
      const state = (await (await fetch(new URL("api/v1/state", url), { headers })).json()) as {
        tracker_kind?: string;
      };
      return state.tracker_kind === "folder";
    }, patient);
    child.kill("SIGINT");
    assert.equal(await child.exited, 0, await stderr);
  });

  test("Ctrl-C waits for the turn, a second one ends all at once, and no process is left", async () => {
    await using at = await place();
    hanging(at);
    const { child, errors, stderr, tag } = start(at);
    await eventually(() => file(at, "turns") === "x", patient);
    child.kill("SIGINT");
    // Two signals that come before the first was heard are one.
    await eventually(() => errors.text.includes("finishing running turns"), patient);
    const second = start(at);
    assert.equal(await second.child.exited, 1);
    assert.match(await second.stderr, /Another orchestrator is running this workflow/);
    assert.equal(child.exitCode, null, "the turn is still waited for");
    child.kill("SIGINT");
    assert.equal(await child.exited, 130);
    assert.match(await stderr, /press Ctrl-C again to stop now/);
    await assertNoProcesses({ tag });
    if (process.platform === "linux") await eventually(() => pids(at, "hidden").every(hasEnded));
  });

  test("killed, it leaves no lock; the next one ends what was left and begins it again, once", async () => {
    await using at = await place();
    hanging(at);
    const first = start(at);
    await eventually(() => file(at, "turns") === "x", patient);
    const left = [...pids(at, "starts"), ...pids(at, "hidden")];
    if (process.platform === "linux") assert.equal(left.some(hasEnded), false);
    first.child.kill("SIGKILL");
    await first.child.exited;
    if (process.platform === "linux") await eventually(() => left.every(hasEnded), patient);
    const second = start(at);
    await eventually(() => file(at, "turns") === "xx", patient);
    await assertNoProcesses({ tag: first.tag });
    assert.equal(file(at, "starts").trim().split("\n").length, 2);
    second.child.kill("SIGINT");
    second.child.kill("SIGINT");
    await eventually(() => {
      if (second.child.exitCode === null) second.child.kill("SIGINT");
      return second.child.exitCode !== null;
    }, patient);
    await assertNoProcesses({ tag: second.tag });
  });
});
