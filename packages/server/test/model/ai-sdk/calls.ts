import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import { input } from "../../support/test-client.ts";
import { command } from "../../support/test-server.ts";
import { plan, type Scenario } from "./scenario.ts";
import { itemsOf } from "./stage.ts";

const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const patch = '*** Begin Patch\n*** Add File: notes.txt\n+first "line"\n+second\\line\n*** End Patch\n';
const weather = {
  name: "weather",
  description: "Tells the weather",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

export const calls: Scenario[] = [
  {
    name: "a command runs and its output comes back",
    async run({ client, cwd, mock }) {
      mock.script(command("echo from the shell", {}), reply().text("It ran."));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "completed", turn.error?.message);
      const [output] = mock.last.functionOutputs();
      assert.match(output?.output ?? "", /from the shell/);
      assert.equal(itemsOf(client, "commandExecution").length, 1);
    },
  },
  {
    name: "arguments that stream in pieces come whole",
    async run({ client, cwd, mock }) {
      const args = { cmd: "echo 'a \"quoted\" word'", login: false };
      mock.script(reply().functionCall("exec_command", args, { chunks: 9 }), reply().text("It ran."));
      await client.turn(await client.thread({ cwd }));
      assert.match(mock.last.functionOutputs()[0]?.output ?? "", /a "quoted" word/);
    },
  },
  {
    name: "several calls at once each get their own output, in order",
    async run({ client, cwd, mock }) {
      const run = (word: string) => ({ cmd: `echo ${word}`, login: false });
      const calls = reply()
        .functionCall("exec_command", run("one"), { callId: "c1" })
        .functionCall("exec_command", run("two"), { callId: "c2" })
        .functionCall("exec_command", run("three"), { callId: "c3" });
      mock.script(calls, reply().text("All ran."));
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      const outputs = mock.last.functionOutputs().map(({ output }) => /one|two|three/.exec(output)?.[0]);
      assert.deepEqual(outputs, ["one", "two", "three"]);
    },
  },
  {
    name: "calls of several responses in a row",
    async run({ client, cwd, mock }) {
      const call = () => reply().reasoning(["next"]).functionCall("update_plan", plan);
      mock.script(call(), call(), call(), call(), reply().text("Done."));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.equal(mock.last.functionOutputs().length, 4);
    },
  },
  {
    name: "ids of calls that the provider uses twice are told apart",
    async run({ client, cwd, mock }) {
      const call = () => reply().functionCall("update_plan", plan, { callId: "call_0" });
      mock.script(call(), call(), reply().text("Done."));
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      const ids = mock.last.functionOutputs().map(({ callId }) => callId);
      assert.equal(ids.length, 2);
    },
  },
  {
    name: "a patch is written to the file",
    async run({ client, cwd, mock }) {
      mock.script(reply().customToolCall("apply_patch", patch), reply().text("Written."));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.equal(readFileSync(join(cwd, "notes.txt"), "utf8"), 'first "line"\nsecond\\line\n');
      assert.equal(itemsOf(client, "fileChange").length, 1);
      assert.match(mock.last.functionOutputs()[0]?.output ?? "", /notes\.txt/);
    },
  },
  {
    name: "a patch shows while it streams",
    options: { config: { "features.apply_patch_streaming_events": true } },
    async run({ client, cwd, mock, wire }) {
      mock.script(reply().customToolCall("apply_patch", patch, { chunks: 12, delayMs: 5 }), reply().text("Written."));
      await client.turn(await client.thread({ cwd }));
      const updates = client.all("item/fileChange/patchUpdated");
      // Gemini sends calls whole.
      assert.ok(updates.length >= (wire.api === "gemini" ? 1 : 2), `${updates.length} updates`);
      assert.ok(existsSync(join(cwd, "notes.txt")));
    },
  },
  {
    name: "a call of a tool that there is not is answered",
    async run({ client, cwd, mock }) {
      mock.script(reply().functionCall("no_such_tool", { a: 1 }), reply().text("Sorry."));
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      assert.match(mock.last.functionOutputs()[0]?.output ?? "", /unsupported call/);
    },
  },
  {
    name: "a client's own tool is called under its name",
    async run({ client, cwd, mock }) {
      client.handle("item/tool/call", ({ arguments: args }) => ({
        success: true,
        contentItems: [{ type: "inputText", text: `rain in ${args.city}` }],
      }));
      mock.script(reply().functionCall("weather", { city: "Oslo" }), reply().text("Rain."));
      await client.turn(await client.thread({ cwd, dynamicTools: [weather] }));
      assert.match(mock.last.functionOutputs()[0]?.output ?? "", /rain in Oslo/);
    },
  },
  {
    name: "a user's image reaches the model",
    async run({ client, cwd, mock }) {
      mock.script(reply().text("A pixel."));
      const threadId = await client.thread({ cwd });
      const image = [...input("what is it"), { type: "image", url: pixel }];
      const { turn } = await client.request("turn/start", { threadId, input: image });
      assert.equal((await client.ended(turn.id)).status, "completed");
      assert.ok(JSON.stringify(mock.last.sent).includes(pixel.slice(30)));
    },
  },
  {
    name: "an image from a tool reaches the model",
    async run({ client, cwd, mock }) {
      const path = join(cwd, "pixel.png");
      writeFileSync(path, Buffer.from(pixel.split(",")[1] ?? "", "base64"));
      mock.script(
        reply().functionCall("view_image", { path }).functionCall("update_plan", plan),
        reply().text("A pixel."),
      );
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.equal(mock.last.functionOutputs().length, 2);
      const words = JSON.stringify(mock.last.sent);
      assert.match(
        words,
        /"(?:image_url|data)":"(?:data:image\/png;base64,)?iVBORw0KGgo|"url":"data:image\/png;base64,iVBORw0KGgo/,
      );
    },
  },
];

/** A wire on which calls come whole cannot bring broken ones. */
export const flawedCall: Scenario = {
  name: "arguments that are no JSON are answered, and the history stays valid",
  async run({ client, cwd, mock }) {
    mock.script(reply().functionCall("exec_command", '{"cmd": "echo'), reply().text("Sorry."));
    const turn = await client.turn(await client.thread({ cwd }));
    assert.equal(turn.status, "completed", turn.error?.message);
    assert.equal(mock.last.functionOutputs().length, 1);
  },
};
