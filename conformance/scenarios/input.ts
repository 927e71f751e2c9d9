import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Peer } from "../lib/peer.ts";
import type { Scenario } from "../lib/scenario.ts";
import { endOfTurn, runTurn, startThread, text } from "../lib/steps.ts";

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
