import type { AskForApproval, SandboxPolicy } from "@quire/protocol";
import type { TurnSettings } from "../record/turn-settings.ts";
import { tagged } from "./message.ts";

/** The actions that the model may do by itself, and those that need the user's approval. */
export function permissionsPrompt({ sandboxPolicy, approvalPolicy, cwd }: TurnSettings): string {
  const words = [
    sandboxText(sandboxPolicy, cwd),
    networkText(sandboxPolicy),
    approvalText(approvalPolicy, sandboxPolicy),
  ];
  return tagged("permissions instructions", words.join("\n"));
}

function sandboxText(policy: SandboxPolicy, cwd: string): string {
  switch (policy.type) {
    case "dangerFullAccess":
      return "`sandbox_mode` is `danger-full-access`: commands run without a sandbox and can read and write everything the user can.";
    case "readOnly":
      return "`sandbox_mode` is `read-only`: commands can read files and write none.";
    case "workspaceWrite": {
      const roots = [cwd, ...(policy.writableRoots ?? [])].map((root) => `\`${root}\``).join(", ");
      return `\`sandbox_mode\` is \`workspace-write\`: commands can read files, and write in ${roots} and the folders for temporary files, but not in \`.git\` there.`;
    }
    case "externalSandbox":
      return "Commands run in a sandbox that somebody else has set up: a failure may be its doing.";
  }
}

function networkText(policy: SandboxPolicy): string {
  const open =
    policy.type === "dangerFullAccess" || policy.networkAccess === true || policy.networkAccess === "enabled";
  return open ? "Commands can use the network." : "Commands cannot use the network.";
}

const escalation =
  "When a command needs more than the sandbox allows, or failed for that reason, call `exec_command` again with `sandbox_permissions` set to `require_escalated` and a `justification`: one short question to the user that says what it is for. Ask only for what the task needs, and never look for a way around a refusal.";

function approvalText(policy: AskForApproval | "on-failure", sandbox: SandboxPolicy): string {
  if (typeof policy === "object") {
    return policy.granular.sandbox_approval
      ? `\`approval_policy\` is granular: the user is asked about some actions. ${escalation}`
      : "`approval_policy` is granular: leaving the sandbox is not among what the user can be asked for, so do not set `sandbox_permissions`.";
  }
  switch (policy) {
    case "never":
      return "`approval_policy` is `never`: nobody can be asked. Do not set `sandbox_permissions`; such a call is rejected. Work within what is allowed, and check your work thoroughly before you finish.";
    case "untrusted":
      return "`approval_policy` is `untrusted`: the user is asked before each command that is not known to be harmless. Prefer few and simple commands.";
    case "on-failure":
      return "`approval_policy` is `on-failure`: when a command fails in the sandbox, the user is asked whether it may run outside of it.";
    case "on-request":
      return sandbox.type === "dangerFullAccess"
        ? "`approval_policy` is `on-request`: there is no sandbox to leave, so there is no need to ask."
        : `\`approval_policy\` is \`on-request\`. ${escalation}`;
  }
}
