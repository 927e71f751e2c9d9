import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { CodexClient } from "@quire/client";
import { assertNoProcesses, eventually, gate, httpError, mockChat, reply, tempDir } from "@quire/testkit";
import { runCommand } from "../scripts/lib/run-command.ts";
import { root } from "../scripts/lib/workspace.ts";
import { type ExampleStage, exampleStage, type StartOptions } from "./lib/example-stage.ts";
import { listeningCodex } from "./lib/listening-codex.ts";

async function output(file: string): Promise<string> {
  const { code, output } = await runCommand(process.execPath, [join(root, file)], { timeoutMs: 50_000 });
  assert.equal(code, 0, output);
  return output;
}

/** Runs an example of the client to its end; it has to leave nothing running. */
async function said(stage: ExampleStage, file: string, options?: StartOptions & { readonly code?: number }) {
  const { code, output } = await stage.start(file, options).ended;
  assert.equal(code, options?.code ?? 0, output);
  await assertNoProcesses({ tag: stage.codex.tag });
  return output;
}

/** For tests that run several programs one after the other, each of which may take its time beside others. */
const patient = { timeout: 180_000 };

const command = (cmd: string) => reply().functionCall("exec_command", { cmd }, { callId: "call-1" });

test("examples/first-turn.ts takes a real Codex through a turn", async () => {
  const said = await output("examples/first-turn.ts");
  const items = ["userMessage", "dynamicToolCall", "commandExecution", "agentMessage"];
  assert.deepEqual(said.match(/(?<=^done: )\w+$/gm), items);
  assert.equal(said.match(/^delta: /gm)?.length, 4);
  assert.match(said, /^urgent: Crash on second start \(\d+ tokens\)$/m);
});

test("npm start opens the page with no key and no network, and ends with Ctrl-C", patient, async () => {
  await using dir = await tempDir("quire-start-");
  const args = ["start", "--silent", "--", "--no-open", "--no-discovery", "--port", "0"];
  const env = { PATH: process.env.PATH ?? "", HOME: dir.path, QUIRE_HOME: dir.path };
  const child = spawn("npm", args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  try {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    const url = await eventually(() => /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(said)?.[0], { timeoutMs: 120_000 });
    const page = await fetch(url);
    assert.equal(page.status, 200, await page.clone().text());
    assert.match(await page.text(), /<script type="module"[^>]* src="\/assets\//);
    const ended = once(child, "close");
    process.kill(-(child.pid ?? 0), "SIGINT");
    await ended;
    assert.match(said, /Stopping/);
  } finally {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
  }
});

test("examples/01-one-turn.ts shows a turn as it happens", async () => {
  await using stage = await exampleStage();
  stage.model.script(command("true"), reply().text("There is nothing here.", { chunks: 4 }));
  const text = await said(stage, "examples/01-one-turn.ts", { args: ["Anything?"] });
  assert.match(text, /^\$ .*true.* \(exit code 0\)\nThere is nothing here\.\ncompleted: 3 items, \d+ tokens$/m);
  assert.match(stage.model.last?.inputText() ?? "", /Anything\?/);
});

test("examples/02-approvals.ts runs what was allowed, and nothing else", patient, async () => {
  for (const { input, made } of [
    { input: "y\n", made: true },
    { input: "n\n", made: false },
    { input: "", made: false },
  ]) {
    await using stage = await exampleStage();
    stage.model.script(command("touch hello.txt"), reply().text("That was it."));
    const text = await said(stage, "examples/02-approvals.ts", { input });
    assert.match(text, /^Run .*touch hello\.txt.* in .*\? \[y\/N\]$/m);
    assert.match(text, made ? /^commandExecution: completed$/m : /^commandExecution: declined$/m);
    assert.match(text, /^That was it\.$/m);
    assert.equal(existsSync(join(stage.codex.cwd, "hello.txt")), made, `after ${JSON.stringify(input)}`);
  }
});

test("examples/02-approvals.ts names the files before it lets them change", async () => {
  await using stage = await exampleStage("gpt-5.5");
  const patch = "*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch\n";
  stage.model.script(reply().customToolCall("apply_patch", patch, { callId: "call-1" }), reply().text("Done."));
  const text = await said(stage, "examples/02-approvals.ts", { input: "y\n" });
  assert.match(text, /^Change files \(add .*hello\.txt\)\? \[y\/N\]\nfileChange: completed\nDone\.$/m);
  assert.ok(existsSync(join(stage.codex.cwd, "hello.txt")));
});

test("examples/03-tool.ts answers the agent, and tells it what is wrong", async () => {
  await using stage = await exampleStage();
  const call = (number: unknown) => reply().functionCall("find_order", { number }, { callId: `call-${number}` });
  stage.model.script(call(1001), call(7), call("x"), reply().text("It was shipped."));
  const text = await said(stage, "examples/03-tool.ts");
  assert.equal(text, "find_order(1001)\nfind_order(7)\nIt was shipped.\n");
  const { last } = stage.model;
  assert.equal(last?.functionOutput("call-1001"), '{"status":"shipped","carrier":"Post"}');
  assert.match(last?.functionOutput("call-7") ?? "", /There is no order 7/);
  assert.match(last?.functionOutput("call-x") ?? "", /Invalid arguments for tool "find_order"/);
});

test("examples/04-structured-output.ts gives a typed value, or says what the model wrote", patient, async () => {
  await using stage = await exampleStage();
  const todos = [{ file: "a.ts", text: "finish" }];
  stage.model.script(reply().text(JSON.stringify({ language: "TypeScript", hasTests: true, todos, license: null })));
  const text = await said(stage, "examples/04-structured-output.ts");
  assert.equal(text, "TypeScript, tested, licence unknown\na.ts: finish\n");
  stage.model.script(reply().text('{"language":"TypeScript"}'));
  assert.match(await said(stage, "examples/04-structured-output.ts"), /^The model wrote something else: \{"lang/m);
});

test("examples/05-review.ts prints the reviewer's text", async () => {
  await using stage = await exampleStage();
  const { cwd } = stage.codex;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd });
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "first");
  writeFileSync(join(cwd, "a.txt"), "two\n");
  const verdict = { overall_correctness: "patch is correct", overall_explanation: "All is well." };
  stage.model.script(reply().text(JSON.stringify({ findings: [], overall_confidence_score: 1, ...verdict })));
  assert.match(await said(stage, "examples/05-review.ts"), /^Review completed:\nAll is well\.$/m);
});

test("examples/06-many-threads.ts answers every question, and one failure does not end the others", async () => {
  await using stage = await exampleStage();
  for (const name of ["list", "set", "map", "queue", "stack"]) {
    stage.model.when(`What is a ${name}?`).always(reply().text(`It is a ${name}.`));
  }
  stage.model.when("What is a heap?").always(reply().failed("context_length_exceeded", "too long"));
  const lines = (await said(stage, "examples/06-many-threads.ts")).trim().split("\n");
  assert.equal(lines.length, 6);
  assert.ok(lines.includes("What is a queue? It is a queue."), lines.join("\n"));
  assert.ok(lines.some((line) => line.startsWith("What is a heap? failed: ")));
});

test("examples/07-stored-threads.ts lists, finds and resumes what another program left", patient, async () => {
  await using stage = await exampleStage();
  stage.model.script(
    reply().text("It is in login.ts."),
    reply().text("Something else."),
    reply().text("At the login."),
  );
  for (const question of ["Where is the login bug?", "What else?"]) {
    await said(stage, "examples/01-one-turn.ts", { args: [question] });
  }
  const text = await said(stage, "examples/07-stored-threads.ts", { args: ["login bug"] });
  const today = /^\S{36} \d{4}-\d\d-\d\d /.source;
  assert.match(text, new RegExp(`${today}What else\\?\n\\S{36} .* Where is the login bug\\?$`, "m"));
  assert.match(text, /^said before: It is in login\.ts\.\nAt the login\.$/m);
  assert.match(await said(stage, "examples/07-stored-threads.ts", { args: ["zebra"] }), /"zebra" was not said/);
});

test("examples/08-exec-and-files.ts runs commands and handles files", async () => {
  await using stage = await exampleStage();
  const text = await said(stage, "examples/08-exec-and-files.ts");
  assert.match(text, /^sorted: apple, fig, pear \(exit code 3\)\ncat: typed by the client\n/);
  assert.match(text, /^changed: .*b\.txt\nb\.txt holds hi\n$/m);
});

test("examples/09-websocket.ts survives a line that is cut in the middle of a turn", async () => {
  await using stage = await exampleStage();
  await using server = await listeningCodex(stage);
  const held = gate();
  stage.model.script(command("true"), reply().gate(held).text("One, two, three."));
  const example = stage.start("examples/09-websocket.ts", { args: [server.url] });
  await example.printed("item: commandExecution");
  server.cut();
  await example.printed("state: ready");
  held.open();
  const { code, output } = await example.ended;
  assert.equal(code, 0, output);
  assert.match(output, /^Codex [\d.]+, ready\nitem: userMessage\nitem: commandExecution\n/);
  assert.match(output, /^state: reconnecting\nstate: ready\nitem: agentMessage\nOne, two, three\.\nstate: closed\n$/m);
});

test("examples/10-deadline-and-errors.ts tells apart what went wrong", patient, async () => {
  await using stage = await exampleStage();
  const file = "examples/10-deadline-and-errors.ts";
  stage.model.fallback(reply().text("Fixed."));
  assert.equal(await said(stage, file), "Fixed.\n");
  // Not a line of a script, for on a busy machine time may be up before the model was asked.
  stage.model.fallback(command("sleep 60"));
  assert.equal(await said(stage, file, { args: ["2"], code: 1 }), "Stopped after 2 s\n");
  stage.model.fallback(httpError(400, "no such model"));
  assert.match(await said(stage, file, { code: 1 }), /^The turn failed: .* it had completed 1 items$/m);
  const broken = join(stage.codex.home, "codex");
  writeFileSync(broken, "#!/nowhere/sh\n", { mode: 0o755 });
  const lost = await said(stage, file, { code: 1, env: { PATH: stage.codex.home } });
  assert.match(lost, /^No connection \(spawn-failed\): codex was not found/m);
});

test("examples/11-test-your-code.ts tests code without Codex", async () => {
  assert.equal(await output("examples/11-test-your-code.ts"), "ok\n");
});

test("examples/12-ai-sdk.ts streams text and calls a tool of the AI SDK", async () => {
  await using stage = await exampleStage();
  stage.model.script(
    reply().functionCall("temperature", { city: "Bern" }, { callId: "call-1" }),
    reply().text("It is 21 degrees warm.", { chunks: 3 }),
  );
  const text = await said(stage, "examples/12-ai-sdk.ts");
  assert.match(text, /^temperature\(Bern\)\nIt is 21 degrees warm\.\n\d+ tokens$/m);
  assert.match(stage.model.last?.functionOutput("call-1") ?? "", /"degrees":21/);
});

test("examples/20-thread-view.ts draws a thread while a turn runs, and when it is done", async () => {
  await using stage = await exampleStage();
  const held = gate();
  stage.model.script(command("true"), reply().text(["There is ", held, "nothing here."]));
  const example = stage.start("examples/20-thread-view.ts");
  await example.printed("  There is …");
  held.open();
  const { code, output } = await example.ended;
  assert.equal(code, 0, output);
  assert.match(output, /^idle\n {2}\$ .*true.* completed\n {2}There is nothing here\.\n$/m);
});

test("examples/13-agent.ts tells what the agent does, and what it says", async () => {
  await using stage = await exampleStage();
  stage.model.script(reply().functionCall("exec_command", { cmd: "ls" }), reply().text("Nothing is here."));
  const text = await said(stage, "examples/13-agent.ts");
  assert.match(text, /Nothing is here\.\n\d+ tokens\n$/);
  assert.match(stage.model.last?.inputText() ?? "", /List the files in the repo and summarize\./);
});

test("examples/14-agent-login.ts logs in with a key, and does not show it when that fails", patient, async () => {
  await using stage = await exampleStage();
  const env = { OPENAI_API_KEY: "sk-test-0123456789" };
  stage.model.script(reply().text("Hello."), reply().failed("context_length_exceeded", "no: sk-test-0123456789"));
  assert.equal(await said(stage, "examples/14-agent-login.ts", { env }), "Hello.\n");
  const failed = await said(stage, "examples/14-agent-login.ts", { env, code: 1 });
  assert.match(failed, /^It failed \(response\): /);
  assert.doesNotMatch(failed, /sk-test/);
});

test("examples/15-agent-workspace.ts works on a copy", async () => {
  await using stage = await exampleStage();
  writeFileSync(join(stage.codex.cwd, "a.txt"), "one\n");
  stage.model.script(reply().text("All is tidy."));
  const text = await said(stage, "examples/15-agent-workspace.ts", { args: [stage.codex.cwd] });
  assert.equal(text, "All is tidy.\nIn the copy: a.txt\n");
  assert.match(stage.model.last?.inputText() ?? "", /`repo` \(folder, 4 of at most 50000000 bytes\)/);
});

test("examples/16-agent-typed-output.ts gives a typed value, or says what the model wrote", patient, async () => {
  await using stage = await exampleStage();
  stage.model.script(reply().text('{"title":"Quire","files":["a","b"],"lineCount":7}'), reply().text("No."));
  assert.equal(await said(stage, "examples/16-agent-typed-output.ts"), "Quire: 2 files, 7 lines\n");
  assert.equal(await said(stage, "examples/16-agent-typed-output.ts"), "The model wrote something else: No.\n");
});

test("examples/17-code-reviewer.ts reads what was changed, in order, and reports", async () => {
  await using stage = await exampleStage();
  const { cwd } = stage.codex;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd });
  git("init", "-q", "-b", "main");
  writeFileSync(join(cwd, "a.txt"), "one\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  writeFileSync(join(cwd, "a.txt"), "two\n");
  const read = (callId: string) => reply().functionCall("read_diff", { file: "a.txt" }, { callId });
  const findings = [{ file: "a.txt", line: null, problem: "It says two." }];
  stage.model.script(
    read("too-soon"),
    reply().functionCall("changed_files", {}, { callId: "list" }),
    read("read"),
    reply().text(JSON.stringify({ verdict: "request changes", summary: "One bug.", findings })),
  );
  const text = await said(stage, "examples/17-code-reviewer.ts");
  assert.match(text, /^request changes: One bug\.\na\.txt:\?: It says two\.\n\d+ tokens\n$/);
  const { last } = stage.model;
  assert.match(last?.functionOutput("too-soon") ?? "", /changed_files/);
  assert.match(last?.functionOutput("list") ?? "", /"a\.txt"/);
  assert.match(last?.functionOutput("read") ?? "", /\+two/);
});

test("examples/23-evals.ts scores a dataset, tells what became worse, and replays the last run", patient, async () => {
  await using stage = await exampleStage();
  const answers = (urgent: boolean) => (request: { inputText(): string }) =>
    reply().text(
      JSON.stringify(
        /login page/.test(request.inputText()) ? { team: "web", urgent } : { team: "core", urgent: false },
      ),
    );
  stage.model.script(answers(true), answers(true));
  const first = await said(stage, "examples/23-evals.ts");
  assert.match(first, /login page +passed +1\.00 +1\.00/);
  assert.match(first, /2 cases: 2 passed.*\nThis is the first run\.\n$/);
  stage.model.script(answers(false), answers(false));
  const second = await said(stage, "examples/23-evals.ts", { code: 1 });
  assert.match(second, /login page +worse +passed → failed +team 1\.00 → 1\.00, urgent 1\.00 → 0\.00/);
  const asked = stage.model.requests.length;
  assert.match(await said(stage, "examples/23-evals.ts", { args: ["--replay"] }), /No case changed\.\n$/);
  assert.equal(stage.model.requests.length, asked, "a replay asks no model");
});

test("examples/18-own-server.ts serves itself", async () => {
  await using stage = await exampleStage();
  const text = await said(stage, "examples/18-own-server.ts");
  assert.match(text, /^\/\S*sh -lc 'echo hello' gave 0\n.*hello/s);
});

test("examples/19-own-page.ts asks a server through the gateway", async () => {
  await using stage = await exampleStage();
  const text = await said(stage, "examples/19-own-page.ts");
  assert.match(text, /^Open http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n.*\w/s);
});

test("examples/21-own-model.ts gives Codex's clients a model of its own", async () => {
  await using stage = await exampleStage();
  await using model = await mockChat();
  model.script(reply().functionCall("exec_command", { cmd: "echo hello" }), reply().text("It said hello."));
  const env = { MODEL_URL: model.url, MODEL: "own", QUIRE_HOME: join(stage.codex.home, "..", "own-home") };
  const example = stage.start("examples/21-own-model.ts", { env });
  const url = /ws:\S+/.exec(await example.printed("codex --remote ws:"))?.[0] ?? "";
  const codex = await CodexClient.connect(url);
  const thread = await codex.thread({ cwd: stage.codex.cwd, sandbox: "danger-full-access", approvalPolicy: "never" });
  const { agentMessage } = await thread.run("say hello");
  await codex.close();
  example.interrupt();
  const { code, output } = await example.ended;
  assert.equal(code, 0, output);
  assert.equal(agentMessage, "It said hello.");
  assert.match(model.last.functionOutputs()[0]?.output ?? "", /hello/);
  assert.deepEqual(model.refused, []);
});

test("examples/22-http.ts serves a page whose visitor answers an approval", async () => {
  await using stage = await exampleStage();
  stage.model.script(command("touch made.txt"), reply().text("Made it."));
  const example = stage.start("examples/22-http.ts", { env: { PORT: "0" } });
  const url = /http:\S+/.exec(await example.printed("Open http:"))?.[0] ?? "";
  assert.equal((await fetch(`${url}api/threads`, { method: "POST" })).status, 401);
  const cookie = (await fetch(url)).headers.get("set-cookie")?.split(";")[0] ?? "";
  const post = (path: string, body: unknown) =>
    fetch(`${url}api/${path}`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { threadId } = (await (await post("threads", {})).json()) as { threadId: string };
  const response = await post(`threads/${threadId}/turns`, { input: "make it" });
  let text = "";
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const asked = /^event: approvals\ndata: \[\{"id":"([^"]+)".*"script":"touch made\.txt"/m.exec(text);
    if (asked) {
      text = text.replace(asked[0], "");
      assert.equal((await post(`approvals/${asked[1]}`, { decision: "decline" })).status, 200);
    }
  }
  assert.match(text, /^event: end\ndata: \{"status":"completed","agentMessage":"Made it\."/m);
  assert.ok(!existsSync(join(stage.codex.cwd, "made.txt")));
  example.interrupt();
  await example.ended;
});

test("examples/backlog is worked through as the tour says, offline", patient, async () => {
  await using dir = await tempDir("quire-backlog-");
  const cwd = join(dir.path, "backlog");
  cpSync(join(root, "examples", "backlog"), cwd, { recursive: true });
  const tag = { QUIRE_EXAMPLE_TAG: dir.path };
  const env = { QUIRE_HOME: join(dir.path, "home"), ...tag };
  const once = async () => {
    const quire = join(root, "packages", "cli", "bin", "quire");
    const { code, output } = await runCommand(quire, ["orchestrate", "--once"], { cwd, env, timeoutMs: 80_000 });
    assert.equal(code, 0, output);
    await assertNoProcesses({ tag: `QUIRE_EXAMPLE_TAG=${dir.path}` });
  };
  const text = (file: string) => readFileSync(join(cwd, file), "utf8");
  const states = () => [1, 2, 3].map((number) => /^state: (.*)$/m.exec(text(`issues/TOUR-${number}.md`))?.[1]);

  await once();
  assert.deepEqual(states(), ["Review", "Review", "Todo"]);
  assert.match(text("issues/TOUR-1.md"), /\n\nWrite a greeting: done, please look at it\.\n$/);
  assert.equal(text("workspaces/TOUR-1/hello.txt"), "Hello from the tour.\n");
  assert.equal(text("workspaces/TOUR-2/numbers.txt"), "one\ntwo\nthree\n");

  writeFileSync(join(cwd, "issues", "TOUR-1.md"), text("issues/TOUR-1.md").replace("state: Review", "state: Done"));
  await once();
  assert.deepEqual(states(), ["Done", "Review", "Review"]);
  assert.equal(text("workspaces/TOUR-3/again.txt"), "Hello again.\n");
  assert.equal(existsSync(join(cwd, "workspaces", "TOUR-1")), false);
});
