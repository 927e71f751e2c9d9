/** `exec`, by the name of `codex`: programs read its lines, people its text. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually, mockResponses, reply } from "@quire/testkit";
import { place, slow } from "../support/quire.ts";

type Event = { type: string; thread_id: string; item: Record<string, unknown>; usage: Record<string, number> };

const eventsOf = (stdout: string): Event[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const anywhere = ["exec", "--json", "--skip-git-repo-check"];

describe("exec", () => {
  test("prints the events that clients of Codex read, each with its fields", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    mock.script(
      reply().reasoning(["Let me see"]).functionCall("exec_command", { cmd: "echo hi; exit 3" }),
      reply().text("Done."),
    );
    const { code, stdout } = await here.runCodex([...anywhere, "go"]);
    assert.equal(code, 0);
    const events = eventsOf(stdout);
    const { thread_id } = events.shift() ?? {};
    assert.match(thread_id ?? "", /^[\da-f-]{36}$/);
    const command = { id: "item_1", type: "command_execution", command: "/bin/bash -lc 'echo hi; exit 3'" };
    assert.deepEqual(events, [
      { type: "turn.started" },
      { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "Let me see" } },
      {
        type: "item.started",
        item: { ...command, aggregated_output: "", exit_code: null, status: "in_progress" },
      },
      {
        type: "item.completed",
        item: { ...command, aggregated_output: "hi\n", exit_code: 3, status: "failed" },
      },
      { type: "item.completed", item: { id: "item_2", type: "agent_message", text: "Done." } },
      {
        type: "turn.completed",
        usage: {
          input_tokens: 200,
          cached_input_tokens: 0,
          cache_write_input_tokens: 0,
          output_tokens: 20,
          reasoning_output_tokens: 0,
        },
      },
    ]);
  });

  test(
    "takes the prompt as an argument, from stdin or both, and continues a thread by id or the newest",
    slow,
    async () => {
      await using mock = await mockResponses();
      await using here = await place(mock);
      const said = () => mock.last.lastUserText;
      const first = eventsOf((await here.runCodex([...anywhere, "-"], "piped")).stdout)[0]?.thread_id ?? "";
      assert.equal(said(), "piped");
      await here.runCodex([...anywhere, "both"], "piped");
      assert.equal(said(), "both\n\n<stdin>\npiped\n</stdin>");
      const byId = await here.runCodex([...anywhere, "resume", first, "more"]);
      assert.equal(eventsOf(byId.stdout)[0]?.thread_id, first);
      assert.equal(said(), "more");
      const last = await here.runCodex([...anywhere, "resume", "--last"], "and more");
      assert.equal(eventsOf(last.stdout)[0]?.thread_id, first);
      assert.equal(eventsOf(last.stdout).at(-1)?.usage.input_tokens, 300);
      const empty = await here.runCodex(anywhere, "");
      assert.deepEqual([empty.code, empty.stdout], [1, ""]);
      assert.match(empty.stderr, /No prompt provided via stdin\./);
    },
  );

  test("writes the last message to stdout and to a file, and what happens to stderr", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    mock.script(reply().text('{"a":"x"}'));
    const schema = join(here.cwd, "schema.json");
    writeFileSync(schema, '{"type":"object","properties":{"a":{"type":"string"}}}');
    const options = ["--skip-git-repo-check", "--output-schema", schema, "-o", "last.txt"];
    const { code, stdout, stderr } = await here.runCodex(["-m", "other", "exec", ...options, "structured"]);
    assert.deepEqual([code, stdout], [0, '{"a":"x"}\n']);
    assert.equal(readFileSync(join(here.cwd, "last.txt"), "utf8"), '{"a":"x"}');
    assert.match(stderr, /^model: other$/m);
    assert.match(stderr, /^approval: never$/m);
    assert.match(stderr, /^codex\n\{"a":"x"\}\ntokens used\n110\n/m);
    assert.equal(mock.last.body.model, "other");
  });

  test("runs nothing that a person would have to agree to, whatever the configuration says", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock, { approval_policy: "on-request", sandbox_mode: "read-only" });
    const escalated = { cmd: "touch outside", sandbox_permissions: "require_escalated", justification: "why" };
    mock.script(
      reply().functionCall("exec_command", escalated),
      reply().functionCall("exec_command", { cmd: "touch inside" }),
    );
    const { code } = await here.runCodex([...anywhere, "try it"]);
    assert.equal(code, 0);
    assert.deepEqual([existsSync(join(here.cwd, "outside")), existsSync(join(here.cwd, "inside"))], [false, false]);
    mock.script(reply().functionCall("exec_command", { cmd: "touch inside" }));
    await here.runCodex([...anywhere, "-s", "workspace-write", "now it may"]);
    assert.ok(existsSync(join(here.cwd, "inside")));
  });

  test("a thread that ran without a sandbox is resumed with the one of the configuration", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock, { sandbox_mode: "read-only" });
    const { stdout } = await here.runCodex([...anywhere, "--yolo", "free"]);
    mock.script(reply().functionCall("exec_command", { cmd: "touch written" }));
    await here.runCodex([...anywhere, "resume", eventsOf(stdout)[0]?.thread_id ?? "", "and now"]);
    assert.equal(existsSync(join(here.cwd, "written")), false);
  });

  test("refuses to work outside a repository unless told to, and fails with 1 as the model does", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    const outside = await here.runCodex(["exec", "hello"]);
    assert.deepEqual([outside.code, outside.stdout], [1, ""]);
    assert.match(outside.stderr, /Not inside a trusted directory and --skip-git-repo-check was not specified\./);
    mock.script(reply().failed("server_error", "boom"));
    const failed = await here.runCodex([...anywhere, "hello"]);
    assert.equal(failed.code, 1);
    assert.deepEqual(
      eventsOf(failed.stdout)
        .map(({ type }) => type)
        .slice(-2),
      ["error", "turn.failed"],
    );
    const wrong = await here.runCodex(["exec", "--bogus"]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^error: unexpected argument '--bogus' found/);
    const refused = await here.runCodex([...anywhere, "--ignore-rules", "hello"]);
    assert.deepEqual([refused.code, refused.stdout], [2, ""]);
    assert.match(refused.stderr, /'--ignore-rules' is not supported: set CODEX_HOME/);
  });

  test("--trust trusts the project for good, unless the user has said that it is not to be trusted", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    const config = join(here.home, "config.toml");
    execFileSync("git", ["init", "-q"], { cwd: here.cwd });
    const before = readFileSync(config, "utf8");
    const level = (word: string) => `[projects.${JSON.stringify(here.cwd)}]\ntrust_level = "${word}"\n`;
    writeFileSync(config, `${before}\n${level("untrusted")}`);
    const kept = await here.runCodex(["exec", "--json", "--trust", "hello"]);
    assert.equal(kept.code, 0);
    assert.match(kept.stderr, /--trust changes nothing/);
    assert.match(readFileSync(config, "utf8"), /trust_level = "untrusted"/);
    writeFileSync(config, before);
    assert.equal((await here.runCodex(["exec", "--json", "--trust", "hello"])).code, 0);
    assert.match(readFileSync(config, "utf8"), /trust_level = "trusted"/);
  });

  test("a review says what it found, of what it was asked about", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    execFileSync("git", ["init", "-q"], { cwd: here.cwd });
    writeFileSync(join(here.cwd, "a.txt"), "1\n");
    mock.script(reply().text("Looks good."));
    const { code, stdout, stderr } = await here.runCodex(["review", "--uncommitted"]);
    assert.deepEqual([code, stdout], [0, "Looks good.\n"]);
    assert.match(stderr, /^user\ncurrent changes$/m);
    const none = await here.runCodex(["review"]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /Specify --uncommitted, --base, --commit/);
    const both = await here.runCodex(["review", "--uncommitted", "--base", "main"]);
    assert.equal(both.code, 2);
  });

  test("ends with its commands when its client kills it", slow, async () => {
    await using mock = await mockResponses();
    await using here = await place(mock);
    const tag = `QUIRE_TEST_EXEC=${process.pid}`;
    mock.script(reply().functionCall("exec_command", { cmd: "touch begun; sleep 60", yield_time_ms: 30_000 }));
    const [name = "", value = ""] = tag.split("=");
    const child = Bun.spawn([here.codex, ...anywhere, "slow"], {
      cwd: here.cwd,
      env: { ...here.env, [name]: value },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    await eventually(() => existsSync(join(here.cwd, "begun")), { timeoutMs: 30_000 });
    child.kill("SIGTERM");
    assert.notEqual(await child.exited, 0);
    await assertNoProcesses({ tag });
  });
});

test("by the name of codex the version is that of the Codex it stands for", slow, async () => {
  await using here = await place();
  assert.match((await here.runCodex(["--version"])).stdout, /^codex-cli \d+\.\d+\.\d+\n$/);
  assert.match((await here.run(["--version"])).stdout, /^quire /);
});
