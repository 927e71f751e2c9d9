/** Attacks: answers that say more than was asked. */
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { NetworkGate } from "../../../src/approval/network.ts";
import { noPermissions, readGranted, readRequested } from "../../../src/approval/permissions.ts";
import { areWritable } from "../../../src/approval/writable.ts";
import type { Passage } from "../../../src/run/sandbox/network/proxy.ts";
import { FakeThread, fakeConfig } from "../../tools/fake-context.ts";

interface Answering {
  /** What is asked about. */
  readonly asked: { readonly cmd: string; readonly [option: string]: unknown };
  /** The rule that the client answers with. */
  readonly rule: unknown;
}

/** A client answers a question about a command with a rule; then `sh run` runs. The control takes the rule as it comes. */
async function answers({ asked, rule }: Answering, guarded: boolean): Promise<boolean> {
  await using folder = await tempDir("quire-answer-");
  const cwd = folder.path;
  const config = fakeConfig({ features: { exec_permission_approvals: true } });
  await using thread = new FakeThread(cwd, { config, settings: { approvalPolicy: "untrusted" } });
  let count = 0;
  thread.answer = async () => {
    if (++count > 1) return { decision: "decline" };
    if (guarded) return { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: rule } } };
    thread.approvals.rules.allow(rule as string[]);
    return { decision: "accept" };
  };
  await thread.call("exec_command", { login: false, ...asked }).catch(() => undefined);
  if (count !== 1) throw new Error("nobody was asked");
  await thread.call("exec_command", { login: false, cmd: "touch stolen" }).catch(() => undefined);
  return existsSync(join(cwd, "stolen"));
}

attack("answers a question about a command with a rule for another", (guarded) =>
  answers({ asked: { cmd: "mkdir made" }, rule: ["touch"] }, guarded),
);

attack("answers with a shorter rule than was offered", (guarded) =>
  answers({ asked: { cmd: "touch made" }, rule: ["touch"] }, guarded),
);

attack("answers with a rule where none was offered", (guarded) =>
  answers({ asked: { cmd: "bash -c true" }, rule: ["touch", "stolen"] }, guarded),
);

attack("answers with a rule a question that only asks to widen the sandbox", (guarded) => {
  const more = { network: { enabled: true } };
  const asked = {
    cmd: "touch stolen2",
    sandbox_permissions: "with_additional_permissions",
    additional_permissions: more,
    prefix_rule: ["touch"],
  };
  return answers({ asked, rule: ["touch"] }, guarded);
});

/** A client answers a question with a rule for a host; gives whether that is then open. The control takes it as it comes. */
async function opens(ask: (thread: FakeThread) => Promise<unknown>, guarded: boolean): Promise<boolean> {
  await using folder = await tempDir("quire-answer-");
  await using thread = new FakeThread(folder.path, { settings: { approvalPolicy: "untrusted" } });
  const rule = { host: "evil.example", action: "allow" } as const;
  let count = 0;
  thread.answer = async () => {
    if (++count > 1) return { decision: "decline" };
    if (!guarded) thread.approvals.rules.setHost(rule.host, rule.action);
    return { decision: { applyNetworkPolicyAmendment: { network_policy_amendment: rule } } };
  };
  await ask(thread).catch(() => undefined);
  if (count !== 1) throw new Error("nobody was asked");
  return (await gate(thread).decide({ host: rule.host, port: 443, protocol: "https" })).refusal === undefined;
}

function gate(thread: FakeThread): NetworkGate {
  return new NetworkGate({ enabled: true, allowed: [], denied: [], local: false }, thread.context());
}

const good: Passage = { host: "good.example", port: 443, protocol: "https" };

attack("answers a question about a host with a rule for another", (guarded) =>
  opens((thread) => gate(thread).decide(good), guarded),
);

attack("answers a question about a command with a rule for a host", (guarded) =>
  opens((thread) => thread.call("exec_command", { cmd: "touch made", login: false }), guarded),
);

/** Whether a file outside of the workspace can be written with these permissions, or those that a control gives. */
interface Asking {
  /** What a model asks for. */
  readonly wanted: object;
  /** What a client answers. It grants only what is shown to lie in the workspace, unless it is told otherwise. */
  grants?(outside: string): object;
  /** What happens after it was granted. */
  afterwards?(cwd: string, outside: string): void;
}

async function widens({ wanted, grants, afterwards }: Asking, guarded: boolean): Promise<boolean> {
  await using folder = await tempDir("quire-answer-");
  const cwd = join(folder.path, "work");
  const outside = join(folder.path, "outside");
  for (const path of [join(cwd, "own"), outside]) mkdirSync(path, { recursive: true });
  symlinkSync(outside, join(cwd, "link"));
  const sandboxPolicy = { type: "readOnly", networkAccess: false } as const;
  await using thread = new FakeThread(cwd, { settings: { approvalPolicy: "on-request", sandboxPolicy } });
  // As they were read once: by their words alone.
  const byWords = { ...noPermissions, write: (wanted as { file_system: { write: string[] } }).file_system.write };
  const requested = guarded
    ? readRequested(wanted, cwd)
    : { ...byWords, write: byWords.write.map((path) => join(cwd, path)) };
  const shown = requested.write.filter((path) => path.startsWith(`${cwd}/`));
  const answer = grants?.(outside) ?? { fileSystem: { write: shown } };
  const granted = guarded
    ? readGranted(answer, requested)
    : { ...noPermissions, write: (answer as { fileSystem: { write: string[] } }).fileSystem.write };
  thread.approvals.grants.add(granted, "session");
  afterwards?.(cwd, outside);
  const limits = thread.approvals.grants.limits(thread.settings, "turn");
  const open = guarded ? limits.policy : { ...limits.policy, type: "workspaceWrite", writableRoots: granted.write };
  const options = { home: join(folder.path, "home"), env: {} };
  return areWritable([join(outside, "x")], { policy: open as typeof limits.policy, workspace: [] }, options);
}

attack("asks to write to a folder that is a link out of the workspace", (guarded) =>
  widens({ wanted: { file_system: { write: ["link"] } } }, guarded),
);

attack("asks to write below a link out of the workspace", (guarded) =>
  widens({ wanted: { file_system: { write: ["link/x"] } } }, guarded),
);

attack("puts a link in the place of a folder that it asked to write to, before that is there", (guarded) =>
  widens(
    {
      wanted: { file_system: { write: ["new"] } },
      afterwards: (cwd, outside) => symlinkSync(outside, join(cwd, "new")),
    },
    guarded,
  ),
);

attack("puts a link above a folder that it asked to write to", (guarded) =>
  widens(
    {
      wanted: { file_system: { write: ["new/x"] } },
      afterwards: (cwd, outside) => symlinkSync(outside, join(cwd, "new")),
    },
    guarded,
  ),
);

attack("grants a folder that was not asked for", (guarded) =>
  widens(
    { wanted: { file_system: { write: ["own"] } }, grants: (outside) => ({ fileSystem: { write: [outside] } }) },
    guarded,
  ),
);

attack("grants the folder above the one that was asked for", (guarded) =>
  widens({ wanted: { file_system: { write: ["own"] } }, grants: () => ({ fileSystem: { write: ["/"] } }) }, guarded),
);

attack("grants a folder by a path that leads out of the one that was asked for", (guarded) =>
  widens(
    {
      wanted: { file_system: { write: ["own"] } },
      grants: (outside) => ({ fileSystem: { write: [`${outside}/../work/own/../../outside`] } }),
    },
    guarded,
  ),
);

attack("runs in a folder that a link leads to, while the link is shown", async (guarded) => {
  await using folder = await tempDir("quire-answer-");
  const cwd = join(folder.path, "work");
  const outside = join(folder.path, "outside");
  for (const path of [cwd, outside]) mkdirSync(path);
  symlinkSync(outside, join(cwd, "link"));
  await using thread = new FakeThread(cwd, { settings: { approvalPolicy: "untrusted" } });
  thread.answer = async (_, params) => {
    const shown = guarded ? (params as { readonly cwd: string }).cwd : thread.all("started")[0].cwd;
    return { decision: shown.startsWith(`${cwd}/`) ? "accept" : "decline" };
  };
  await thread.call("exec_command", { cmd: "touch stolen", workdir: "link", login: false }).catch(() => undefined);
  return existsSync(join(outside, "stolen"));
});
