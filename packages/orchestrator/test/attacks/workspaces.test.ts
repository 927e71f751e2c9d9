/** Attacks: the orchestrator's workspaces. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { removeWorktree } from "@quire/orchestrator";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { childEnvironment } from "../../src/scheduler/child-environment.ts";
import { unsavedWork } from "../../src/workspace/unsaved-work.ts";
import { workspaceKey } from "../../src/workspace/workspace-key.ts";
import { Workspaces } from "../../src/workspace/workspaces.ts";
import { issueOf } from "../support/memory-tracker.ts";

const key = (guarded: boolean, identifier: string) => (guarded ? workspaceKey(identifier) : identifier);
const leaves = (guarded: boolean, identifier: string) =>
  !/^\/root\/[^/]+$/.test(resolve("/root", key(guarded, identifier)));

attack("leaves the root by an issue named ../x", (guarded) => leaves(guarded, "../x"));
attack("leaves the root by an issue named ..", (guarded) => leaves(guarded, ".."));
attack("takes the root itself by an issue named .", (guarded) => leaves(guarded, "."));
attack("leaves the root by an issue with an absolute path", (guarded) => leaves(guarded, "/etc"));
attack("takes a folder in another workspace by an issue named A/b", (guarded) => leaves(guarded, "A/b"));
attack(
  "becomes the repository of other workspaces by an issue named .git",
  (guarded) => key(guarded, ".git") === ".git",
);
attack(
  "takes the orchestrator's own folder by its name",
  (guarded) => key(guarded, ".quire-pending") === ".quire-pending",
);
attack(
  "gives other workspaces modules by an issue named node_modules",
  (guarded) => key(guarded, "node_modules") === "node_modules",
);
attack("passes an option to a program by an issue named -rf", (guarded) => key(guarded, "-rf").startsWith("-"));
attack("runs a command by an issue with a shell's characters", (guarded) =>
  /[$`;|&]/.test(key(guarded, "A$(id);`id`|&")),
);
attack("shares a folder with another issue by a name that is cleaned alike", (guarded) => {
  const clean = (text: string) => (guarded ? workspaceKey(text) : text.replace(/\W/g, "_"));
  return clean("A/1") === clean("A_1");
});
attack("reads the status API's token from the agent's environment", (guarded) => {
  const env = { QUIRE_ORCHESTRATOR_TOKEN: "secret" };
  const tracker = { secretEnvNames: [], secrets: [] };
  const given = childEnvironment({ env, runId: "r", issue: issueOf("A"), quire: undefined, tracker, root: "/ws" });
  return "QUIRE_ORCHESTRATOR_TOKEN" in (guarded ? given : env);
});
attack("reads the tracker's credential from the agent's environment", (guarded) => {
  const tracker = { secretEnvNames: guarded ? ["MY_TOKEN"] : [], secrets: [] };
  const env = { MY_TOKEN: "secret" };
  return (
    "MY_TOKEN" in childEnvironment({ env, runId: "r", issue: issueOf("A"), quire: undefined, tracker, root: "/ws" })
  );
});

/** Has a workspace made in a root that the attacker prepared; the control makes the folder as it is asked to. */
async function enters(guarded: boolean, prepare: (root: string, dir: string) => void): Promise<boolean> {
  await using dir = await tempDir();
  const root = join(dir.path, "root");
  prepare(root, dir.path);
  const hooks = { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null, timeoutMs: 60_000 };
  try {
    if (guarded) await new Workspaces({ root, hooks, env: {}, log: () => {} }).prepare("A");
    else mkdirSync(join(root, "A"), { recursive: true });
    return true;
  } catch {
    return false;
  }
}

const made = (root: string, mode: number) => {
  mkdirSync(root);
  chmodSync(root, mode);
};
attack("has work done in a root that everybody can write to", (guarded) =>
  enters(guarded, (root) => made(root, 0o777)),
);
attack("has work done in a root that a group can write to", (guarded) => enters(guarded, (root) => made(root, 0o775)));
attack("has work done in a sticky root that is shared", (guarded) => enters(guarded, (root) => made(root, 0o1777)));
attack("replaces the root from a folder above that everybody can write to", (guarded) =>
  enters(guarded, (root, dir) => {
    made(root, 0o700);
    chmodSync(dir, 0o777);
  }),
);
attack("puts a link in the root's place", (guarded) =>
  enters(guarded, (root, dir) => {
    made(join(dir, "other"), 0o700);
    symlinkSync(join(dir, "other"), root);
  }),
);
attack("puts a link in a workspace's place", (guarded) =>
  enters(guarded, (root, dir) => {
    made(root, 0o700);
    mkdirSync(join(dir, "other"));
    symlinkSync(join(dir, "other"), join(root, "A"));
  }),
);
attack("opens a workspace to others before its next run", (guarded) =>
  enters(guarded, (root) => {
    made(root, 0o700);
    made(join(root, "A"), 0o777);
  }),
);

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, stdio: "pipe" });

interface Stage {
  readonly dir: string;
  readonly folder: string;
}

/** A clone with all pushed, or a worktree; `change` does what would be lost. Gives whether the folder is gone. */
async function destroys(guarded: boolean, kind: "clone" | "worktree", change: (at: Stage) => void): Promise<boolean> {
  await using dir = await tempDir();
  const [origin, folder] = [join(dir.path, "origin"), join(dir.path, "A")];
  git(dir.path, "init", "-q", origin);
  writeFileSync(join(origin, "a"), "1");
  git(origin, "add", "a");
  git(origin, "commit", "-q", "-m", "first");
  if (kind === "clone") git(dir.path, "clone", "-q", origin, folder);
  else git(origin, "worktree", "add", "-q", "-b", "work", folder);
  change({ dir: dir.path, folder });
  if (!guarded) rmSync(folder, { recursive: true });
  else if (kind === "worktree") await removeWorktree(folder).catch(() => undefined);
  else if ((await unsavedWork(folder, true)) === undefined) rmSync(folder, { recursive: true });
  return !existsSync(folder);
}

attack("destroys a change that is not committed when its issue is Done", (guarded) =>
  destroys(guarded, "worktree", ({ folder }) => writeFileSync(join(folder, "a"), "2")),
);
attack("destroys a file that is not tracked", (guarded) =>
  destroys(guarded, "worktree", ({ folder }) => writeFileSync(join(folder, "new"), "")),
);
attack("destroys commits of a worktree that are on no branch", (guarded) =>
  destroys(guarded, "worktree", ({ folder }) => {
    git(folder, "checkout", "-q", "--detach");
    git(folder, "commit", "-q", "--allow-empty", "-m", "lost");
  }),
);
attack("destroys untracked files by a setting that hides them", (guarded) =>
  destroys(guarded, "clone", ({ folder }) => {
    git(folder, "config", "status.showUntrackedFiles", "no");
    writeFileSync(join(folder, "new"), "");
  }),
);
attack("destroys a change that the index is told to overlook", (guarded) =>
  destroys(guarded, "clone", ({ folder }) => {
    git(folder, "update-index", "--skip-worktree", "a");
    writeFileSync(join(folder, "a"), "2");
  }),
);
attack("destroys commits of a clone that are not pushed", (guarded) =>
  destroys(guarded, "clone", ({ folder }) => git(folder, "commit", "-q", "--allow-empty", "-m", "more")),
);
attack("destroys a stash of a clone", (guarded) =>
  destroys(guarded, "clone", ({ folder }) => {
    writeFileSync(join(folder, "a"), "2");
    git(folder, "stash", "-q");
  }),
);
attack("destroys the work of a repository in an ignored folder", (guarded) =>
  destroys(guarded, "clone", ({ folder }) => {
    appendFileSync(join(folder, ".git", "info", "exclude"), "inner\n");
    git(folder, "init", "-q", "inner");
    writeFileSync(join(folder, "inner", "new"), "");
  }),
);
attack("destroys work by taking the repository away", (guarded) =>
  destroys(guarded, "clone", ({ dir, folder }) => renameSync(join(folder, ".git"), join(dir, "gone"))),
);
attack("destroys work by having git look at other files", (guarded) =>
  destroys(guarded, "clone", ({ dir, folder }) => {
    git(folder, "config", "core.worktree", join(dir, "origin"));
    writeFileSync(join(folder, "new"), "");
  }),
);
attack("destroys work by breaking the repository", (guarded) =>
  destroys(guarded, "clone", ({ folder }) => rmSync(join(folder, ".git", "HEAD"))),
);

/** Whether a look at a repository runs what it names. */
async function runsBy(guarded: boolean, set: (folder: string, script: string) => void): Promise<boolean> {
  let ran = "";
  let dirty = false;
  await destroys(false, "clone", ({ dir, folder }) => {
    ran = join(dir, "ran");
    set(folder, `touch '${ran}'; cat`);
    writeFileSync(join(folder, "a"), "2");
    if (!guarded) git(folder, "status");
    else execFileSync(process.execPath, ["-e", look, folder]);
    dirty = existsSync(ran);
  });
  return dirty;
}
const module = JSON.stringify(join(import.meta.dirname, "../../src/workspace/unsaved-work.ts"));
const look = `const { unsavedWork } = await import(${module}); await unsavedWork(process.argv.at(-1), true);`;

attack("runs a program by core.fsmonitor when a workspace is looked at", (guarded) =>
  runsBy(guarded, (folder, script) => git(folder, "config", "core.fsmonitor", script)),
);
attack("runs a program by a filter when a workspace is looked at", (guarded) =>
  runsBy(guarded, (folder, script) => {
    git(folder, "config", "filter.x.clean", script);
    writeFileSync(join(folder, ".gitattributes"), "a filter=x\n");
  }),
);
