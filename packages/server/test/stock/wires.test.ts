/** Stock clients on models behind other APIs than Codex speaks: a command and a patch, as with OpenAI's. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { codexVersion } from "@quire/protocol/version";
import { reply, skipWithoutCodex } from "@quire/testkit";
import { clientFile, skipWithoutClient } from "./support/client.ts";
import { listening, patient, stage } from "./support/stage.ts";
import { skipWithoutTmux } from "./support/terminal.ts";
import { ready, tui } from "./support/tui.ts";

const patch = "*** Begin Patch\n*** Add File: notes.txt\n+first line\n+second line\n*** End Patch\n";
const notes = "first line\nsecond line\n";
const wires = ["chat", "anthropic"] as const;
const sdk = "@openai/codex-sdk";

interface Codex {
  startThread(options: object): {
    run(input: string): Promise<{ finalResponse: string; items: { type: string }[] }>;
  };
}

describe("Codex's TUI", { skip: skipWithoutTmux() || (await skipWithoutCodex(codexVersion)) }, () => {
  for (const wire of wires) {
    test(`a user sees a command and a patch of a model behind ${wire}`, patient, async () => {
      await using set = await stage({ wire });
      await using server = await listening(set);
      await using screen = await tui(set, server);
      await screen.shows(ready);
      const escalated = {
        cmd: "echo out of the box",
        sandbox_permissions: "require_escalated",
        justification: "because",
      };
      set.mock.script(
        reply().reasoning(["I look first"]).functionCall("exec_command", escalated),
        reply().customToolCall("apply_patch", patch, { chunks: 6 }),
        reply().text("Both are done.", { chunks: 3 }),
      );
      await screen.enter("run it and write it down");
      await screen.answer(/Press enter to confirm/, "y");
      await screen.shows(/└ out of the box[\s\S]*• Added notes\.txt \(\+2 -0\)[\s\S]*• Both are done\./);
      assert.equal(readFileSync(join(set.cwd, "notes.txt"), "utf8"), notes);
      assert.deepEqual(set.mock.refused, []);
    });
  }
});

describe(sdk, { skip: skipWithoutClient(sdk) }, () => {
  for (const wire of wires) {
    test(`a program gets a command and a patch of a model behind ${wire}`, patient, async () => {
      await using set = await stage({ wire });
      const { Codex } = (await import(pathToFileURL(clientFile(sdk) ?? "").href)) as {
        Codex: new (options: object) => Codex;
      };
      const codex = new Codex({ codexPathOverride: set.codex, env: { ...set.env } });
      const thread = codex.startThread({
        workingDirectory: set.cwd,
        skipGitRepoCheck: true,
        sandboxMode: "workspace-write",
      });
      set.mock.script(
        reply().functionCall("exec_command", { cmd: "echo ran" }),
        reply().customToolCall("apply_patch", patch),
        reply().text("Both are done."),
      );
      const { finalResponse, items } = await thread.run("run it and write it down");
      assert.equal(finalResponse, "Both are done.");
      const types = items.map(({ type }) => type);
      assert.deepEqual(types, ["command_execution", "file_change", "agent_message"]);
      assert.equal(readFileSync(join(set.cwd, "notes.txt"), "utf8"), notes);
      assert.deepEqual(set.mock.refused, []);
    });
  }
});
