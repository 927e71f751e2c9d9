import { type Reply, reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import { command } from "../../lib/steps.ts";

export const aboutCommand = "item/commandExecution/requestApproval";
export const aboutFiles = "item/fileChange/requestApproval";
export const aboutPermissions = "item/permissions/requestApproval";

/** Everything is asked about, and nothing is confined: what a sandbox makes of a command is no matter here. */
export const untrusted = { approvalPolicy: "untrusted", sandbox: "danger-full-access" };
export const escalated = { sandbox_permissions: "require_escalated", justification: "May I?" };
/** The real sandbox puts a `.git` into folders that it opens; that of temporary files is everybody's. */
export const withoutTemporary = {
  "sandbox_workspace_write.exclude_slash_tmp": true,
  "sandbox_workspace_write.exclude_tmpdir_env_var": true,
};
export const inWorkspace = { sandbox: "workspace-write", config: withoutTemporary };
export const granular = (more: object) => ({
  approvalPolicy: {
    granular: {
      sandbox_approval: true,
      rules: true,
      skill_approval: true,
      mcp_elicitations: true,
      request_permissions: true,
      ...more,
    },
  },
  sandbox: "danger-full-access",
});

export function patch(path: string, callId = "call-1"): Reply {
  const text = `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch`;
  return command(`apply_patch <<'EOF'\n${text}\nEOF\n`, {}, { callId });
}

/** A model that runs these commands, one after the other. */
export function runs(...lines: readonly (string | readonly [string, object])[]): Reply[] {
  const calls = lines.map((line, index) => {
    const [cmd, more] = typeof line === "string" ? [line, {}] : line;
    return command(cmd, more, { callId: `call-${index + 1}` });
  });
  return [...calls, reply().text("done")];
}

export function decides(peer: Peer, method: string, ...decisions: readonly unknown[]): void {
  const left = [...decisions];
  peer.answer(method, () => {
    const decision = left.length > 1 ? left.shift() : left[0];
    if (decision === undefined) throw new Error("the client says no");
    return { decision };
  });
}

export const endsInterrupted = {
  at: /^event adds: item\/completed|^order of serverRequest\/resolved/,
  reason: "An item whose question was withdrawn or cancelled is completed; Codex leaves it open.",
};

export const amendmentWords = {
  at: /^model input (lacks|adds): developer /,
  reason: "The model is told of a new rule in Quire's own words.",
};
