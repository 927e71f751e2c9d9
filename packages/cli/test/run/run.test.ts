import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually, gate, httpError, mockResponses, reply } from "@quire/testkit";
import { listening } from "../support/listening.ts";
import { launcher, place, slow } from "../support/quire.ts";

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("quire run", () => {
  test("writes the answer to stdout and what is done to stderr", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    mock.script(reply().functionCall("exec_command", { cmd: "echo from-command; exit 3" }), reply().text("All done."));
    const { code, stdout, stderr } = await dir.run(["run", "do it"]);
    assert.equal(stdout, "All done.\n");
    assert.match(stderr, /^thread [0-9a-f-]{36}\n\$ echo from-command/);
    assert.match(stderr, /\n {2}from-command\n {2}exit code 3\n/);
    assert.match(stderr, /\ncompleted · \d+ tokens\n$/);
    assert.equal(code, 0);
  });

  test("reads the prompt from stdin, works where it is told, with the model it is told", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    const { code } = await dir.run(
      ["run", "-", "--cd", dir.home, "--model", "other-model", "--effort", "low"],
      "what is this?",
    );
    assert.equal(code, 0);
    const body = mock.requests[0]?.body;
    assert.equal(body?.model, "other-model");
    assert.match(JSON.stringify(body?.input), /what is this\?/);
    assert.match(JSON.stringify(body?.input), new RegExp(`<cwd>${dir.home}</cwd>`));
  });

  test("--json prints one event per line, the result last", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    mock.script(reply().text("hi there"));
    const { code, stdout } = await dir.run(["run", "--json", "hi"]);
    const events = lines(stdout);
    assert.equal(code, 0);
    assert.equal(events[0].type, "thread.started");
    assert.ok(events.some(({ type }) => type === "agentMessage.delta"));
    const result = events.at(-1);
    assert.deepEqual([result.type, result.status, result.agentMessage], ["result", "completed", "hi there"]);
  });

  test("--output-schema asks for an answer that fits, and fails where it does not", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    const schema = {
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
      additionalProperties: false,
    };
    const file = join(dir.home, "schema.json");
    writeFileSync(file, JSON.stringify(schema));
    mock.script(reply().text('{"n":1}'), reply().text('{"n":"one"}'));
    const good = await dir.run(["run", "--json", "--output-schema", file, "a number"]);
    assert.equal(good.code, 0);
    assert.deepEqual(lines(good.stdout).at(-1).output, { n: 1 });
    assert.match(JSON.stringify(mock.requests[0]?.body), /"json_schema"/);
    const bad = await dir.run(["run", "--json", "--output-schema", file, "a number"]);
    assert.equal(bad.code, 1);
    assert.equal(lines(bad.stdout).at(-1).type, "error");
    const missing = await dir.run(["run", "--output-schema", "nowhere.json", "x"]);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /nowhere\.json/);
  });

  test("says why a turn failed and ends with 1", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    mock.script(httpError(400, { error: { message: "no such thing", type: "invalid_request_error" } }));
    const { code, stdout, stderr } = await dir.run(["run", "hi"]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, /Error: .*no such thing/);
  });

  test("goes on with a thread that it left", slow, async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    const first = await dir.run(["run", "--json", "remember 4711"]);
    const { threadId } = lines(first.stdout)[0];
    const second = await dir.run(["run", "--resume", threadId, "what was it?"]);
    assert.equal(second.code, 0);
    assert.match(JSON.stringify(mock.requests[1]?.body.input), /remember 4711/);
    const listed = await dir.run(["threads", "--json"]);
    assert.deepEqual(
      lines(listed.stdout).map(({ id }) => id),
      [threadId],
    );
    const table = await dir.run(["threads", "--search", "4711"]);
    assert.match(table.stdout, new RegExp(`^${threadId} .*remember 4711\n$`));
    assert.equal((await dir.run(["threads", "--archived"])).stdout, "No threads.\n");
    await dir.run(["run", "another"]);
    const latest = await dir.run(["threads", "--limit", "1"]);
    assert.equal(latest.stdout.trim().split("\n").length, 1);
    assert.match(latest.stderr, /Show more: quire threads --limit 5/);
    assert.equal((await dir.run(["threads", "--limit", "0"])).code, 2);
  });

  test("Ctrl-C interrupts the turn, which ends as interrupted, with code 130", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    const never = gate();
    mock.script(reply().text("begun ").gate(never).text("never"));
    const child = Bun.spawn([launcher, "run", "hi"], {
      cwd: dir.cwd,
      env: dir.env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = child.stdout.getReader();
    assert.match(new TextDecoder().decode((await reader.read()).value), /^begun/);
    child.kill("SIGINT");
    assert.equal(await child.exited, 130);
    assert.match(await new Response(child.stderr).text(), /interrupting[\s\S]*interrupted/);
    never.open();
  });

  test("closing the terminal leaves no command of the turn behind", slow, async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    const tag = `QUIRE_TEST_TAG=${crypto.randomUUID()}`;
    mock.script(
      reply().functionCall("exec_command", { cmd: "echo $$ > begun; exec sleep 600", yield_time_ms: 60_000 }),
    );
    const child = Bun.spawn([launcher, "run", "hi"], {
      cwd: dir.cwd,
      env: { ...dir.env, QUIRE_TEST_TAG: tag.slice("QUIRE_TEST_TAG=".length) },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await eventually(() => existsSync(join(dir.cwd, "begun")), { what: "the command" });
    child.kill("SIGHUP");
    await child.exited;
    await assertNoProcesses({ tag });
  });

  test("uses another server, by socket or as a command", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    const command = await dir.run(["run", "--server", `${launcher} app-server`, "hi"]);
    assert.equal(command.stdout, "ok\n");
    await using server = await listening(dir, ["--listen", "unix://"]);
    for (const address of [`unix://${dir.home}/app-server-control/app-server-control.sock`, "unix://"]) {
      assert.equal((await dir.run(["run", "--server", address, "hi"])).stdout, "ok\n", address);
    }
    await server.stop();
    const wrong = await dir.run(["run", "--server", "http://x", "hi"]);
    assert.equal(wrong.code, 2);
    const override = await dir.run(["run", "--server", "codex app-server", "-c", "a=1", "hi"]);
    assert.equal(override.code, 2);
    assert.match(override.stderr, /pass them where you start it/);
  });

  test("says what to do where a server, a thread or a file is not there", slow, async () => {
    await using dir = await place();
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await dir.run(["run", ...args, "hi"]);
      assert.equal(stdout, "");
      return `${code} ${stderr}`;
    };
    const nowhere = "ws://127.0.0.1:1";
    assert.match(
      await said("-S", nowhere),
      /^1 Error: .* start one: quire app-server --listen ws:\/\/127\.0\.0\.1:1\n/,
    );
    assert.match(await said("-S", "unix://"), /^1 Error: .*quire app-server daemon start/);
    assert.match(await said("-S", "true"), /^1 Error: .*`true` must speak the protocol over stdin and stdout/);
    assert.match(await said("-S", "ws://secret@127.0.0.1:1"), /^2 error: pass the token with --token-file/);
    assert.match(await said("-S", nowhere, "--token-file", "none"), /^2 error: invalid value 'none' for '--token-file/);
    writeFileSync(join(dir.cwd, "empty"), "\n", { mode: 0o600 });
    assert.match(
      await said("-S", nowhere, "--token-file", "empty"),
      /^2 error: .*'--token-file <PATH>': the file is empty/,
    );
    assert.match(await said("-S", ""), /^2 error: invalid value '' for '--server <SERVER>': expected ws:/);
    assert.match(await said("--token-file", "none"), /^2 error: .* requires --server/);
    assert.match(await said("--resume", "0190c9a0-0000-7000-8000-000000000000"), /^1 Error: .*`quire threads` lists/);
    assert.match(
      await said("--cd", "none"),
      /^2 error: invalid value 'none' for '--cd <DIR>': there is no such folder/,
    );
    assert.match(await said("--image", "none"), /^2 error: invalid value 'none' for '--image <FILE>'/);
    const { code, stdout } = await dir.run(["run", "--json", "-S", nowhere, "hi"]);
    assert.equal(code, 1);
    assert.deepEqual(
      lines(stdout).map(({ type }) => type),
      ["error"],
      "programs read it on stdout",
    );
    assert.deepEqual(await dir.run(["threads"]), { code: 0, stdout: "No threads.\n", stderr: "" }, "nothing was begun");
  });

  test("needs no set-up: the offline model answers", async () => {
    await using dir = await place();
    const { code, stdout } = await dir.run(["run", "run: echo it-works"]);
    assert.equal(code, 0);
    assert.match(stdout, /it-works/);
    const models = await dir.run(["models"]);
    assert.match(models.stdout, /^\* {2}quire-offline/m);
    assert.ok(lines((await dir.run(["models", "--json"])).stdout).some(({ isDefault }) => isDefault));
  });

  test("asks for a prompt when there is none", async () => {
    await using dir = await place();
    const { code, stderr } = await dir.run(["run"], "  \n");
    assert.equal(code, 2);
    assert.match(stderr, /a prompt is required/);
  });

  test("leaves quietly when nobody reads the answer", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    mock.script(reply().text("line\n".repeat(20_000)));
    const child = Bun.spawn(["sh", "-c", `"${launcher}" run hi 2>err | head -1`], {
      cwd: dir.cwd,
      env: dir.env,
      stdout: "pipe",
    });
    assert.equal(await new Response(child.stdout).text(), "line\n");
    assert.equal(await child.exited, 0);
    assert.doesNotMatch(await Bun.file(join(dir.cwd, "err")).text(), /EPIPE| {4}at /);
  });
});
