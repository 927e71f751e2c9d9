import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { commitEverything } from "../../lib/git.ts";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { startThread } from "../../lib/steps.ts";

/** A repository with a configuration of its own. */
function repository(stage: Stage, name: string): { root: string; write(path: string, text: string): void } {
  const root = join(stage.cwd, name);
  mkdirSync(join(root, ".codex"), { recursive: true });
  mkdirSync(join(root, "pkg"));
  commitEverything(root);
  return { root, write: (path, text) => writeFileSync(join(root, path), text) };
}

/** Trusts a project as a client does for its user. */
async function trustProject(peer: Peer, root: string, level = "trusted"): Promise<void> {
  const keyPath = `projects.${JSON.stringify(root)}.trust_level`;
  await peer.probe("config/value/write", { keyPath, value: level, mergeStrategy: "replace" });
}

/** Starts a thread and observes its permissions. */
async function open(stage: Stage, peer: Peer, cwd: string): Promise<void> {
  const answer = await peer.probe("thread/start", { cwd });
  stage.observe(`may in ${basename(cwd)}`, [answer?.sandbox.type, answer?.approvalPolicy]);
}

const settings = 'sandbox_mode = "workspace-write"\napproval_policy = "on-request"\n';
const hooks = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: "true" }] }] } });

/** Projects that a user trusts. */
export const trust: readonly Scenario[] = [
  {
    name: "trust/settings",
    covers: "A trusted project's own settings count",
    free: ["configWarning"],
    run: async (stage) => {
      const { root, write } = repository(stage, "repo");
      write(".codex/config.toml", settings);
      const peer = await stage.connect();
      await trustProject(peer, root);
      await open(stage, peer, root);
      await open(stage, peer, join(root, "pkg"));
    },
  },
  {
    name: "trust/came-later",
    covers: "Settings that come after the user has trusted a project",
    run: async (stage) => {
      const { root, write } = repository(stage, "repo");
      const peer = await stage.connect();
      await trustProject(peer, root);
      write(".codex/config.toml", settings);
      await open(stage, peer, root);
    },
    differences: [
      {
        at: /^event adds: configWarning|^seen: may in repo$/,
        reason:
          "Settings that a project got after it was trusted are left out, with a warning, until it is trusted again.",
      },
    ],
  },
  {
    name: "trust/changed",
    covers: "Settings that change after the user has trusted a project",
    run: async (stage) => {
      const { root, write } = repository(stage, "repo");
      write(".codex/config.toml", 'sandbox_mode = "read-only"\n');
      const peer = await stage.connect();
      await trustProject(peer, root);
      write(".codex/config.toml", settings);
      await open(stage, peer, root);
      await trustProject(peer, root);
      await open(stage, peer, root);
    },
    differences: [
      {
        at: /^event adds: configWarning|^seen: may in repo$/,
        reason:
          "Settings of a project that have changed since it was trusted are left out, with a warning, and what they held back stays held back.",
      },
    ],
  },
  {
    name: "trust/hooks",
    covers: "Hooks of a trusted project that the user has not agreed to",
    run: async (stage) => {
      const { root, write } = repository(stage, "repo");
      write(".codex/hooks.json", hooks);
      const peer = await stage.connect();
      await trustProject(peer, root);
      await startThread(peer, { cwd: root });
      await peer.silence(300);
    },
    differences: [
      {
        at: "event adds: configWarning",
        reason: "A client hears of a project's hooks that do not run, because nobody has agreed to them.",
      },
    ],
  },
  {
    name: "trust/untrusted",
    covers: "A thread in a project that nobody trusts, with settings of its own",
    run: async (stage) => {
      const { root, write } = repository(stage, "repo");
      write(".codex/config.toml", settings);
      const peer = await stage.connect();
      await open(stage, peer, root);
      await peer.silence(300);
    },
    differences: [
      {
        at: /^event adds: configWarning|^seen: may in repo$/,
        reason:
          "A project is trusted when its user says so; Codex trusts it as soon as a thread starts there that may write. A client hears what is left out.",
      },
    ],
  },
];
