/** Attacks: where patches lead. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { areWritable } from "../../src/approval/writable.ts";
import { commitPatch } from "../../src/patch/commit-patch.ts";
import { parsePatch } from "../../src/patch/parse-patch.ts";
import { type PlannedChange, planPatch } from "../../src/patch/plan-patch.ts";
import { PinnedFolders } from "../../src/workspace-files/pinned-folders.ts";
import { stageFile } from "../../src/workspace-files/write-file.ts";
import { workspaceWrite } from "./support/attempt.ts";
import { type World, world } from "./support/world.ts";

/** What a patch would do, or `undefined` where it is refused or asked about. */
async function unasked({ workspace, home, base }: World, body: string): Promise<PlannedChange[] | undefined> {
  try {
    const plan = await planPatch(parsePatch(`*** Begin Patch\n${body}\n*** End Patch\n`), { cwd: workspace, home });
    const limits = { policy: workspaceWrite({ excludeSlashTmp: true }), workspace: [workspace] };
    const files = plan.flatMap((each) => each.files);
    return areWritable(files, limits, { home, env: { HOME: base } }) ? plan : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a patch is applied unasked. The control does by path what the patch says. */
function applies(body: string, prepare: (place: World) => void, byPath: (place: World) => boolean) {
  return async (guarded: boolean) => {
    await using place = await world();
    prepare(place);
    return guarded ? (await unasked(place, body)) !== undefined : byPath(place);
  };
}

/** Whether a new file can be written at a path, by its words alone. */
const added = (name: string) =>
  applies(
    `*** Add File: ${name}\n+evil`,
    () => undefined,
    ({ workspace }) => {
      const path = join(workspace, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "evil");
      return existsSync(path);
    },
  );

attack("writes .AGENTS, which some file systems take for .agents", added("pkg/.AGENTS/skills/x/SKILL.md"));
attack("writes .gIt in mixed letters", added("pkg/.gIt/hooks/post-checkout"));
attack("writes .CODEX at the root in capitals", added(".CODEX/config.toml"));
attack("writes .QUIRE in capitals many folders down", added("a/b/c/.QUIRE/config.toml"));
attack("writes .codex behind folders that cancel out", added("pkg/x/../../.codex/config.toml"));
attack("writes .git behind dots that say nothing", added("././pkg/./.git/config"));
attack("writes .codex with a dot and a space at its end", added("pkg/.codex. ./config.toml"));
attack("writes .git with a mark that turns the writing round", added("pkg/.g\u202eit/config"));
attack("writes .codex as a stream of a folder", added("pkg/.codex:x:$DATA/config.toml"));
attack("writes into the folder of a repository's modules", added("pkg/.git/modules/x/config"));

const file = "*** Update File: notes.txt";
const hunk = "@@\n-one\n+two";
const notes = ({ workspace }: World) => writeFileSync(join(workspace, "notes.txt"), "one\n");
const moved =
  (to: string) =>
  ({ workspace }: World) => {
    renameSync(join(workspace, "notes.txt"), join(workspace, to));
    return existsSync(join(workspace, to));
  };

attack(
  "moves a file outside through a linked folder by a patch",
  applies(
    `${file}\n*** Move to: out/evil\n${hunk}`,
    (place) => {
      notes(place);
      symlinkSync(place.outside, join(place.workspace, "out"));
    },
    moved("out/evil"),
  ),
);
attack(
  "moves a file outside through two linked folders by a patch",
  applies(
    `${file}\n*** Move to: a/out/evil\n${hunk}`,
    (place) => {
      notes(place);
      mkdirSync(join(place.workspace, "b"));
      symlinkSync("b", join(place.workspace, "a"));
      symlinkSync(place.outside, join(place.workspace, "b", "out"));
    },
    moved("a/out/evil"),
  ),
);
attack(
  "moves a file into .git by a patch",
  applies(
    `${file}\n*** Move to: pkg/.git/config\n${hunk}`,
    (place) => {
      notes(place);
      mkdirSync(join(place.workspace, "pkg", ".git"), { recursive: true });
    },
    moved("pkg/.git/config"),
  ),
);
attack(
  "moves a file over a key by a patch",
  applies(
    `${file}\n*** Move to: ../home/auth.json\n${hunk}`,
    (place) => {
      notes(place);
      writeFileSync(join(place.home, "auth.json"), "key");
    },
    moved("../home/auth.json"),
  ),
);
attack(
  "takes a file from outside into the workspace by a patch",
  applies(
    "*** Update File: ../outside/file\n*** Move to: taken\n@@\n-untouched\n+touched",
    () => undefined,
    ({ workspace, outside }) => {
      renameSync(join(outside, "file"), join(workspace, "taken"));
      return existsSync(join(workspace, "taken"));
    },
  ),
);

const writesThrough =
  (name: string) =>
  ({ workspace, outside }: World) => {
    writeFileSync(join(workspace, name), "touched\n");
    return readFileSync(join(outside, "file"), "utf8") === "touched\n";
  };
const updates = (name: string) => `*** Update File: ${name}\n@@\n-untouched\n+touched`;

attack(
  "updates a file outside through a link by a patch",
  applies(
    updates("link"),
    ({ workspace, outside }) => symlinkSync(join(outside, "file"), join(workspace, "link")),
    writesThrough("link"),
  ),
);
attack(
  "updates a file outside under another name of it by a patch",
  applies(
    updates("name"),
    ({ workspace, outside }) => linkSync(join(outside, "file"), join(workspace, "name")),
    writesThrough("name"),
  ),
);
attack(
  "adds a file outside through a link that leads nowhere yet",
  applies(
    "*** Add File: link\n+evil",
    ({ workspace, outside }) => symlinkSync(join(outside, "new"), join(workspace, "link")),
    ({ workspace, outside }) => {
      writeFileSync(join(workspace, "link"), "evil");
      return existsSync(join(outside, "new"));
    },
  ),
);

attack("has a key shown by a patch under another name of it", async (guarded) => {
  await using place = await world();
  writeFileSync(join(place.home, "auth.json"), "a key\n");
  linkSync(join(place.home, "auth.json"), join(place.workspace, "name"));
  if (!guarded) return readFileSync(join(place.workspace, "name"), "utf8") === "a key\n";
  const patch = parsePatch("*** Begin Patch\n*** Delete File: name\n*** End Patch\n");
  const plan = await planPatch(patch, { cwd: place.workspace, home: place.home }).catch(() => []);
  return plan.some(({ before }) => before?.bytes.includes("a key"));
});

/** Replaces a folder by a link to another at the moment when it was made. */
class SwappingList extends Array<string> {
  readonly #to: string;

  constructor(to: string) {
    super();
    this.#to = to;
  }

  override push(folder: string): number {
    rmdirSync(folder);
    symlinkSync(this.#to, folder);
    return super.push(folder);
  }
}

attack("swaps a folder for a link between its making and its opening", async (guarded) => {
  await using place = await world();
  const folder = join(place.workspace, "new");
  const made = new SwappingList(place.outside);
  if (guarded) {
    using folders = new PinnedFolders();
    try {
      folders.make(folder, made);
      stageFile(join(folder, "evil"), { bytes: "evil", mode: null }, folders);
    } catch {
      // Refused.
    }
  } else {
    mkdirSync(folder);
    made.push(folder);
    writeFileSync(join(folder, "evil"), "evil");
  }
  return readdirSync(place.outside).length > 1;
});

attack("swaps a folder for a link in the middle of a patch", async (guarded) => {
  await using place = await world();
  const { workspace, outside, home } = place;
  mkdirSync(join(workspace, "folder"));
  const names = Array.from({ length: 100 }, (_, n) => `folder/${n}`);
  const swap = () => {
    renameSync(join(workspace, "folder"), join(workspace, "away"));
    symlinkSync(outside, join(workspace, "folder"));
  };
  if (guarded) {
    const body = names.map((name) => `*** Add File: ${name}\n+evil`).join("\n");
    const plan = await planPatch(parsePatch(`*** Begin Patch\n${body}\n*** End Patch\n`), { cwd: workspace, home });
    // It lets others have their turn after some files.
    const done = commitPatch(plan).catch(() => undefined);
    swap();
    await done;
  } else {
    for (const [at, name] of names.entries()) {
      if (at === 50) swap();
      writeFileSync(join(workspace, name), "evil");
    }
  }
  return existsSync(join(outside, "99"));
});
