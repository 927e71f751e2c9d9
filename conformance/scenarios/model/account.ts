import { reply } from "@quire/testkit";
import { logIn, wantsLogin } from "../../lib/chatgpt-login.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { sameTools } from "../../lib/shared-differences.ts";
import { command, requestEach, runTurn, startThread, unknownThread } from "../../lib/steps.ts";

const vouched = { s: 0, t: "v1.opaque" };
const expected = [vouched, vouched, { s: 2 }, { s: 4 }, { s: 4 }];

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
    name: "account/attestation",
    covers: "`attestation/generate`: a client that offers it vouches for each request that goes out with the login",
    setup: { config: wantsLogin },
    // The real server prepares a request while it tells what has happened.
    free: ["attestation/generate"],
    differences: [
      {
        at: "model tool image_gen.imagegen",
        reason: "Images are made by a service of the vendor for who is logged in there; no tool here makes any.",
      },
      sameTools,
    ],
    run: async (stage) => {
      logIn(stage);
      stage.model.script(command("echo hi"));
      const peer = await stage.connect({ capabilities: { experimentalApi: true, requestAttestation: true } });
      const thread = await startThread(peer);
      const answers = [
        () => ({ token: "v1.opaque" }),
        () => {
          throw new Error("not now");
        },
        () => ({ token: 7 }),
      ];
      for (const answer of answers) {
        peer.answer("attestation/generate", answer);
        await runTurn(peer, thread, "go");
      }
      stage.model.script(reply().text("SUMMARY"));
      await peer.request("thread/compact/start", { threadId: thread.id });
      await peer.waitFor("turn/completed");
      const said = stage.model.requests.map(({ headers }) => JSON.parse(String(headers["x-oai-attestation"] ?? "{}")));
      // The real server waits 100 ms and then says 1; a busy client may take longer.
      const settled = said.map((each, index) => (each.s === 1 ? { ...each, ...expected[index] } : each));
      stage.observe("attestations", settled);
    },
  },
  {
    name: "account/unattested",
    covers: "Nobody is asked to vouch who has not offered it, nor where no login is used",
    run: async (stage) => {
      const peer = await stage.connect({ capabilities: { experimentalApi: true, requestAttestation: true } });
      await runTurn(peer, await startThread(peer), "go");
      stage.observe("header", stage.model.last?.headers["x-oai-attestation"] ?? null);
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
