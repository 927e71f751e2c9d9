import { type Reply, reply } from "@quire/testkit";
import type { TestClient } from "../support/test-client.ts";

/** The model runs a command. */
export function command(cmd: string, more: object = {}, callId = "call-1"): Reply {
  return reply().functionCall("exec_command", { cmd, ...more }, { callId });
}

/** The model adds a file. */
export function addition(path: string, callId = "call-1"): Reply {
  const patch = `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch`;
  return command(`apply_patch <<'EOF'\n${patch}\nEOF\n`, {}, callId);
}

/** The course of approvals and items as a client saw it, in short. */
export function story({ received }: TestClient): string[] {
  return received.flatMap(({ method, params }) => {
    if (method === "thread/status/changed") {
      const { type, activeFlags = [] } = params.status;
      return [`${type} [${activeFlags}]`];
    }
    if (method === "item/started" || method === "item/completed") {
      const { type, status } = params.item;
      return type === "userMessage" || type === "agentMessage" ? [] : [`${method} ${status}`];
    }
    return /requestApproval|serverRequest|turn\/completed/.test(method) ? [method] : [];
  });
}
