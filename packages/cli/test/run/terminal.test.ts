import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { listen } from "@quire/server/listen";
import { eventually, gate, mockResponses, reply, scriptedServer, type TurnScript } from "@quire/testkit";
import { launcher, type Place, place } from "../support/quire.ts";

/** Runs the command on a terminal of its own. */
function onTerminal(dir: Place, args: readonly string[]) {
  let screen = "";
  const child = Bun.spawn([launcher, ...args], {
    cwd: dir.cwd,
    env: { ...dir.env, TERM: "xterm" },
    terminal: {
      cols: 120,
      rows: 40,
      data: (_, data) => {
        screen += new TextDecoder().decode(data);
      },
    },
  });
  return {
    child,
    type: (text: string) => void child.terminal?.write(text),
    see: (pattern: RegExp) =>
      eventually(() => pattern.test(screen), { what: `${pattern} on the terminal`, timeoutMs: 30_000 }),
  };
}

/** A server behind a socket that plays one turn, ignores interrupts, and keeps what it was answered. */
async function scripted(script: TurnScript) {
  const server = scriptedServer().turn(script).on("turn/interrupt", {});
  const answers: unknown[] = [];
  const listener = await listen(
    {
      accept(transport) {
        const { promise: closed, resolve } = Promise.withResolvers<void>();
        server.transport.start({ message: (text) => transport.send(text), closed: () => void transport.close() });
        transport.start({
          message(text) {
            const { method, result } = JSON.parse(text);
            if (method === undefined) answers.push(result);
            server.transport.send(text);
          },
          closed: () => resolve(),
        });
        return { closed };
      },
    },
    { url: "ws://127.0.0.1:0" },
  );
  return {
    address: listener.address,
    answers,
    async [Symbol.asyncDispose]() {
      await listener.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("on a terminal", () => {
  test("Ctrl-C interrupts the turn, and its end is shown", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    const never = gate();
    mock.script(reply().text("begun ").gate(never));
    const run = onTerminal(dir, ["run", "hi"]);
    await run.see(/begun/);
    run.type("\x03");
    assert.equal(await run.child.exited, 130);
    // What it wrote last may be read after it has ended.
    await run.see(/interrupting; press Ctrl-C again[\s\S]*interrupted/);
    never.open();
  });

  test("a second Ctrl-C leaves though the server does not end the turn", async () => {
    const never = gate();
    await using dir = await place();
    await using server = await scripted({
      items: [
        { type: "message", text: "begun" },
        { type: "wait", until: never },
      ],
    });
    const run = onTerminal(dir, ["run", "--server", server.address, "hi"]);
    await run.see(/begun/);
    run.type("\x03");
    await run.see(/press Ctrl-C again/);
    run.type("\x03");
    assert.equal(await run.child.exited, 130);
    never.open();
  });

  test("the user is asked, and yes lets the command run", async () => {
    await using dir = await place();
    await using server = await scripted({
      items: [{ type: "command", command: "touch made", approval: true }],
      text: "done",
    });
    const run = onTerminal(dir, ["run", "--server", server.address, "hi"]);
    await run.see(/Run this command\?\s+│ touch made\s+in \S+\/work\s+\[y\]es/);
    run.type("y\n");
    assert.equal(await run.child.exited, 0);
    assert.deepEqual(server.answers, [{ decision: "accept" }]);
  });

  test("what was typed before a question is not its answer", async () => {
    await using dir = await place();
    const later = gate();
    await using server = await scripted({
      items: [
        { type: "command", command: "touch one", approval: true },
        { type: "wait", until: later },
        { type: "command", command: "touch two", approval: true },
      ],
      text: "done",
    });
    const run = onTerminal(dir, ["run", "--server", server.address, "hi"]);
    await run.see(/touch one\s+in \S+\s+\[y\]es/);
    run.type("y\n");
    await eventually(() => server.answers.length === 1, { what: "the first answer" });
    run.type("y\n");
    later.open();
    await run.see(/touch two\s+in \S+\s+\[y\]es/);
    run.type("n\n");
    assert.equal(await run.child.exited, 0);
    assert.deepEqual(server.answers, [{ decision: "accept" }, { decision: "decline" }]);
  });

  test("input for a program is shown key by key, with the program and the folder", async () => {
    await using dir = await place();
    const program = { type: "commandExecution", id: "p", command: "/bin/bash -lc 'python3 -q'", status: "inProgress" };
    const question = { kind: "writeStdin", itemId: "p", cwd: "/srv/app", availableDecisions: ["accept", "cancel"] };
    await using server = await scripted({
      items: [
        { type: "notify", method: "item/started", params: { item: program } },
        {
          type: "request",
          method: "item/commandExecution/requestApproval",
          params: { ...question, command: "write_stdin --session-id 7 '1\n\x03'" },
        },
      ],
      text: "done",
    });
    const run = onTerminal(dir, ["run", "--server", server.address, "hi"]);
    const lines = [/Type this into a program that is running\?/, /│ 1.*⟦⏎⟧.*/, /│ .*⟦\^C⟧.*/, /into/, /│ python3 -q/];
    await run.see(new RegExp([...lines, /in \/srv\/app/, /\[y\]es, \[n\]o/].map(({ source }) => source).join("\\s+")));
    run.type("y\n");
    assert.equal(await run.child.exited, 0);
    assert.deepEqual(server.answers, [{ decision: "accept" }]);
  });

  test("the server asks before a model types into a program outside of the sandbox, and no keeps it out", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    const outside = { sandbox_permissions: "require_escalated", justification: "May I?" };
    mock.script(
      reply().functionCall(
        "exec_command",
        { cmd: "head -n 1 >typed.txt", tty: true, yield_time_ms: 250, ...outside },
        { callId: "call-1" },
      ),
      (request) => {
        const session = /session ID (\d+)/.exec(request.functionOutput("call-1") ?? "")?.[1];
        const input = { session_id: Number(session), chars: "secret\n", yield_time_ms: 250 };
        return reply().functionCall("write_stdin", input, { callId: "call-2" });
      },
      reply().text("done"),
    );
    const run = onTerminal(dir, ["run", "--approval", "on-request", "--sandbox", "read-only", "hi"]);
    await run.see(/Run this command\?\s+│ head -n 1 >typed\.txt[\s\S]*\[y\]es/);
    run.type("y\n");
    await run.see(
      /Type this into a program[^?]*\?\s+│ secret.*⟦⏎⟧.*\s+into\s+│ head -n 1 >typed\.txt\s+in \S+\/work[\s\S]*\[y\]es/,
    );
    run.type("n\n");
    assert.equal(await run.child.exited, 0);
    assert.equal(await Bun.file(`${dir.cwd}/typed.txt`).text(), "");
  });

  test("anything but yes is no", async () => {
    await using dir = await place();
    await using server = await scripted({
      items: [{ type: "command", command: "touch made", approval: true }],
      text: "done",
    });
    const run = onTerminal(dir, ["run", "--server", server.address, "hi"]);
    await run.see(/\[y\]es/);
    run.type("hm\n");
    assert.equal(await run.child.exited, 0);
    assert.deepEqual(server.answers, [{ decision: "decline" }]);
  });

  test("without one, nobody is asked and the answer is no", async () => {
    await using dir = await place();
    await using server = await scripted({
      items: [{ type: "command", command: "touch made", approval: true }],
      text: "done",
    });
    assert.equal((await dir.run(["run", "--server", server.address, "hi"])).code, 0);
    assert.deepEqual(server.answers, [{ decision: "decline" }]);
  });
});

describe("quire orchestrate on a terminal", () => {
  test("shows what a workflow runs before it runs it, and again when that has changed", async () => {
    await using dir = await place();
    const workflow = (hook: string) =>
      writeFileSync(
        join(dir.cwd, "WORKFLOW.md"),
        `---\ntracker: {kind: folder}\nworkspace: {root: ws}\nhooks: {before_run: "${hook}"}\n---\nDo it.\n`,
      );
    mkdirSync(join(dir.cwd, "issues"));
    const start = async (shown: RegExp, answer: string) => {
      const at = onTerminal(dir, ["orchestrate", "--once"]);
      await at.see(shown);
      await at.see(/Run this\? \[y\/N\]/);
      at.type(`${answer}\n`);
      return at.child.exited;
    };
    workflow("echo one");
    assert.equal(await start(/Programs and permissions.*\r\n[\s\S]*hooks\.before_run: echo one/, "n"), 1);
    assert.equal(await start(/hooks\.before_run: echo one/, "y"), 0);
    workflow("echo two");
    assert.equal(await start(/changed since you approved it[\s\S]*~ hooks\.before_run: echo two/, ""), 1);
    assert.equal(await start(/~ hooks\.before_run: echo two/, "y"), 0);
    // As it was: nothing to ask.
    assert.equal(await onTerminal(dir, ["orchestrate", "--once"]).child.exited, 0);
  });
});
