import assert from "node:assert/strict";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import type { UserInput } from "@quire/protocol";
import { tempDir } from "@quire/testkit";
import { promptSource } from "../../src/prompt/index.ts";
import { fitImage, type ImageBudget } from "../../src/run/helpers/fit-image.ts";
import { settingsIn } from "../support/settings.ts";
import { contextIn, contextTexts, textsOf } from "./support.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const skillText = '---\nname: homey\ndescription: "A home skill"\n---\nDo the homey.\n';

async function workspace() {
  const dir = await tempDir();
  const put = (name: string, content: string | Uint8Array) => {
    const path = join(dir.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  put("home/skills/homey/SKILL.md", skillText);
  put("work/.git/HEAD", "");
  const prompts = promptSource(join(dir.path, "home"));
  const cwd = join(dir.path, "work");
  const ask = (...input: UserInput[]) => prompts.userMessages(input, settingsIn(cwd));
  return { path: dir.path, cwd, put, ask, prompts, [Symbol.asyncDispose]: () => dir.remove() };
}

const message = (...content: object[]) => ({ type: "message", role: "user", content });
const text = (value: string) => ({ type: "input_text", text: value });

describe("what the user says", () => {
  test("reaches the model in order: texts, images, local images between tags that number and name them", async () => {
    await using dir = await workspace();
    const path = dir.put("work/p.txt", png);
    const url = `data:image/png;base64,${png.toString("base64")}`;
    const messages = await dir.ask(
      { type: "text", text: "look", text_elements: [] },
      { type: "image", url },
      { type: "localImage", path, detail: "low" },
    );
    assert.deepEqual(messages, [
      message(
        text("look"),
        { type: "input_image", image_url: url, detail: "high" },
        text(`<image name=[Image #2] path="${path}">`),
        { type: "input_image", image_url: url, detail: "low" },
        text("</image>"),
      ),
    ]);
  });

  test("goes on without an image that cannot be read, is none or is too large, and the model is told why", async () => {
    await using dir = await workspace();
    const none = join(dir.cwd, "none.png");
    const notes = dir.put("work/notes.png", "not an image");
    const huge = dir.put("work/huge.png", png);
    truncateSync(huge, 21 * 1024 * 1024);
    const pipe = join(dir.cwd, "pipe.png");
    Bun.spawnSync(["mkfifo", pipe]);
    const messages = await dir.ask(
      { type: "localImage", path: none },
      { type: "localImage", path: notes },
      { type: "localImage", path: huge },
      { type: "localImage", path: dir.cwd },
      { type: "localImage", path: pipe },
    );
    assert.deepEqual(
      textsOf(messages)[0]?.texts.map((part) => part.replaceAll(dir.cwd, "")),
      [
        "The local image at `/none.png` could not be read: No such file or directory (os error 2)",
        '<image name=[Image #2] path="/notes.png">',
        "image content omitted because it could not be processed",
        "</image>",
        "The local image at `/huge.png` could not be read: it has 22020096 bytes, and 20971520 is the most that is sent",
        "The local image at `` could not be read: it is not a file",
        "The local image at `/pipe.png` could not be read: it is not a file",
      ],
    );
  });

  test("knows images by their content", async () => {
    await using dir = await workspace();
    const images = {
      png,
      jpeg: await new Bun.Image(png).jpeg().bytes(),
      gif: Buffer.from("GIF89a..."),
      webp: await new Bun.Image(png).webp().bytes(),
    };
    for (const [kind, content] of Object.entries(images)) {
      const [only] = (await dir.ask({ type: "localImage", path: dir.put("work/image", content) })) as {
        content: { image_url?: string }[];
      }[];
      assert.match(only?.content[1]?.image_url ?? "", new RegExp(`^data:image/${kind};base64,`));
    }
  });

  test("has images that are broken, or none, left out: they would have every request of the thread refused", async () => {
    await using dir = await workspace();
    const cut = png.subarray(0, png.length - 20);
    const urls = ["data:image/png;base64,AAAA", "data:image/png,abc", "data:text/plain;base64,aGVsbG8="];
    const given = [...urls, `data:image/png;base64,${cut.toString("base64")}`];
    const [only] = textsOf(
      await dir.ask(...given.map((url) => ({ type: "image", url }) as const), {
        type: "localImage",
        path: dir.put("work/cut.png", cut),
      }),
    );
    const omitted = "image content omitted because it could not be processed";
    assert.deepEqual(
      only?.texts.filter((part) => part === omitted),
      [...given, "the local one"].map(() => omitted),
    );
  });

  test("has large images made smaller, unless they are to be seen as they are", async () => {
    await using dir = await workspace();
    const large = await new Bun.Image(png).resize(3000, 1500, { fit: "fill" }).png().bytes();
    const path = dir.put("work/large.png", large);
    const widths = async (detail: "high" | "original") => {
      const url = `data:image/png;base64,${Buffer.from(large).toString("base64")}`;
      const [only] = (await dir.ask({ type: "image", url, detail }, { type: "localImage", path, detail })) as {
        content: { image_url?: string }[];
      }[];
      const images = only?.content.flatMap(({ image_url }) => (image_url ? [image_url] : [])) ?? [];
      const bytes = images.map((each) => Buffer.from(each.split(",")[1] ?? "", "base64"));
      return Promise.all(bytes.map(async (each) => (await new Bun.Image(each).metadata()).width));
    };
    assert.deepEqual(await widths("high"), [2048, 2048]);
    assert.deepEqual(await widths("original"), [3000, 3000]);
  });

  test("has images made no larger than what Codex sends of them", async () => {
    const fitted = async (width: number, height: number, budget: ImageBudget) => {
      const made = await fitImage(
        await new Bun.Image(png).resize(width, height, { fit: "fill" }).png().bytes(),
        budget,
      );
      const found = await new Bun.Image(made ?? new Uint8Array()).metadata();
      return [found.width, found.height];
    };
    const high = { side: 2048, patches: 2500 };
    const original = { side: 6000, patches: 10_000 };
    assert.deepEqual(await fitted(3000, 2000, high), [1920, 1280]);
    assert.deepEqual(await fitted(2000, 2000, high), [1600, 1600]);
    assert.deepEqual(await fitted(1000, 9000, high), [228, 2048]);
    assert.deepEqual(await fitted(8000, 6000, original), [3669, 2752]);
    assert.deepEqual(await fitted(1000, 9000, original), [667, 6000]);
  });

  test("brings along recordings", async () => {
    await using dir = await workspace();
    const path = dir.put("work/a", "RIFF1234WAVEfmt ");
    const [only] = await dir.ask({ type: "audio", url: "data:audio/wav;base64,AA==" }, { type: "localAudio", path });
    assert.deepEqual(
      only,
      message(
        { type: "input_audio", audio_url: "data:audio/wav;base64,AA==" },
        {
          type: "input_audio",
          audio_url: `data:audio/wav;base64,${Buffer.from("RIFF1234WAVEfmt ").toString("base64")}`,
        },
      ),
    );
  });
});

describe("skills", () => {
  const injected = (path: string) =>
    message(text(`<skill>\n<name>homey</name>\n<path>${path}</path>\n${skillText.trimEnd()}\n</skill>`));

  test("that are attached or named by $name come as messages of their own, each once", async () => {
    await using dir = await workspace();
    const path = join(dir.path, "home/skills/homey/SKILL.md");
    const named = await dir.ask({ type: "text", text: "use $homey, not $HOME or a$homey" });
    assert.deepEqual(named, [message(text("use $homey, not $HOME or a$homey")), injected(path)]);
    const both = await dir.ask({ type: "text", text: "$homey" }, { type: "skill", name: "homey", path });
    assert.deepEqual(both, [message(text("$homey")), injected(path)]);
    assert.deepEqual(await dir.ask({ type: "text", text: "a$homey $homeys" }), [message(text("a$homey $homeys"))]);
  });

  test("that cannot be read do not end the turn: the model hears what was said, and that the file is gone", async () => {
    await using dir = await workspace();
    const gone = { type: "skill", name: "gone", path: "/nowhere/SKILL.md" } as const;
    assert.deepEqual(await dir.ask({ type: "text", text: "use it" }, gone), [
      message(text("use it")),
      message(text("The skill gone could not be read from /nowhere/SKILL.md: there is no such file")),
    ]);
  });

  test("of the user and of the project are listed for the model", async () => {
    await using dir = await workspace();
    dir.put("work/.agents/skills/deploy/SKILL.md", "---\ndescription: Ships it\n---\n");
    const [, developer] = contextTexts(dir.prompts.preamble(contextIn(dir.cwd)));
    const list = developer?.texts[0]?.replaceAll(dir.path, "") ?? "";
    assert.match(list, /^<skills_instructions>/);
    assert.ok(
      list.includes(
        "- deploy: Ships it (/work/.agents/skills/deploy/SKILL.md)\n- homey: A home skill (/home/skills/homey/SKILL.md)",
      ),
    );
  });
});

test("mentions stand in the text already and add nothing", async () => {
  await using dir = await workspace();
  const messages = await dir.ask({ type: "text", text: "see @file" }, { type: "mention", name: "file", path: "/x" });
  assert.deepEqual(messages, [message(text("see @file"))]);
});
