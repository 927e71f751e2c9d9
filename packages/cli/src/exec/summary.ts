import type { SandboxPolicy, ThreadStartResponse } from "@quire/protocol";
import type { Link } from "./link.ts";
import type { ThreadSummary } from "./output.ts";

/** Settings of a thread that are printed before its turn. */
export async function summaryOf(link: Link, opened: ThreadStartResponse, prompt: string): Promise<ThreadSummary> {
  const { config } = await link.connection.request("config/read", { cwd: opened.cwd, includeLayers: false });
  return {
    threadId: opened.thread.id,
    prompt,
    settings: [
      ["workdir", opened.cwd],
      ["model", opened.model],
      ["provider", opened.modelProvider],
      ["approval", typeof opened.approvalPolicy === "string" ? opened.approvalPolicy : "granular"],
      ["sandbox", sandboxText(opened.sandbox, opened.runtimeWorkspaceRoots?.slice(1) ?? [])],
      ["reasoning effort", String(config.model_reasoning_effort ?? "none")],
      ["reasoning summaries", String(config.model_reasoning_summary ?? "none")],
      ["session id", opened.thread.sessionId ?? opened.thread.id],
    ],
  };
}

function sandboxText(policy: SandboxPolicy, moreRoots: readonly string[]): string {
  switch (policy.type) {
    case "dangerFullAccess":
      return "danger-full-access";
    case "readOnly":
      return `read-only${network(policy.networkAccess)}`;
    case "externalSandbox":
      return `external-sandbox${network(policy.networkAccess === "enabled")}`;
    case "workspaceWrite": {
      const roots = [
        "workdir",
        ...(policy.excludeSlashTmp ? [] : ["/tmp"]),
        ...(policy.excludeTmpdirEnvVar || !process.env.TMPDIR ? [] : ["$TMPDIR"]),
        ...(policy.writableRoots ?? []),
        ...moreRoots,
      ];
      return `workspace-write [${roots.join(", ")}]${network(policy.networkAccess)}`;
    }
  }
}

const network = (enabled: boolean | undefined): string => (enabled ? " (network access enabled)" : "");
