/** Attacks: turns that the page undoes. */
import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { restoreScript, saveScript } from "../../src/scripts/checkpoint-scripts.ts";
import { type GitPlace, gitPlace } from "./support/git-place.ts";

/** A checkpoint of a repository with a folder, for which a link to a folder outside was put afterwards. */
async function linked(at: GitPlace, ignored: boolean) {
  const { top, git, dir, run } = at;
  const [folder, outside] = [join(top, "folder"), join(dir.path, "outside")];
  for (const path of [folder, outside]) mkdirSync(path);
  writeFileSync(join(folder, "file"), "as it was\n");
  git("add", "-A");
  git("commit", "-qm", "Folder");
  const { stdout } = await run(saveScript, {});
  rmSync(folder, { recursive: true });
  writeFileSync(join(outside, "file"), "outside\n");
  symlinkSync(outside, folder);
  if (ignored) writeFileSync(join(top, ".gitignore"), "folder\n");
  return { checkpoint: stdout.trim(), folder, outside: join(outside, "file") };
}

const links = [
  { name: "has a file outside overwritten by a link in the place of a folder", ignored: false },
  { name: "has a file outside overwritten by a link that is ignored", ignored: true },
];
for (const { name, ignored } of links)
  attack(name, async (guarded) => {
    await using at = await gitPlace();
    const { checkpoint, folder, outside } = await linked(at, ignored);
    if (guarded) {
      const { exitCode, stderr } = await at.run(restoreScript, { env: { COMMIT: checkpoint, THREAD: "t" } });
      assert.equal(exitCode, 0, stderr);
      assert.ok(!lstatSync(folder).isSymbolicLink());
      assert.equal(readFileSync(join(folder, "file"), "utf8"), "as it was\n");
    } else writeFileSync(join(folder, "file"), at.git("show", `${checkpoint}:folder/file`));
    return readFileSync(outside, "utf8") !== "outside\n";
  });

attack("keeps a turn from being undone by a link in the place of a folder", async (guarded) => {
  await using at = await gitPlace();
  const { checkpoint, folder } = await linked(at, false);
  const env = { COMMIT: checkpoint, THREAD: "t" };
  const careless =
    "git ls-files -z --modified --deleted | git update-index --add --remove -z --stdin && git read-tree -m -u $COMMIT";
  await at.run(guarded ? restoreScript : careless, { env });
  return lstatSync(folder).isSymbolicLink();
});

attack("has a file of the git folder written as one of a turn", async (guarded) => {
  await using at = await gitPlace();
  const blob = at.git("hash-object", "-w", "file");
  const tree = at.run("printf '100644 blob %s\\thooks\\n' \"$BLOB\" | git mktree", { env: { BLOB: blob } });
  const outer = (await tree).stdout.trim();
  const made = await at.run("printf '040000 tree %s\\t.git\\n' \"$TREE\" | git mktree", { env: { TREE: outer } });
  const commit = at.git("commit-tree", "-m", "x", made.stdout.trim());
  const target = join(at.top, ".git", "hooks");
  rmSync(target, { recursive: true, force: true });
  if (guarded) await at.run(restoreScript, { env: { COMMIT: commit, THREAD: "t" } });
  else writeFileSync(target, at.git("show", `${commit}:.git/hooks`));
  return existsSync(target);
});
