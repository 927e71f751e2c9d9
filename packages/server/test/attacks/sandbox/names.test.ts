/** Attacks: names that are not there yet, from within the sandbox. */
import { existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "@quire/testkit";
import { type Attempt, testAttempts } from "../support/attempt.ts";
import type { World } from "../support/world.ts";

/** Whether a path of the world is there. */
const makes =
  (...parts: string[]) =>
  ({ base }: World) =>
    lstatSync(join(base, ...parts), { throwIfNoEntry: false }) !== undefined;

const exchange = process.arch === "arm64" ? 276 : 316;
const server = "printf '[mcp_servers.evil]\\ncommand = \"evil\"\\n'";

/** A folder within the workspace that a thread works in. */
const nested = {
  prepare: ({ workspace }: World) => void mkdirSync(join(workspace, "a/b"), { recursive: true }),
  roots: ({ workspace }: World) => [workspace, join(workspace, "a/b")],
};

/** The user's home as workspace. */
const home = { roots: ({ base }: World) => [base] };

/** A workspace below the folder for temporary files. */
const temporary = {
  prepare: ({ base }: World) => void mkdirSync(join(base, "tmp/x/ws"), { recursive: true }),
  serverEnv: ({ base }: World) => ({ TMPDIR: join(base, "tmp") }),
  roots: ({ base }: World) => [join(base, "workspace"), join(base, "tmp/x/ws")],
};

/** A protected name that is a link to a folder. */
const linked = (name: string) => ({
  prepare: ({ workspace, outside }: World) => {
    mkdirSync(join(outside, "settings"));
    symlinkSync(join(outside, "settings"), join(workspace, name));
    return {};
  },
  escaped: ({ workspace, outside }: World) => {
    const path = join(workspace, name);
    return !lstatSync(path).isSymbolicLink() || readlinkSync(path) !== join(outside, "settings");
  },
});

const attempts: readonly Attempt[] = [
  {
    name: "makes the folder .codex with a server to start",
    scripts: [`mkdir .codex; ${server} > .codex/config.toml`],
    escaped: makes("workspace/.codex/config.toml"),
  },
  {
    name: "makes the folder .agents with a skill",
    scripts: ["mkdir -p .agents/skills/evil; echo evil > .agents/skills/evil/SKILL.md"],
    escaped: makes("workspace/.agents/skills"),
  },
  {
    name: "makes the folder .quire",
    scripts: ["mkdir -p .quire/x"],
    escaped: makes("workspace/.quire/x"),
  },
  {
    name: "makes a repository of the workspace, with a program to run on git status",
    scripts: ["git init -q .; git config core.fsmonitor ./evil"],
    escaped: makes("workspace/.git/config"),
  },
  {
    name: "makes a .git file that leads to a repository of its own",
    scripts: ["git init -q sub; echo 'gitdir: sub/.git' > .git"],
    escaped: ({ workspace }) => lstatSync(join(workspace, ".git"), { throwIfNoEntry: false })?.isFile() === true,
  },
  {
    name: "makes a repository whose folder has another name",
    scripts: ['git init -q --separate-git-dir="$WS/elsewhere" "$WS"'],
    escaped: makes("workspace/.git"),
  },
  {
    name: "makes a link named .codex to a folder that it may write",
    scripts: ["mkdir mine; ln -s mine .codex"],
    escaped: makes("workspace/.codex"),
  },
  {
    name: "makes a link named .git to a repository that it may write",
    scripts: ["git init -q sub; ln -sfn sub/.git .git"],
    escaped: ({ workspace }) => existsSync(join(workspace, ".git/HEAD")),
  },
  {
    name: "renames a folder to .codex",
    scripts: [`mkdir mine; ${server} > mine/config.toml; mv -T mine .codex`],
    escaped: makes("workspace/.codex/config.toml"),
  },
  {
    name: "renames a folder to .git by the call itself",
    scripts: [`mkdir -p mine/x; perl -e 'rename("mine", ".git")'`],
    escaped: makes("workspace/.git/x"),
  },
  {
    name: "exchanges a folder of its own with one that keeps the place of .codex",
    // Where nothing keeps the place, there is nothing to exchange with: it makes that.
    scripts: [
      `mkdir -p mine/x; mkdir .codex; perl -e '($a, $b) = ("mine", ".codex"); syscall(${exchange}, -100, $a, -100, $b, 2)'`,
    ],
    escaped: makes("workspace/.codex/x"),
  },
  {
    name: "removes what keeps the place of .agents and makes its own",
    scripts: ["rmdir .agents; rm -rf .agents; mkdir -p .agents/x"],
    escaped: makes("workspace/.agents/x"),
  },
  {
    name: "changes the mode of what keeps the place of .codex, to write into it",
    scripts: ["mkdir -p .codex; chmod 777 .codex; echo evil > .codex/config.toml"],
    escaped: makes("workspace/.codex/config.toml"),
  },
  {
    name: "unpacks an archive that holds .codex",
    scripts: ["mkdir -p src/.codex; echo evil > src/.codex/config.toml; tar -C src -cf a.tar .; tar -xf a.tar"],
    escaped: makes("workspace/.codex/config.toml"),
  },
  {
    name: "copies a folder with hooks to .git",
    scripts: ["git init -q sub; echo evil > sub/.git/hooks/pre-commit; cp -r sub/.git ."],
    escaped: makes("workspace/.git/hooks"),
  },
  {
    name: "makes a hard link named .git to a file that leads to its repository",
    scripts: ["git init -q sub; echo 'gitdir: sub/.git' > file; ln file .git"],
    escaped: makes("workspace/.git"),
  },
  {
    name: "opens the workspace by /proc to make .codex there",
    scripts: ['exec 3< "$WS"; mkdir -p /proc/self/fd/3/.codex/x'],
    escaped: makes("workspace/.codex/x"),
  },
  {
    name: "leaves a process behind that makes .codex as soon as its place is free",
    scripts: ["(exec > /dev/null 2>&1; until mkdir .codex/x; do rmdir .codex; mkdir .codex; done) & sleep 0.1"],
    escaped: async (place, _, confined) => {
      if (!confined) await eventually(() => makes("workspace/.codex/x")(place));
      return makes("workspace/.codex")(place);
    },
  },
  {
    name: "makes .codex in the folder of a thread below the workspace",
    ...nested,
    scripts: [`mkdir a/b/.codex; ${server} > a/b/.codex/config.toml`],
    escaped: makes("workspace/a/b/.codex/config.toml"),
  },
  {
    name: "makes .codex in a folder between the workspace and a thread",
    ...nested,
    scripts: [`mkdir a/.codex; ${server} > a/.codex/config.toml`],
    escaped: makes("workspace/a/.codex/config.toml"),
  },
  {
    name: "makes .git in a folder between the workspace and a thread",
    ...nested,
    scripts: ["git init -q a"],
    escaped: makes("workspace/a/.git/config"),
  },
  {
    name: "moves a folder above a thread away, for one that holds .codex",
    ...nested,
    scripts: ["mkdir -p new/b/.codex/x; mv a old; mv new a"],
    escaped: makes("workspace/a/b/.codex/x"),
  },
  {
    name: "makes a repository of the folder for temporary files",
    ...temporary,
    scripts: ['git init -q "$TMPDIR"'],
    escaped: makes("tmp/.git/config"),
  },
  {
    name: "makes a repository of a folder above a workspace that has none",
    ...temporary,
    scripts: ['git init -q "$TMPDIR/x"'],
    escaped: makes("tmp/x/.git/config"),
  },
  {
    name: "makes a .bashrc where there is none",
    ...home,
    scripts: ['echo evil > "$HOME/.bashrc"'],
    escaped: makes(".bashrc"),
  },
  {
    name: "makes a .bash_profile, which bash reads before .profile",
    ...home,
    prepare: ({ base }) => void writeFileSync(join(base, ".profile"), ""),
    scripts: ['echo evil > "$HOME/.bash_profile"; echo evil > "$HOME/.bash_login"'],
    escaped: (place) => makes(".bash_profile")(place) || makes(".bash_login")(place),
  },
  {
    name: "makes a .zshenv where there is none",
    ...home,
    scripts: ['cd "$HOME"; echo evil > mine; mv -f mine .zshenv'],
    escaped: makes(".zshenv"),
  },
  {
    name: "makes a .gitconfig where there is none",
    ...home,
    scripts: ["git config --global core.fsmonitor evil"],
    escaped: makes(".gitconfig"),
  },
  {
    name: "adds a key of its own to .ssh where there is none",
    ...home,
    scripts: ['mkdir "$HOME/.ssh"; echo evil > "$HOME/.ssh/authorized_keys"'],
    escaped: makes(".ssh/authorized_keys"),
  },
  {
    name: "makes a configuration of git in .config where there is none",
    ...home,
    scripts: ['mkdir -p "$HOME/.config/git"; echo evil > "$HOME/.config/git/config"'],
    escaped: makes(".config/git/config"),
  },
  {
    name: "starts a program with the user's next login by .config/autostart",
    ...home,
    prepare: ({ base }) => void mkdirSync(join(base, ".config")),
    scripts: ['mkdir -p "$HOME/.config/autostart"; echo evil > "$HOME/.config/autostart/evil.desktop"'],
    escaped: makes(".config/autostart/evil.desktop"),
  },
  {
    name: "replaces a link named .codex by a folder of its own",
    ...linked(".codex"),
    scripts: ["rm .codex; mkdir .codex"],
  },
  {
    name: "points a link named .agents elsewhere",
    ...linked(".agents"),
    scripts: ["mkdir mine; ln -sfn mine .agents"],
  },
  {
    name: "renames a folder over a link named .git",
    ...linked(".git"),
    scripts: ["git init -q sub; mv .git old; mv sub/.git .git"],
  },
];

testAttempts(attempts);
