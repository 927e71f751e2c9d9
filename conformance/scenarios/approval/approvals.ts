import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { beginTurn, command, endOfTurn, runTurn, startThread } from "../../lib/steps.ts";
import {
  aboutCommand,
  aboutFiles,
  aboutPermissions,
  amendmentWords,
  decides,
  endsInterrupted,
  escalated,
  granular,
  inWorkspace,
  patch,
  runs,
  untrusted,
  withoutTemporary,
} from "./steps.ts";

/** Questions to the user: commands, changes of files, permissions. */
export const approvals: readonly Scenario[] = [
  {
    name: "approvals/decisions",
    covers: "A command that is accepted, declined, answered with an error and with nonsense",
    // The real server may complete an item before it reports that the question is resolved, or after.
    free: ["item/completed"],
    run: async (stage) => {
      stage.model.script(...runs("touch made", "touch other && echo x", "touch third", "touch fourth"));
      const peer = await stage.connect();
      decides(peer, aboutCommand, "accept", "decline", undefined, "hm");
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
  },
  {
    name: "approvals/cancel",
    covers: "A cancelled command ends its turn",
    run: async (stage) => {
      stage.model.script(command("touch made"), reply().text("next"));
      const peer = await stage.connect();
      decides(peer, aboutCommand, "cancel");
      const thread = await startThread(peer, untrusted);
      await runTurn(peer, thread, "go");
      await runTurn(peer, thread, "again");
    },
  },
  {
    name: "approvals/session",
    covers: "What was approved for the session is not asked about again; another folder is another command",
    run: async (stage) => {
      mkdirSync(join(stage.cwd, "sub"));
      stage.model.script(...runs("touch made", "touch made", ["touch made", { workdir: "sub" }]));
      const peer = await stage.connect();
      decides(peer, aboutCommand, "acceptForSession");
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
  },
  {
    name: "approvals/session-exact",
    covers:
      "What was approved for the session is run as it was approved: other operators or a shell without profile make another",
    run: async (stage) => {
      stage.model.script(
        ...runs("touch a; touch b", "touch a && touch b", "touch made", ["touch made", { login: false }]),
      );
      const peer = await stage.connect();
      decides(peer, aboutCommand, "acceptForSession");
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [
      {
        at: /^event (item\/started commandExecution params\.item\.(processId|source)|serverRequest\/resolved params\.requestId|adds: (thread\/status\/changed|item\/commandExecution\/requestApproval|serverRequest\/resolved) )/,
        reason:
          "Codex takes a single command with the user's profile and one without it for the same. Quire remembers the whole action, and asks again.",
      },
    ],
  },
  {
    name: "approvals/amendment",
    covers: "A rule that a user accepts holds from then on, in other threads too",
    run: async (stage) => {
      stage.model.script(...runs("touch made", "touch made more", "touch made | nosuchtool"));
      const peer = await stage.connect();
      peer.answer(aboutCommand, (params) => {
        const { proposedExecpolicyAmendment: words } = params as { readonly proposedExecpolicyAmendment: string[] };
        return { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: words } } };
      });
      await runTurn(peer, await startThread(peer, untrusted), "go");
      stage.model.script(...runs("touch made again"));
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [amendmentWords],
  },
  {
    name: "approvals/rules",
    covers: "Rules that forbid, ask and allow, under policies that may ask and that may not",
    run: async (stage) => {
      mkdirSync(join(stage.home, "rules"), { recursive: true });
      writeFileSync(
        join(stage.home, "rules", "default.rules"),
        [
          'prefix_rule(pattern=["forbidme"], decision="forbidden")',
          'prefix_rule(pattern=["forbidwhy"], decision="forbidden", justification="use x")',
          'prefix_rule(pattern=["promptme"], decision="prompt")',
          'prefix_rule(pattern=["promptwhy"], decision="prompt", justification="careful")',
          'prefix_rule(pattern=["touch", ["a", "b"]], decision="allow")',
          "",
        ].join("\n"),
      );
      const peer = await stage.connect();
      decides(peer, aboutCommand, "decline");
      for (const settings of [untrusted, { approvalPolicy: "never" }, granular({ rules: false })]) {
        stage.model.script(
          ...runs("forbidme 1", "forbidwhy 1", "promptme 1", "promptwhy 1", "touch a", "touch b && forbidme 2"),
        );
        await runTurn(peer, await startThread(peer, settings), "go");
      }
    },
  },
  {
    name: "approvals/escalation",
    covers: "Asking to leave the sandbox where one may, may not, and need not; deleting by force",
    run: async (stage) => {
      const peer = await stage.connect();
      decides(peer, aboutCommand, "decline");
      const policies = [
        { approvalPolicy: "on-request", ...inWorkspace },
        { approvalPolicy: "on-request", sandbox: "danger-full-access" },
        { approvalPolicy: "never", sandbox: "danger-full-access" },
        granular({ sandbox_approval: false }),
        granular({}),
      ];
      for (const settings of policies) {
        stage.model.script(...runs(["touch made", { ...escalated, prefix_rule: ["touch"] }], "rm -rf nothing-there"));
        await runTurn(peer, await startThread(peer, settings), "go");
      }
    },
  },
  {
    name: "approvals/interrupt",
    covers: "An interrupt withdraws the question",
    erratic: ["thread/tokenUsage/updated", "account/rateLimits/updated"],
    run: async (stage) => {
      stage.model.script(command("touch made"));
      const peer = await stage.connect();
      const thread = await startThread(peer, untrusted);
      const turn = await beginTurn(peer, thread, "go");
      await peer.waitForRequest(aboutCommand);
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
    },
    differences: [endsInterrupted],
  },
  {
    name: "approvals/stable",
    covers: "A client without the experimental API is asked as well",
    run: async (stage) => {
      stage.model.script(...runs("touch made"));
      const peer = await stage.connect({ capabilities: null });
      decides(peer, aboutCommand, "accept");
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
  },
  {
    name: "approvals/trusted",
    covers: "A command that only looks, under the policy that asks about the rest",
    run: async (stage) => {
      stage.model.script(...runs("ls"));
      const peer = await stage.connect();
      decides(peer, aboutCommand, "accept");
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [
      {
        at: /^event (lacks: (thread\/status\/changed active|item\/commandExecution\/requestApproval|serverRequest\/resolved) |item\/started commandExecution params\.item\.(processId|source)$)/,
        reason:
          "Commands that are known to only look, such as `ls`, are not asked about; Codex asks about all of them.",
      },
    ],
  },
  {
    name: "approvals/files",
    covers: "Changes of files that are accepted, declined, answered with an error, approved for the session",
    erratic: ["turn/diff/updated"],
    run: async (stage) => {
      stage.model.script(
        patch("a"),
        patch("b", "call-2"),
        patch("c", "call-3"),
        patch("d", "call-4"),
        patch("d", "call-5"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      decides(peer, aboutFiles, "accept", "decline", undefined, "acceptForSession");
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
  },
  {
    name: "approvals/files-cancel",
    covers: "A cancelled change of files ends its turn",
    run: async (stage) => {
      stage.model.script(patch("a"), reply().text("next"));
      const peer = await stage.connect();
      decides(peer, aboutFiles, "cancel");
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [endsInterrupted],
  },
  {
    name: "approvals/files-policies",
    covers: "Changes within and outside of what may be written, by policy",
    erratic: ["turn/diff/updated"],
    run: async (stage) => {
      const peer = await stage.connect();
      decides(peer, aboutFiles, "decline");
      for (const settings of [
        { approvalPolicy: "on-request", ...inWorkspace },
        { approvalPolicy: "on-request", sandbox: "read-only" },
        { approvalPolicy: "never", ...inWorkspace },
        { approvalPolicy: "never", sandbox: "read-only" },
      ]) {
        stage.model.script(patch("a"), patch(".git/hooks/x", "call-2"), reply().text("done"));
        await runTurn(peer, await startThread(peer, settings), "go");
      }
    },
    differences: [
      {
        at: "event item/fileChange/requestApproval params.reason",
        reason: "The question says which file that is there a new one replaces, and where links lead.",
      },
    ],
  },
  {
    name: "approvals/permissions",
    covers: "Permissions that the model asks for: granted, granted in part, refused, not to be asked for",
    setup: { config: { "features.request_permissions_tool": true } },
    run: async (stage) => {
      const wanted = { file_system: { read: ["/etc"], write: ["/srv/cache", "sub"] }, network: { enabled: true } };
      const asks = (permissions: object, callId: string) =>
        reply().functionCall("request_permissions", { reason: "to fill it", permissions }, { callId });
      const peer = await stage.connect();
      const answers: ((asked: object) => object)[] = [
        (permissions) => ({ permissions, scope: "session" }),
        () => ({ permissions: { fileSystem: { write: ["/srv/cache"] } } }),
        () => ({ permissions: {} }),
        () => ({ nonsense: 1 }),
      ];
      peer.answer(aboutPermissions, (params) => {
        const answer = answers.shift();
        if (!answer) throw new Error("the client says no");
        return answer((params as { readonly permissions: object }).permissions);
      });
      const calls = [1, 2, 3, 4, 5].map((n) => asks(wanted, `call-${n}`));
      stage.model.script(...calls, asks({}, "call-6"), reply().text("done"));
      await runTurn(peer, await startThread(peer, { approvalPolicy: "on-request", ...inWorkspace }), "go");
      for (const settings of [{ approvalPolicy: "never" }, granular({ request_permissions: false })]) {
        stage.model.script(asks(wanted, "call-1"), reply().text("done"));
        await runTurn(peer, await startThread(peer, settings), "go");
      }
    },
  },
  {
    name: "approvals/hosts",
    covers: "A host that no rule allows, for a command whose hosts are told apart",
    setup: { toml: "[features.network_proxy]\nenabled = true\n" },
    run: async (stage) => {
      stage.model.script(...runs("curl -sS -m 10 http://somewhere.invalid/", "echo $NO_PROXY $NODE_USE_ENV_PROXY"));
      const peer = await stage.connect();
      const settings = { approvalPolicy: "never", sandbox: "workspace-write" };
      const config = { ...withoutTemporary, "sandbox_workspace_write.network_access": true };
      await runTurn(peer, await startThread(peer, { ...settings, config }), "go");
    },
    differences: [
      {
        at: /^event item\/completed commandExecution params\.item\.(aggregatedOutput|exitCode|status)$|^model input (lacks|adds): (function_call_output .*call-1|developer )/,
        reason: "A command that is refused a host goes on, and the model is told; Codex ends it.",
      },
    ],
  },
];
