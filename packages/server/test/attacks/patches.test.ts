/** Attacks: patches. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { areWritable } from "../../src/approval/writable.ts";
import { commitPatch } from "../../src/patch/commit-patch.ts";
import { parsePatch } from "../../src/patch/parse-patch.ts";
import { planPatch } from "../../src/patch/plan-patch.ts";
import { workspaceWrite } from "./support/attempt.ts";
import { type World, world } from "./support/world.ts";

/** Whether a patch writes a file unasked: by the server, or by one that looks at nothing. */
function writes(target: (place: World) => string, prepare?: (place: World) => void) {
  return async (guarded: boolean) => {
    await using place = await world();
    prepare?.(place);
    const path = target(place);
    if (!guarded) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "evil");
      return existsSync(path);
    }
    const patch = parsePatch(`*** Begin Patch\n*** Add File: ${path}\n+evil\n*** End Patch\n`);
    const { workspace, home, base } = place;
    const plan = await planPatch(patch, { cwd: workspace, home });
    const limits = { policy: workspaceWrite({ excludeSlashTmp: true }), workspace: [workspace] };
    const files = plan.flatMap((each) => each.files);
    return areWritable(files, limits, { home, env: { HOME: base } });
  };
}

const inside =
  (name: string) =>
  ({ workspace }: World) =>
    join(workspace, name);

attack("writes a nested .git by a patch", writes(inside("pkg/.git/config")));
attack("writes a nested .codex by a patch", writes(inside("pkg/.codex/config.toml")));
attack("writes a nested .agents by a patch", writes(inside("pkg/.agents/skills/x/SKILL.md")));
attack("writes a nested .quire by a patch", writes(inside("pkg/.quire/config.toml")));
attack("writes a .codex many folders down by a patch", writes(inside("a/b/c/d/.codex/config.toml")));
attack("writes .GIT, which some file systems take for .git", writes(inside("pkg/.GIT/config")));
attack("writes .Codex, which some file systems take for .codex", writes(inside(".Codex/config.toml")));
attack("writes .git with a dot at its end", writes(inside("pkg/.git./config")));
attack("writes .git with a space at its end", writes(inside("pkg/.git /config")));
attack("writes .git with an invisible character in it", writes(inside("pkg/.g\u200cit/config")));
attack("writes .git in wide letters", writes(inside("pkg/.\uff47\uff49\uff54/config")));
attack("writes .git by its short name", writes(inside("pkg/git~1/config")));
attack("writes .git as a stream of a file", writes(inside("pkg/.git::$INDEX_ALLOCATION/config")));
attack("writes a .git file that leads elsewhere", writes(inside("pkg/.git")));
attack(
  "writes into what a .git file leads to",
  writes(inside("store/config"), ({ workspace }) => {
    for (const name of ["objects", "refs"]) mkdirSync(join(workspace, "store", name), { recursive: true });
    mkdirSync(join(workspace, "pkg"));
    writeFileSync(join(workspace, "pkg", ".git"), "gitdir: ../store\n");
  }),
);
attack(
  "writes a hook into a bare repository",
  writes(inside("bare/hooks/post-commit"), ({ workspace }) => {
    for (const name of ["objects", "refs"]) mkdirSync(join(workspace, "bare", name), { recursive: true });
  }),
);
attack(
  "writes into the folder of a worktree",
  writes(inside("tree/config"), ({ workspace }) => {
    mkdirSync(join(workspace, "tree"));
    for (const name of ["HEAD", "commondir"]) writeFileSync(join(workspace, "tree", name), "..\n");
  }),
);
attack(
  "writes into .git through a link of another name",
  writes(inside("plain/config"), ({ workspace }) => {
    mkdirSync(join(workspace, ".git"));
    symlinkSync(".git", join(workspace, "plain"));
  }),
);
attack(
  "writes outside by .. in a patch",
  writes(({ workspace }) => `${workspace}/../outside/new`),
);
attack(
  "writes outside by an absolute path in a patch",
  writes(({ outside }) => join(outside, "new")),
);
attack(
  "writes into the server's home by a patch",
  writes(({ home }) => join(home, "config.toml")),
);
attack(
  "writes outside through a linked folder by a patch",
  writes(inside("link/new"), (place) => symlinkSync(place.outside, join(place.workspace, "link"))),
);

/** Whether what was planned for the workspace is written outside when a folder became a link in between. */
function swaps(name: string, swap: (place: World) => void) {
  return async (guarded: boolean) => {
    await using place = await world();
    const { workspace, outside, home } = place;
    mkdirSync(join(workspace, "folder"));
    const patch = parsePatch(`*** Begin Patch\n*** Add File: ${name}\n+evil\n*** End Patch\n`);
    const plan = await planPatch(patch, { cwd: workspace, home });
    swap(place);
    if (guarded) await commitPatch(plan).catch(() => undefined);
    else {
      const path = join(workspace, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "evil");
    }
    return existsSync(join(outside, name.slice("folder/".length)));
  };
}

const replaced = ({ workspace, outside }: World) => {
  rmSync(join(workspace, "folder"), { recursive: true });
  symlinkSync(outside, join(workspace, "folder"));
};
attack("swaps the folder of a planned file for a link", swaps("folder/new", replaced));
attack("swaps the folder above one that a patch makes for a link", swaps("folder/deep/new", replaced));
attack("swaps the folder above several that a patch makes for a link", swaps("folder/a/b/c/new", replaced));
attack(
  "moves the folder of a planned file away and leaves a link",
  swaps("folder/new", ({ workspace, outside }) => {
    renameSync(join(workspace, "folder"), join(workspace, "moved"));
    symlinkSync(outside, join(workspace, "folder"));
  }),
);

/** Whether a credential is read to be patched. */
function patches(name: string) {
  return async (guarded: boolean) => {
    await using place = await world();
    const { workspace, home } = place;
    writeFileSync(join(home, name), "key\n");
    if (!guarded) return readFileSync(join(home, name), "utf8") === "key\n";
    const patch = parsePatch(`*** Begin Patch\n*** Delete File: ${join(home, name)}\n*** End Patch\n`);
    return planPatch(patch, { cwd: workspace, home }).then(
      () => true,
      () => false,
    );
  };
}

attack("has auth.json shown as what a patch deletes", patches("auth.json"));
attack("has .credentials.json shown as what a patch deletes", patches(".credentials.json"));
