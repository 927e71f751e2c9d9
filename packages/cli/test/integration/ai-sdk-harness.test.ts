/** The harness of the client, driven by the `HarnessAgent` that the AI SDK publishes, on the real Codex and on our server. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createCodexHarness } from "@quire/client/ai-sdk-harness";
import { codexVersion } from "@quire/protocol/version";
import { gate, reply, skipWithoutCodex } from "@quire/testkit";
import { slow } from "../support/quire.ts";
import { HarnessAgent, ofType, type Part, parts, run, skip, stage, textOf, tool, z } from "./harness-stage.ts";

for (const server of ["codex", "quire"] as const) {
  const options = { ...slow, skip: skip || (server === "codex" && (await skipWithoutCodex(codexVersion))) };
  describe(`HarnessAgent on ${server}`, options, () => {
    test("text is streamed with its usage, a session goes on, and a server of the sandbox ends with it", async () => {
      await using it = await stage(server, { instructions: "Be brief." });
      const session = await it.open();
      it.mock.script(reply().text("Hello there.", { chunks: 3 }), reply().text("Again."));
      const all = await parts(await it.agent.stream({ session, prompt: "Hi" }));
      assert.equal(textOf(all), "Hello there.");
      assert.ok(ofType(all, "text-delta").length > 1, "it came in pieces");
      const finish = all.at(-1) as Part & { totalUsage: { inputTokens: number } };
      assert.deepEqual([finish.type, finish.finishReason, finish.totalUsage.inputTokens], ["finish", "stop", 100]);
      assert.match(it.mock.last.inputText("developer"), /Be brief\./);
      assert.equal(await (await it.agent.stream({ session, prompt: "More" })).text, "Again.");
      assert.match(it.mock.last.inputText(), /Hi[\s\S]*Hello there\.[\s\S]*More/);
      assert.equal(it.sandbox.running(), 1);
      await session.destroy();
      assert.equal(it.sandbox.running(), 0);
    });

    test("a command waits for the host's approval: a yes runs it, a no does not", async () => {
      await using it = await stage(server, { permissionMode: "allow-reads" });
      const session = await it.open();
      it.mock.script(run("touch made.txt"), reply().text("Made."), run("touch other.txt"), reply().text("Not made."));
      const asked = await parts(await it.agent.stream({ session, prompt: "Make it" }));
      const [request] = ofType(asked, "tool-approval-request") as [Part & { toolCall: Part }];
      assert.match(JSON.stringify(request.toolCall.input), /touch made\.txt/);
      assert.ok(!existsSync(join(it.cwd, "made.txt")));
      const answer = (approvalId: unknown, approved: boolean) => ({
        session,
        toolApprovalContinuations: [{ type: "tool-approval-response", approvalId, approved }],
      });
      const done = await parts(await it.agent.continueStream(answer(request.approvalId, true)));
      assert.equal(textOf(done), "Made.");
      assert.ok(existsSync(join(it.cwd, "made.txt")));
      const again = await parts(await it.agent.stream({ session, prompt: "Another" }));
      const [second] = ofType(again, "tool-approval-request") as [Part];
      const denied = await parts(await it.agent.continueStream(answer(second.approvalId, false)));
      assert.equal(textOf(denied), "Not made.");
      assert.ok(!existsSync(join(it.cwd, "other.txt")));
    });

    test("a model that uses an id twice is not given the approval of another command", async () => {
      await using it = await stage(server, { permissionMode: "allow-reads" });
      const session = await it.open();
      it.mock.script(run("touch harmless.txt"), run("touch harmful.txt"), reply().text("Done."));
      let asked = await parts(await it.agent.stream({ session, prompt: "Go" }));
      for (const [name, approved] of [["harmless", true] as const, ["harmful", false] as const]) {
        const [request] = ofType(asked, "tool-approval-request") as [Part & { toolCall: Part }];
        assert.match(JSON.stringify(request.toolCall.input), new RegExp(`touch ${name}\\.txt`));
        const answer = [{ type: "tool-approval-response", approvalId: request.approvalId, approved }];
        asked = await parts(await it.agent.continueStream({ session, toolApprovalContinuations: answer }));
      }
      assert.equal(textOf(asked), "Done.");
      assert.deepEqual(
        [existsSync(join(it.cwd, "harmless.txt")), existsSync(join(it.cwd, "harmful.txt"))],
        [true, false],
      );
    });

    test("the host runs its tools, two of one response at once, and the model reads what they gave", async () => {
      const both = gate();
      const ran: string[] = [];
      const weather = tool?.({
        description: "The weather in a city",
        inputSchema: z?.object({ city: z.string() }),
        execute: async ({ city }: { city: string }) => {
          if (ran.push(city) === 2) both.open();
          await both;
          if (city === "Atlantis") throw new Error("No such city");
          return `rain in ${city}`;
        },
      });
      await using it = await stage(server, { tools: { weather } });
      const session = await it.open();
      it.mock.script(
        reply()
          .functionCall("weather", { city: "Oslo" }, { callId: "oslo" })
          .functionCall("weather", { city: "Atlantis" }, { callId: "atlantis" }),
        reply().text("Rain."),
      );
      const all = await parts(await it.agent.stream({ session, prompt: "The weather?" }));
      assert.equal(textOf(all), "Rain.");
      assert.deepEqual(ran.sort(), ["Atlantis", "Oslo"]);
      const outputs = it.mock.last.functionOutputs().map(({ output }) => String(output));
      assert.ok(outputs.includes("rain in Oslo"), outputs.join());
      assert.match(outputs.join(), /No such city/);
      assert.equal(ofType(all, "tool-result").length, 2);
    });

    test("an abort interrupts the model and ends the stream; the session goes on", async () => {
      await using it = await stage(server);
      const session = await it.open();
      it.mock.script(reply().text(["Begun", gate(), "never"]), reply().text("Still here."));
      const abort = new AbortController();
      const types: string[] = [];
      for await (const part of (await it.agent.stream({ session, prompt: "Go", abortSignal: abort.signal }))
        .fullStream) {
        types.push(part.type);
        if (part.type === "text-delta") abort.abort();
      }
      assert.equal(types.at(-1), "abort");
      assert.equal(await it.mock.last.ended, "aborted");
      assert.equal(await (await it.agent.stream({ session, prompt: "Are you there?" })).text, "Still here.");
    });

    test("a session that was stopped is resumed by another process with all that was said", async () => {
      await using it = await stage(server);
      it.mock.script(reply().text("Blue it is."), reply().text("Blue."));
      const session = await it.open({ sessionId: "one" });
      assert.equal(await (await it.agent.stream({ session, prompt: "My colour is blue." })).text, "Blue it is.");
      const resumeFrom = JSON.parse(JSON.stringify(await session.stop()));
      assert.equal(it.sandbox.running(), 0);
      const again = await it.open({ sessionId: "one", resumeFrom });
      assert.equal(again.isResume, true);
      assert.equal(await (await it.agent.stream({ session: again, prompt: "Which?" })).text, "Blue.");
      assert.match(it.mock.last.inputText(), /My colour is blue\.[\s\S]*Blue it is\.[\s\S]*Which\?/);
    });

    test("a server that died in its sandbox is replaced at the next turn, which knows what was said", async () => {
      await using it = await stage(server);
      const session = await it.open();
      it.mock.script(reply().text("Noted."), reply().text("Blue."));
      await parts(await it.agent.stream({ session, prompt: "My colour is blue." }));
      await it.sandbox.session.stop();
      assert.equal(await (await it.agent.stream({ session, prompt: "Which?" })).text, "Blue.");
      assert.match(it.mock.last.inputText(), /My colour is blue\.[\s\S]*Noted\.[\s\S]*Which\?/);
    });

    test("a turn that was suspended at an approval is taken up by another session, which asks again", async () => {
      await using it = await stage(server, { permissionMode: "allow-reads" });
      it.mock.script(run("touch made.txt"), run("touch made.txt"), reply().text("Made."));
      const session = await it.open({ sessionId: "one" });
      await parts(await it.agent.stream({ session, prompt: "Make it" }));
      const continueFrom = JSON.parse(JSON.stringify(await session.suspendTurn()));
      assert.equal(it.sandbox.running(), 0);
      const next = await it.open({ sessionId: "one", continueFrom });
      const asked = await parts(await it.agent.continueStream({ session: next }));
      const [request] = ofType(asked, "tool-approval-request") as [Part];
      assert.ok(!existsSync(join(it.cwd, "made.txt")));
      const { approvalId } = request;
      const yes = [{ type: "tool-approval-response", approvalId, approved: true }];
      const done = await parts(await it.agent.continueStream({ session: next, toolApprovalContinuations: yes }));
      assert.equal(textOf(done), "Made.");
      assert.ok(existsSync(join(it.cwd, "made.txt")));
    });

    test("a failed turn is an error of the stream", async () => {
      await using it = await stage(server);
      const session = await it.open();
      it.mock.script(reply().failed("invalid_prompt", "No such luck"));
      const all = await parts(await it.agent.stream({ session, prompt: "Go" }));
      const [failed] = ofType(all, "error") as [Part];
      assert.match(String((failed.error as Error).message), /No such luck/);
    });
  });
}

test("a sandbox without ports, and one without Codex, are refused with the remedy", { ...slow, skip }, async () => {
  await using it = await stage("quire");
  const { getPortEndpoint: _, ports: __, ...bare } = it.sandbox.session;
  await assert.rejects(
    it.open({ sandboxSession: bare }),
    /needs a port of the sandbox: .* Use a sandbox provider with/,
  );
  assert.ok(HarnessAgent);
  const harness = createCodexHarness({ command: ["no-such-codex", "app-server"] });
  const agent = new HarnessAgent({ harness });
  const opening = agent.createSession({ sandboxSession: it.sandbox.session });
  await assert.rejects(opening, /no-such-codex app-server exited with code 127 in the sandbox[\s\S]*not found/);
});
