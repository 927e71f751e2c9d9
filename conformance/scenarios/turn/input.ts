import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { patchGrammar, replyWords } from "../../lib/shared-differences.ts";
import { endOfTurn, runTurn, startThread, text } from "../../lib/steps.ts";

/** A one-pixel image. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function turnWith(peer: Peer, threadId: string, input: readonly object[]): Promise<void> {
  await peer.result("turn/start", { threadId, input });
  await endOfTurn(peer);
}

function writeSkill(folder: string, name: string): string {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true });
  const path = join(dir, "SKILL.md");
  writeFileSync(path, `---\nname: ${name}\ndescription: A skill\n---\nDO THE ${name.toUpperCase()}.`);
  return path;
}

/** Input other than text. */
export const input: readonly Scenario[] = [
  {
    name: "input/images",
    covers: "Images by data URL and by path; those that cannot be read",
    run: async (stage) => {
      const path = join(stage.cwd, "pixel.png");
      writeFileSync(path, Buffer.from(png, "base64"));
      const peer = await stage.connect();
      const { id } = await startThread(peer);
      const image = { type: "image", url: `data:image/png;base64,${png}` };
      await turnWith(peer, id, [text("look"), image, { type: "localImage", path }]);
      await turnWith(peer, id, [{ type: "localImage", path: join(stage.cwd, "none.png") }]);
    },
  },
  {
    name: "input/images-known",
    covers: "Images for a model of the catalogue: their detail",
    setup: { modelName: "gpt-5.5" },
    run: async (stage) => {
      const path = join(stage.cwd, "pixel.png");
      writeFileSync(path, Buffer.from(png, "base64"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id } = thread;
      const url = `data:image/png;base64,${png}`;
      await turnWith(peer, id, [text("look"), { type: "image", url }, { type: "localImage", path }]);
      await turnWith(peer, id, [
        { type: "image", url, detail: "low" },
        { type: "localImage", path, detail: "high" },
      ]);
      stage.model.script(reply().functionCall("view_image", { path: "pixel.png" }, { callId: "call-1" }));
      await runTurn(peer, thread, "look at it");
    },
    differences: [
      patchGrammar,
      {
        at: /^model input (lacks|adds): user .*"detail":"(low|high|original)"}$/,
        reason:
          "A client that says in which detail an image is to be seen has it so; Codex sends known models all of it.",
      },
    ],
  },
  {
    name: "input/audio",
    covers: "Audio in the message, as a local file, or as a file that the provider has; one of them is needed",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      writeFileSync(join(stage.cwd, "a.wav"), "RIFF0000WAVE");
      await turnWith(peer, threadId, [{ type: "audio", url: "data:audio/wav;base64,UklGRg==" }]);
      await turnWith(peer, threadId, [{ type: "localAudio", path: join(stage.cwd, "a.wav") }]);
      await peer.request("turn/start", { threadId, input: [{ type: "audio" }] });
      await turnWith(peer, threadId, [{ type: "audio", fileId: "file-1" }]);
    },
    differences: [
      replyWords,
      {
        at: /^event|^model requests/,
        reason: "Any model is sent a recording that its provider has; the provider knows whether it can hear it.",
      },
    ],
  },
  {
    name: "input/broken",
    covers: "Images that are cut off or none, a skill that is gone, and nothing at all: the turn goes on without them",
    run: async (stage) => {
      const path = join(stage.cwd, "cut.png");
      const cut = Buffer.from(png, "base64").subarray(0, -20);
      writeFileSync(path, cut);
      const peer = await stage.connect();
      const { id } = await startThread(peer);
      const urls = [
        `data:image/png;base64,${cut.toString("base64")}`,
        "data:image/png,abc",
        "data:text/plain;base64,aGk=",
      ];
      await turnWith(peer, id, [...urls.map((url) => ({ type: "image", url })), { type: "localImage", path }]);
      await turnWith(peer, id, [text("use it"), { type: "skill", name: "gone", path: join(stage.cwd, "SKILL.md") }]);
      await turnWith(peer, id, []);
    },
    differences: [
      {
        at: 'model input adds: user "The skill gone could not be read',
        reason: "The model is told that a skill is gone; Codex leaves it out without a word.",
      },
    ],
  },
  {
    name: "input/remote-image",
    covers: "An image by the address of a web server",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await peer.request("turn/start", { threadId, input: [{ type: "image", url: "https://example.com/x.png" }] });
    },
  },
  {
    name: "input/skill",
    covers: "A skill as input, and one named in the text alone",
    quotes: ["DO THE HOMEY."],
    run: async (stage) => {
      const path = writeSkill(join(stage.home, "skills"), "homey");
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await turnWith(peer, thread.id, [text("$homey now"), { type: "skill", name: "homey", path }]);
      await runTurn(peer, await startThread(peer), "please $homey");
    },
  },
  {
    name: "input/mention",
    covers: "Mentions of an app and of a file; text elements",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id } = await startThread(peer);
      await turnWith(peer, id, [
        text("$demo-app see @file"),
        { type: "mention", name: "Demo App", path: "app://demo-app" },
        { type: "mention", name: "file", path: join(stage.cwd, "file.txt") },
      ]);
      const element = { byteRange: { start: 0, end: 4 }, placeholder: "ph" };
      await turnWith(peer, id, [{ type: "text", text: "with elements", text_elements: [element] }]);
    },
  },
  {
    name: "input/view-image",
    covers: "The model looks at an image file",
    run: async (stage) => {
      writeFileSync(join(stage.cwd, "pixel.png"), Buffer.from(png, "base64"));
      stage.model.script(
        reply().functionCall("view_image", { path: "pixel.png" }, { callId: "call-1" }),
        reply().functionCall("view_image", { path: "none.png" }, { callId: "call-2" }),
      );
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "look");
    },
  },
];
