import type { Scenario } from "../lib/scenario.ts";
import { requestEach, startThread, unknownThread } from "../lib/steps.ts";

/** Accounts without the vendor's cloud, and what can be chosen. */
export const account: readonly Scenario[] = [
  {
    name: "account/none",
    covers: "`account/*` and `getAuthStatus` without a login",
    run: async (stage) => {
      const peer = await stage.connect();
      await requestEach(peer, "account/read", [{}, { refreshToken: true }]);
      await requestEach(peer, "getAuthStatus", [{}, { includeToken: true, refreshToken: false }]);
      await peer.request("account/rateLimits/read");
      await peer.request("account/usage/read");
      await peer.request("account/workspaceMessages/read");
      await peer.request("account/rateLimitResetCredit/consume", { idempotencyKey: "k" });
      await peer.request("account/sendAddCreditsNudgeEmail", { creditType: "credits" });
      await peer.request("account/gatewayOAuth/read");
      await peer.request("account/gatewayOAuth/login");
      await peer.request("account/gatewayOAuth/cancel");
      await peer.request("account/login/cancel", { loginId: unknownThread });
      await peer.request("account/logout");
    },
  },
  {
    name: "account/api-key",
    covers: "Logging in with an API key, and out again",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("account/login/start", { type: "apiKey", apiKey: "sk-test" });
      await peer.waitFor("account/updated");
      await peer.request("account/read", {});
      await peer.request("getAuthStatus", { includeToken: true });
      await peer.request("account/rateLimits/read");
      await peer.request("account/logout");
      await peer.waitFor("account/updated");
      await peer.request("getAuthStatus", {});
    },
  },
  {
    name: "account/choices",
    covers:
      "`collaborationMode/list`, `permissionProfile/list`, `configRequirements/read`, MCP servers where there are none",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("collaborationMode/list", {});
      await peer.request("permissionProfile/list", {});
      await peer.request("configRequirements/read");
      await peer.request("config/mcpServer/reload");
      await peer.request("mcpServerStatus/list", {});
      const { id: threadId } = await startThread(peer);
      await peer.request("mcpServer/tool/call", { threadId, server: "none", tool: "x" });
      await peer.request("mcpServer/resource/read", { threadId, server: "none", uri: "x://y" });
      await peer.request("mcpServer/oauth/login", { name: "none" });
      await peer.request("thread/backgroundTerminals/terminate", { threadId, processId: "1" });
      const figures = await peer.probe("server/diagnostics", {});
      const process = Object.keys(figures?.process ?? {}).sort();
      stage.observe("figures", [process, figures?.gauges.some(({ name }) => name === "core.threads.live")]);
    },
  },
];
