import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { beginTurn, command, endOfTurn, runTurn, startThread } from "../../lib/steps.ts";

/** The real sandbox puts a `.git` into folders that it opens; that of temporary files is everybody's. */
const config = {
  "sandbox_workspace_write.exclude_slash_tmp": true,
  "sandbox_workspace_write.exclude_tmpdir_env_var": true,
};

/** Tries to write a file, and reports it in words that no shell or tool phrases differently. */
const probe = (path: string) => `touch ${path} 2>/dev/null && echo wrote || echo refused`;
/** Tries to reach the model's own server, whose port is in a file. */
const network = "read port < port; (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && echo reached || echo closed";

/** Permissions of commands under each sandbox policy. */
export const sandbox: readonly Scenario[] = [
  {
    name: "sandbox/policies",
    covers:
      "What commands can write under `read-only`, `workspace-write` with and without further roots, and full access",
    run: async (stage) => {
      const cwd = join(stage.cwd, "place");
      const root = join(stage.cwd, "root");
      for (const folder of [root, join(cwd, ".git"), join(cwd, ".codex")]) mkdirSync(folder, { recursive: true });
      const peer = await stage.connect();
      const policies = [
        { type: "readOnly" },
        {
          type: "workspaceWrite",
          writableRoots: [],
          networkAccess: false,
          excludeSlashTmp: true,
          excludeTmpdirEnvVar: true,
        },
        {
          type: "workspaceWrite",
          writableRoots: [root],
          networkAccess: false,
          excludeSlashTmp: true,
          excludeTmpdirEnvVar: true,
        },
        { type: "dangerFullAccess" },
      ];
      const thread = await startThread(peer, { cwd, approvalPolicy: "never", config });
      for (const [index, sandboxPolicy] of policies.entries()) {
        const paths = [`here-${index}`, `../root/there-${index}`, `.git/in-${index}`, `.codex/in-${index}`];
        stage.model.script(command(paths.map(probe).join("; "), { login: false }), reply().text("done"));
        await runTurn(peer, thread, "go", { sandboxPolicy });
      }
    },
    differences: [
      {
        at: "model tool web_search.external_web_access",
        reason: "A wider sandbox does not change the tools of a thread, so that the provider's prompt cache holds.",
      },
    ],
  },
  {
    name: "sandbox/custom-profiles",
    differences: [replyWords],
    covers: "Profiles of `[permissions]`: listed, chosen for a thread, for a turn and by `default_permissions`",
    run: async (stage) => {
      const root = join(stage.cwd, "root");
      const cwd = join(stage.cwd, "place");
      for (const folder of [root, cwd]) mkdirSync(folder);
      const path = join(stage.home, "config.toml");
      const own = readFileSync(path, "utf8").replace(/^sandbox_mode = .*$/m, 'default_permissions = "look"');
      const tables = [
        "[permissions.look]",
        'description = "Looks"',
        'extends = ":read-only"',
        "[permissions.work]",
        'extends = ":workspace"',
        "[permissions.work.filesystem]",
        `${JSON.stringify(root)} = "write"`,
        // As `config` above.
        '":slash_tmp" = "read"',
        '":tmpdir" = "read"',
      ];
      writeFileSync(path, `${own}\n${tables.join("\n")}\n`);
      const peer = await stage.connect();
      await peer.request("permissionProfile/list", { cwd });
      const paths = (index: number) => [`here-${index}`, `../root/there-${index}`].map(probe).join("; ");
      const go = async (index: number, permissions?: string) => {
        stage.model.script(command(paths(index), { login: false }), reply().text("done"));
        const thread = await startThread(peer, { cwd, approvalPolicy: "never", ...(permissions && { permissions }) });
        await runTurn(peer, thread, "go");
        return thread;
      };
      await go(1);
      const thread = await go(2, "work");
      stage.model.script(command(paths(3), { login: false }), reply().text("done"));
      await runTurn(peer, thread, "go", { permissions: "look" });
      await peer.request("thread/start", { cwd, permissions: "nowhere" });
    },
  },
  {
    name: "sandbox/network",
    covers: "The network is off unless the policy has it",
    run: async (stage) => {
      writeFileSync(join(stage.cwd, "port"), `${new URL(stage.model.url).port}\n`);
      const peer = await stage.connect();
      const thread = await startThread(peer, { approvalPolicy: "never", sandbox: "workspace-write", config });
      for (const networkAccess of [false, true]) {
        stage.model.script(command(network, { login: false }), reply().text("done"));
        const rest = { writableRoots: [], excludeSlashTmp: true, excludeTmpdirEnvVar: true };
        await runTurn(peer, thread, "go", { sandboxPolicy: { type: "workspaceWrite", networkAccess, ...rest } });
      }
    },
  },
  {
    name: "sandbox/processes",
    covers: "Interrupting a turn whose command runs in the sandbox",
    erratic: ["thread/tokenUsage/updated", "account/rateLimits/updated", "item/commandExecution/outputDelta"],
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer, { approvalPolicy: "never", sandbox: "read-only", config });
      stage.model.script(
        command("echo begun; sleep 60", { login: false, yield_time_ms: 30_000 }),
        reply().text("next"),
      );
      const turn = await beginTurn(peer, thread, "go");
      // Its output the real server shows at once or not.
      await peer.waitFor("item/started", ({ item }) => item.type === "commandExecution");
      await stage.silence();
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
      await peer.request("thread/backgroundTerminals/clean", { threadId: thread.id });
      await stage.silence(500);
    },
    differences: [
      {
        at: /^event (adds|lacks): item\/completed|^order of item\/completed|^event item\/completed commandExecution/,
        reason: "A command that an interrupted turn waits for is ended at once; Codex lets it run on.",
      },
    ],
  },
];
