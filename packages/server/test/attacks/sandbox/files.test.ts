/** Attacks: files, from within the sandbox. */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { type Attempt, testAttempts } from "../support/attempt.ts";
import type { World } from "../support/world.ts";

const touched = ({ outside }: World) => readFileSync(join(outside, "file"), "utf8") !== "untouched\n";
const saysEscaped = (_: World, output: string) => output.includes("escaped");

const mknodat = process.arch === "arm64" ? 33 : 259;

const attempts: readonly Attempt[] = [
  { name: "writes a file outside of the workspace", scripts: ['echo evil > "$OUT/file"'], escaped: touched },
  { name: "writes outside by way of ..", scripts: ["echo evil > ../outside/file"], escaped: touched },
  {
    name: "writes outside through a link that it makes",
    scripts: ['ln -s "$OUT" link; echo evil > link/file'],
    escaped: touched,
  },
  {
    name: "writes outside through a link that is there",
    prepare: ({ workspace, outside }) => void symlinkSync(outside, join(workspace, "link")),
    scripts: ["echo evil > link/file"],
    escaped: touched,
  },
  {
    name: "writes outside through a hard link that it makes",
    scripts: ['ln "$OUT/file" link && echo evil > link'],
    escaped: touched,
  },
  {
    name: "writes outside by way of another process's root in /proc",
    prepare: () => ({ SERVER: String(process.pid) }),
    scripts: ['for pid in 1 "$SERVER"; do echo evil > "/proc/$pid/root$OUT/file"; done'],
    escaped: touched,
  },
  {
    name: "writes outside by way of /proc/self/cwd",
    scripts: ["echo evil > /proc/self/cwd/../outside/file"],
    escaped: touched,
  },
  {
    name: "reopens what it may read by way of /proc/self/fd, to write it",
    scripts: ['exec 3< "$OUT/file"; echo evil > /proc/self/fd/3'],
    escaped: touched,
  },
  {
    name: "changes the mode of a file outside",
    scripts: ['chmod 777 "$OUT/file"'],
    escaped: ({ outside }) => (statSync(join(outside, "file")).mode & 0o777) === 0o777,
  },
  {
    name: "changes the owner of a file outside",
    scripts: ['chown 65534 "$OUT/file"'],
    escaped: ({ outside }) => statSync(join(outside, "file")).uid === 65534,
    asRoot: true,
  },
  {
    name: "leaves a program in the workspace that runs as its owner, whoever starts it",
    scripts: [
      // By chmod, and by the mode with which the file is made.
      `cp /bin/true tool; chmod u+s tool; perl -e 'use Fcntl; umask 0; sysopen(F, "born", O_CREAT | O_WRONLY, 04755)'`,
    ],
    escaped: ({ workspace }) => ["tool", "born"].some((name) => (statMode(join(workspace, name)) & 0o4000) !== 0),
  },
  {
    name: "leaves a program in the workspace that runs as its group",
    scripts: ["cp /bin/true tool; chmod 2755 tool; chmod g+s tool"],
    escaped: ({ workspace }) => (statMode(join(workspace, "tool")) & 0o2000) !== 0,
  },
  {
    name: "makes a file that runs as its group from the beginning",
    scripts: [`perl -e 'use Fcntl; umask 0; sysopen(F, "born", O_CREAT | O_WRONLY, 02755)'`],
    escaped: ({ workspace }) => (statMode(join(workspace, "born")) & 0o2000) !== 0,
  },
  {
    name: "makes a file that runs as its group by mknod",
    scripts: [`perl -e '$p = "born"; syscall(${mknodat}, -100, $p, 0102755, 0)'`],
    escaped: ({ workspace }) => (statMode(join(workspace, "born")) & 0o2000) !== 0,
  },
  {
    name: "changes a mode by the newest call, to run a file as its owner and group",
    scripts: [`cp /bin/true tool; perl -e '$p = "tool"; syscall(452, -100, $p, 06755, 0)'`],
    escaped: ({ workspace }) => (statMode(join(workspace, "tool")) & 0o6000) !== 0,
  },
  {
    name: "gains rights by a program that runs as its owner",
    prepare: ({ outside }) => {
      copyFileSync("/usr/bin/id", join(outside, "id"));
      if (process.getuid?.() === 0) chownSync(join(outside, "id"), 65534, 65534);
      chmodSync(join(outside, "id"), 0o4755);
      return {};
    },
    scripts: ['[ "$("$OUT/id" -u)" = 65534 ] && echo escaped'],
    escaped: saysEscaped,
    asRoot: true,
  },
  {
    name: "makes a device",
    scripts: ["mknod null c 1 3 && echo escaped > null && echo escaped"],
    escaped: saysEscaped,
    asRoot: true,
  },
  {
    name: "leaves something in the memory that programs share, /dev/shm",
    scripts: ['echo evil > "/dev/shm/$(basename "$BASE")"'],
    escaped: ({ base }) => statMode(join("/dev/shm", basename(base))) !== 0,
    cleanUp: ({ base }) => rmSync(join("/dev/shm", basename(base)), { force: true }),
  },
  {
    name: "mounts a file system",
    scripts: ["mkdir m; mount -t tmpfs none m && echo escaped && umount m"],
    escaped: saysEscaped,
    asRoot: true,
  },
  {
    name: "changes a setting of the kernel",
    // To what it is already.
    scripts: [
      'value=$(cat /proc/sys/kernel/core_pattern); echo "$value" > /proc/sys/kernel/core_pattern && echo escaped',
    ],
    escaped: saysEscaped,
    asRoot: true,
  },
  {
    name: "writes to /tmp where that is excluded",
    policy: { excludeSlashTmp: true },
    scripts: ['echo evil > "/tmp/$(basename "$BASE")"'],
    escaped: ({ base }) => statMode(join("/tmp", basename(base))) !== 0,
    cleanUp: ({ base }) => rmSync(join("/tmp", basename(base)), { force: true }),
  },
  {
    name: "writes to $TMPDIR where that is excluded",
    policy: { excludeTmpdirEnvVar: true },
    serverEnv: ({ outside }) => ({ TMPDIR: outside }),
    scripts: ['echo evil > "$TMPDIR/file"'],
    escaped: touched,
  },
  {
    name: "puts a link in the place of a folder it may write, to have where that leads opened",
    prepare: ({ workspace }) => void mkdirSync(join(workspace, "sub")),
    roots: ({ workspace }) => [workspace, join(workspace, "sub")],
    scripts: ['mv sub old || rmdir sub; ln -s "$OUT" sub', "echo evil > sub/file"],
    escaped: touched,
  },
  {
    name: "points a link elsewhere by which a folder it may write is named",
    prepare: ({ base, workspace }) => {
      mkdirSync(join(workspace, "sub"));
      symlinkSync(join(workspace, "sub"), join(workspace, "second"));
      symlinkSync(join(workspace, "second"), join(base, "first"));
      return {};
    },
    roots: ({ base, workspace }) => [workspace, join(base, "first")],
    scripts: ['ln -sfn "$OUT" second', "echo evil > second/file"],
    escaped: touched,
    refusal: /give the folder itself as working folder or writable root/,
  },
  {
    name: "moves the workspace away and puts another repository in its place",
    prepare: ({ workspace }) => void mkdirSync(join(workspace, "deep/repo/.git/hooks"), { recursive: true }),
    roots: ({ workspace }) => [workspace, join(workspace, "deep/repo")],
    scripts: ["mv deep old; mkdir -p deep/repo/.git/hooks; echo evil > deep/repo/.git/hooks/pre-commit"],
    escaped: ({ workspace }) => statMode(join(workspace, "deep/repo/.git/hooks/pre-commit")) !== 0,
  },
  {
    name: "reads the credentials of the server",
    prepare: ({ home }) => void writeFileSync(join(home, "auth.json"), "the secret: escaped"),
    scripts: ['cat "$SERVER_HOME/auth.json"'],
    escaped: saysEscaped,
  },
  {
    name: "writes to the configuration of the server, in a folder that is open to it",
    prepare: ({ home }) => void writeFileSync(join(home, "config.toml"), "\n"),
    roots: ({ base }) => [base],
    scripts: ['echo "sandbox_mode = \'danger-full-access\'" >> "$SERVER_HOME/config.toml"'],
    escaped: ({ home }) => readFileSync(join(home, "config.toml"), "utf8") !== "\n",
  },
  {
    name: "writes to a start-up file of the shell, where the user's home is the workspace",
    prepare: ({ base }) => void writeFileSync(join(base, ".bashrc"), ""),
    roots: ({ base }) => [base],
    scripts: ['echo evil >> "$HOME/.bashrc"; mv "$HOME/.bashrc" "$HOME/old" && echo evil > "$HOME/.bashrc"'],
    escaped: ({ base }) => readFileSync(join(base, ".bashrc"), "utf8") !== "",
  },
  {
    name: "writes a hook of the repository",
    prepare: ({ workspace }) => void mkdirSync(join(workspace, ".git/hooks"), { recursive: true }),
    scripts: ["echo evil > .git/hooks/pre-commit"],
    escaped: ({ workspace }) => statMode(join(workspace, ".git/hooks/pre-commit")) !== 0,
  },
  {
    name: "puts another folder in the place of .git",
    prepare: ({ workspace }) => void mkdirSync(join(workspace, ".git")),
    scripts: ["mv .git old; rm -rf .git; mkdir .git; echo '[core] fsmonitor = evil' > .git/config"],
    escaped: ({ workspace }) => statMode(join(workspace, ".git/config")) !== 0,
  },
  {
    name: "writes to the configuration of the repository through a hard link",
    prepare: ({ workspace }) => {
      mkdirSync(join(workspace, ".git"));
      writeFileSync(join(workspace, ".git/config"), "");
      return {};
    },
    scripts: ["ln .git/config link && echo evil > link"],
    escaped: ({ workspace }) => readFileSync(join(workspace, ".git/config"), "utf8") !== "",
  },
  {
    name: "writes a hook that a worktree shares with its repository",
    prepare: ({ base, workspace }) => {
      const repository = join(base, "repository/.git");
      mkdirSync(join(repository, "worktrees/one"), { recursive: true });
      mkdirSync(join(repository, "hooks"));
      writeFileSync(join(repository, "worktrees/one/commondir"), "../..\n");
      writeFileSync(join(workspace, ".git"), `gitdir: ${join(repository, "worktrees/one")}\n`);
      return {};
    },
    policy: {},
    roots: ({ base, workspace }) => [workspace, join(base, "repository")],
    scripts: ['echo evil > "$BASE/repository/.git/hooks/pre-commit"; echo "gitdir: $OUT" > .git'],
    escaped: ({ base, workspace }) =>
      statMode(join(base, "repository/.git/hooks/pre-commit")) !== 0 ||
      !readFileSync(join(workspace, ".git"), "utf8").includes("worktrees"),
  },
  {
    name: "leaves a bubblewrap in a folder of PATH, to be used for the next command",
    prepare: ({ workspace }) => void mkdirSync(join(workspace, "bin")),
    serverEnv: ({ workspace }) => ({ PATH: `${join(workspace, "bin")}:${process.env.PATH}` }),
    scripts: ["printf '#!/bin/sh\\necho evil > \"$OUT/file\"\\n' > bin/bwrap; chmod +x bin/bwrap", "bwrap --version"],
    escaped: touched,
  },
];

function statMode(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}

testAttempts(attempts);
