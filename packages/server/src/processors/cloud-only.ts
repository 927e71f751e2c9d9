import { rmSync } from "node:fs";
import { join } from "node:path";
import { ErrorCode, RpcError } from "@quire/jsonrpc";
import type { Handlers } from "../context/processor.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";

/** A shorter challenge could be guessed. */
const minChallengeBytes = 16;

const unavailable = "User verification is not available in this build or account.";

/** Methods that need OpenAI's cloud or builds: answered as Codex does without either. */
export const handlers: Handlers = {
  "userVerification/status": () => ({
    credentialId: null,
    unavailableReason: "providerUnavailable",
    unavailableMessage: unavailable,
  }),
  "userVerification/enroll": notVerified,
  "userVerification/verify": ({ challenge, title, description }) => {
    const bytes = /^[A-Za-z0-9_-]+$/.test(challenge) ? Buffer.from(challenge, "base64url").length : 0;
    if (bytes >= minChallengeBytes && title.trim() !== "" && description.trim() !== "") return notVerified();
    throw new RpcError({
      code: ErrorCode.invalidParams,
      message: "Invalid verification challenge or display text.",
      data: { type: "invalidRequest", reason: "invalidParams" },
    });
  },
  "userVerification/delete": notVerified,
  "userVerification/cancel": () => ({}),

  "accountSession/list": () => ({ activeSessionId: null, sessions: [] }),
  "accountSession/switch": () => {
    throw invalidRequest("Workspace switching requires a managed ChatGPT login");
  },

  // Memories are made by Codex alone; what it has left in a home that both use is removed on request.
  "memory/status": ({ minConsolidatedThreads }) => ({
    v2ConsolidatedThreads: 0,
    v2Ready: (minConsolidatedThreads ?? 0) >= 0,
  }),
  "memory/reset": (_, { server }) => {
    rmSync(join(server.home, "memories"), { recursive: true, force: true });
    return {};
  },

  "mock/experimentalMethod": ({ value }) => ({ echoed: value ?? null }),
};

function notVerified(): never {
  throw new RpcError({
    code: ErrorCode.internalError,
    message: unavailable,
    data: { type: "unavailable", reason: "providerUnavailable" },
  });
}
