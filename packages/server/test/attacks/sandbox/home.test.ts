/** Attacks: the server's home, from within the sandbox. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { eventually } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import type { Launch } from "../../../src/run/process/launcher.ts";
import { removeIdlePlaceholders } from "../../../src/run/sandbox/hold-placeholders.ts";
import { sandboxLauncher } from "../../../src/run/sandbox/sandbox-launcher.ts";
import { type Attempt, outputOf, testAttempts, workspaceWrite } from "../support/attempt.ts";
import { type World, world } from "../support/world.ts";

const saysEscaped = (_: World, output: string) => output.includes("escaped");

/** Puts a file into the home that nobody is to read. */
const holding = (path: string) => ({
  prepare: ({ home }: World) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "escaped\n");
    return {};
  },
  escaped: saysEscaped,
});

const attempts: readonly Attempt[] = [
  {
    name: "reads the tokens of gateways",
    ...holding(".gateway-credentials.json"),
    scripts: ['cat "$SERVER_HOME/.gateway-credentials.json"'],
  },
  {
    name: "reads the tokens of MCP servers",
    ...holding(".credentials.json"),
    scripts: ['cat "$SERVER_HOME/.credentials.json"'],
  },
  {
    name: "reads the configuration of the server, with the keys in it",
    ...holding("config.toml"),
    scripts: ['cat "$SERVER_HOME/config.toml"'],
  },
  {
    name: "reads what was said in another thread",
    ...holding("sessions/2026/01/01/rollout.jsonl"),
    scripts: ['find "$SERVER_HOME" -type f -exec cat {} +'],
  },
  {
    name: "reads the index of all threads",
    ...holding("quire-index.sqlite"),
    scripts: ['cat "$SERVER_HOME/quire-index.sqlite"'],
  },
  {
    name: "reads what plugins have stored",
    ...holding("plugins/data/one/token"),
    scripts: ['cat "$SERVER_HOME/plugins/data/one/token"'],
  },
  {
    name: "lists the names in the home",
    ...holding("escaped"),
    scripts: ['ls -a "$SERVER_HOME"'],
  },
  {
    name: "reads the home through a link that it makes",
    ...holding("auth.json"),
    scripts: ['ln -s "$SERVER_HOME" link; cat link/auth.json'],
  },
  {
    name: "makes a hard link to the credentials",
    ...holding("auth.json"),
    scripts: ['ln "$SERVER_HOME/auth.json" link; cat link'],
  },
  {
    name: "reads the home by way of the root of another process",
    ...holding("auth.json"),
    scripts: ['for pid in 1 self; do cat "/proc/$pid/root$SERVER_HOME/auth.json"; done'],
  },
  {
    name: "reads the home from the folder above, by way of ..",
    ...holding("auth.json"),
    scripts: ["cat ../home/auth.json"],
  },
  {
    name: "reads the credentials under the name that a login gives them for a moment",
    ...holding("auth.json.new"),
    scripts: ['cat "$SERVER_HOME"/auth.json*'],
  },
  {
    name: "reads a home that lies in the workspace",
    ...holding("auth.json"),
    roots: ({ base }) => [base],
    scripts: ['cat "$SERVER_HOME/auth.json"'],
  },
  {
    name: "renames a home that lies in the workspace, to read it under another name",
    ...holding("auth.json"),
    roots: ({ base }) => [base],
    scripts: ['cd "$BASE"; mv home moved; cat moved/auth.json; mv moved home'],
  },
  {
    name: "writes to a home that lies in the workspace",
    roots: ({ base }) => [base],
    scripts: ['mkdir "$SERVER_HOME/rules"; echo evil > "$SERVER_HOME/rules/evil.rules"'],
    escaped: ({ home }) => existsSync(join(home, "rules")),
  },
  {
    name: "reads a home around the workspace",
    ...holding("auth.json"),
    prepare: (place) => {
      mkdirSync(join(place.home, "worktrees/one"), { recursive: true });
      return holding("auth.json").prepare(place);
    },
    roots: ({ home }) => [join(home, "worktrees/one")],
    scripts: ['cd "$SERVER_HOME/worktrees/one" && echo made > file && cat ../../auth.json "$SERVER_HOME/auth.json"'],
  },
  {
    name: "reads another workspace below the home",
    ...holding("worktrees/other/file"),
    prepare: (place) => {
      mkdirSync(join(place.home, "worktrees/one"), { recursive: true });
      return holding("worktrees/other/file").prepare(place);
    },
    roots: ({ home }) => [join(home, "worktrees/one")],
    scripts: ['cat "$SERVER_HOME/worktrees/other/file"'],
  },
  {
    name: "writes beside its workspace in the home",
    prepare: ({ home }) => void mkdirSync(join(home, "worktrees/one"), { recursive: true }),
    roots: ({ home }) => [join(home, "worktrees/one")],
    scripts: ['echo evil > "$SERVER_HOME/worktrees/evil"; echo evil > "$SERVER_HOME/config.toml"'],
    escaped: ({ home }) => existsSync(join(home, "worktrees/evil")) || existsSync(join(home, "config.toml")),
  },
  {
    name: "changes a skill that every thread may be given",
    prepare: ({ home }) => void mkdirSync(join(home, "skills/one"), { recursive: true }),
    roots: ({ base }) => [base],
    scripts: ['echo evil > "$SERVER_HOME/skills/one/SKILL.md"'],
    escaped: ({ home }) => existsSync(join(home, "skills/one/SKILL.md")),
  },
  {
    name: "changes a program of a plugin",
    prepare: ({ home }) => void mkdirSync(join(home, "plugins/cache/one"), { recursive: true }),
    roots: ({ base }) => [base],
    scripts: ['echo evil > "$SERVER_HOME/plugins/cache/one/program"'],
    escaped: ({ home }) => existsSync(join(home, "plugins/cache/one/program")),
  },
  {
    name: "changes the program that starts sandboxed commands",
    prepare: ({ home }) => void mkdirSync(join(home, "sandbox")),
    roots: ({ base }) => [base],
    scripts: ['for each in "$SERVER_HOME"/sandbox/* "$SERVER_HOME/sandbox/entry"; do echo evil > "$each"; done'],
    escaped: ({ home }) => existsSync(join(home, "sandbox/entry")),
  },
  {
    name: "reads the credentials of a Codex beside the server",
    prepare: ({ base }) => {
      mkdirSync(join(base, ".codex"));
      writeFileSync(join(base, ".codex/auth.json"), "escaped\n");
      return {};
    },
    scripts: ['cat "$HOME/.codex/auth.json"'],
    escaped: saysEscaped,
  },
  {
    name: "reads the credentials in the folder that CODEX_HOME names",
    prepare: ({ outside }) => void writeFileSync(join(outside, "auth.json"), "escaped\n"),
    serverEnv: ({ outside }) => ({ CODEX_HOME: outside }),
    scripts: ['cat "$OUT/auth.json"'],
    escaped: saysEscaped,
  },
  {
    name: "reads a home that is named by a link, where the link leads",
    prepare: ({ base, outside }) => {
      writeFileSync(join(outside, "auth.json"), "escaped\n");
      symlinkSync(outside, join(base, "linked"));
      return {};
    },
    serverEnv: ({ base }) => ({ QUIRE_HOME: join(base, "linked") }),
    scripts: ['cat "$OUT/auth.json"'],
    escaped: saysEscaped,
  },
];

testAttempts(attempts);

/** Starts a command that reads when it is told to, and lets a login happen before. */
async function readAfter({ home, workspace, base }: World, guarded: boolean, happens: () => void): Promise<boolean> {
  const env = { PATH: process.env.PATH ?? "", SERVER_HOME: home, HOME: base };
  const script = 'touch up; until [ -e go ]; do sleep 0.01; done; cat "$SERVER_HOME/auth.json"';
  const plain: Launch = { argv: ["/bin/bash", "-c", script], cwd: workspace, env };
  const confinement = { policy: workspaceWrite(), workspace: [workspace], tty: false };
  const output = outputOf(guarded ? sandboxLauncher({ home, env })(plain, confinement) : plain);
  await eventually(() => existsSync(join(workspace, "up")));
  happens();
  writeFileSync(join(workspace, "go"), "");
  return (await output).includes("escaped");
}

attack("reads the credentials that a login writes while the command runs", async (guarded) => {
  await using place = await world();
  writeFileSync(join(place.home, "auth.json"), "old\n");
  return await readAfter(place, guarded, () => {
    writeFileSync(join(place.home, "draft"), "escaped\n");
    renameSync(join(place.home, "draft"), join(place.home, "auth.json"));
  });
});

attack("reads the credentials of the first login, which comes while the command runs", async (guarded) => {
  await using place = await world();
  return await readAfter(place, guarded, () => writeFileSync(join(place.home, "auth.json"), "escaped\n"));
});

attack("reads the home where nothing can be written", async (guarded) => {
  await using place = await world();
  const { home, workspace, base } = place;
  writeFileSync(join(home, "auth.json"), "escaped\n");
  const env = { PATH: process.env.PATH ?? "", SERVER_HOME: home, HOME: base };
  const plain: Launch = { argv: ["/bin/bash", "-c", 'cat "$SERVER_HOME/auth.json"'], cwd: workspace, env };
  const policy = { type: "readOnly", networkAccess: false } as const;
  const launch = guarded
    ? sandboxLauncher({ home, env })(plain, { policy, workspace: [workspace], tty: false })
    : plain;
  return (await outputOf(launch)).includes("escaped");
});

attack("has a command of another thread free the place of .codex by ending", async (guarded) => {
  await using place = await world();
  const { home, workspace, base } = place;
  const env = { PATH: process.env.PATH ?? "", HOME: base };
  const launch = (script: string): Launch => {
    const plain = { argv: ["/bin/bash", "-c", script], cwd: workspace, env };
    const confinement = { policy: workspaceWrite(), workspace: [workspace], tty: false };
    return guarded ? sandboxLauncher({ home, env })(plain, confinement) : plain;
  };
  const attacker = outputOf(
    launch("touch up; until [ -e go ]; do sleep 0.01; done; mkdir .codex/x || mkdir -p .codex/x"),
  );
  await eventually(() => existsSync(join(workspace, "up")));
  await outputOf(launch("true"));
  removeIdlePlaceholders();
  writeFileSync(join(workspace, "go"), "");
  await attacker;
  removeIdlePlaceholders();
  const made = existsSync(join(workspace, ".codex"));
  rmSync(join(workspace, ".codex"), { recursive: true, force: true });
  return made;
});
