/** Attacks: images that a model has itself shown. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { agentInput } from "../../src/features/agents/agent-input.ts";
import { Arguments } from "../../src/tools/arguments.ts";
import { FakeThread } from "../tools/fake-context.ts";
import { workspaceWrite } from "./support/attempt.ts";
import { type World, world } from "./support/world.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A confined thread in the workspace. Its server's home lies there too, with an image that another thread has. */
function threadIn({ workspace }: World): FakeThread {
  for (const folder of ["attachments", "skills"]) mkdirSync(join(workspace, "home", folder), { recursive: true });
  writeFileSync(join(workspace, "home", "attachments", "shot.png"), pixel);
  writeFileSync(join(workspace, "home", "shot.png"), pixel);
  return new FakeThread(workspace, { settings: { sandboxPolicy: workspaceWrite() } });
}

type Look = (thread: FakeThread, path: string) => Promise<unknown> | unknown;

const byItself: Look = (thread, path) => thread.call("view_image", { path });

/** As the input of an agent, which then is shown it. */
const byAnAgent: Look = (thread, path) => {
  const items = JSON.stringify({ items: [{ type: "local_image", path }] });
  const call = { kind: "function", callId: "c", namespace: null, name: "spawn_agent", arguments: items } as const;
  return agentInput(new Arguments(call), thread.context());
};

/** Whether a model is shown what it planted a way to, or what it names. */
function looks(look: Look, name: string, plant: (place: World) => void = () => undefined) {
  return async (guarded: boolean) => {
    await using place = await world();
    await using thread = threadIn(place);
    plant(place);
    const path = join(place.workspace, name);
    if (!guarded) return readFileSync(path).equals(pixel);
    try {
      await look(thread, name);
      return true;
    } catch {
      return false;
    }
  };
}

const link =
  (target: string) =>
  ({ workspace }: World) =>
    symlinkSync(join(workspace, "home", target), join(workspace, "a.png"));

attack("views an image of another thread in the server's home", looks(byItself, "home/attachments/shot.png"));
attack("views an image in the home by way of ..", looks(byItself, "home/skills/../attachments/shot.png"));
attack("views an image in the home through a link", looks(byItself, "a.png", link("attachments/shot.png")));
attack(
  "views an image in the home through a linked folder",
  looks(byItself, "a/shot.png", ({ workspace }) =>
    symlinkSync(join(workspace, "home", "attachments"), join(workspace, "a")),
  ),
);
attack(
  "views an image in the home under another name of the same file",
  looks(byItself, "a.png", ({ workspace }) => linkSync(join(workspace, "home", "shot.png"), join(workspace, "a.png"))),
);
attack(
  "views an image in the home by way of the root of a process",
  looks(byItself, "root.png", ({ workspace }) =>
    symlinkSync(`/proc/self/root${workspace}/home/attachments/shot.png`, join(workspace, "root.png")),
  ),
);
attack("has an agent shown an image in the server's home", looks(byAnAgent, "home/attachments/shot.png"));
attack("has an agent shown an image in the home through a link", looks(byAnAgent, "a.png", link("shot.png")));

/** Whether what is no image, or none of a bearable size, is read all the same. */
function reads(plant: (path: string) => void) {
  return async (guarded: boolean) => {
    await using place = await world();
    await using thread = threadIn(place);
    const path = join(place.workspace, "image.png");
    plant(path);
    if (!guarded) return execFileSync("head", ["-c", "100", path]).length === 100;
    const failure = await thread.failure("view_image", { path });
    // Bytes that were read and are no image have other words.
    return failure.includes("invalid or unsupported image data");
  };
}

attack(
  "has an endless device read as an image",
  reads((path) => symlinkSync("/dev/zero", path)),
);
attack(
  "has the server's own memory map read as an image",
  reads((path) => symlinkSync("/proc/self/maps", path)),
);
attack(
  "has a sparse file of a gigabyte read as an image",
  reads((path) => {
    writeFileSync(path, "");
    truncateSync(path, 1 << 30);
  }),
);

attack("has the server wait for a pipe in the place of an image", async (guarded) => {
  await using place = await world();
  await using thread = threadIn(place);
  const path = join(place.workspace, "image.png");
  execFileSync("mkfifo", [path]);
  if (guarded) return !(await thread.failure("view_image", { path })).includes("is not a file");
  // The control: whoever opens it waits for a writer, and is killed.
  try {
    execFileSync("cat", [path], { timeout: 100 });
    return false;
  } catch {
    return existsSync(path);
  }
});

attack("swaps the folder of an image for a link to the home after it was named for an agent", async (guarded) => {
  const { localImageContent } = await import("../../src/prompt/media.ts");
  await using place = await world();
  await using thread = threadIn(place);
  const path = join(place.workspace, "pictures", "shot.png");
  mkdirSync(dirname(path));
  writeFileSync(path, "harmless");
  await byAnAgent(thread, path);
  rmSync(dirname(path), { recursive: true });
  symlinkSync(join(place.workspace, "home", "attachments"), dirname(path));
  if (!guarded) return readFileSync(path).equals(pixel);
  const home = join(place.workspace, "home");
  const content = await localImageContent({ path, detail: "high", index: 1, home });
  return content.some(({ type }) => type === "input_image");
});
