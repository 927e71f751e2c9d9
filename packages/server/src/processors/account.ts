import type { GetAccountRateLimitsResponse, Account as WireAccount } from "@quire/protocol";
import { chatgptUrl, limitsOf } from "../account/chatgpt-api.ts";
import { fields, planType, readClaims } from "../account/claims.ts";
import { discoverAws } from "../account/discover-aws.ts";
import { gatewaysOf } from "../account/gateway/gateways.ts";
import { Logins } from "../account/logins.ts";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { service } from "../context/services.ts";
import { coreOf } from "../features/open-core.ts";
import { afterReply } from "../lib/after-reply.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError, invalidRequest } from "../lib/rpc-errors.ts";
import { namedProvider } from "./model-providers.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Login, logout, and ChatGPT's facts about the account. */
export const handlers: Handlers = {
  "account/read": async ({ refreshToken }, { server }) => {
    const { account, backend } = loginsOf(server);
    const config = configOf(server);
    // A failure shows in the reply: a login that cannot be renewed is none.
    if (refreshToken)
      await account.renew("forced").catch((error: unknown) => server.log.warn("the login could not be renewed", error));
    const requiresOpenaiAuth = config.provider.requiresOpenaiAuth;
    const { login } = account;
    if (config.provider.aws) {
      const aws = { type: "amazonBedrock" as const, usesCodexManagedCredentials: false };
      return { account: aws, requiresOpenaiAuth, workspaceRouting: null };
    }
    if (!requiresOpenaiAuth || login === null || account.isSpent)
      return { account: null, requiresOpenaiAuth, workspaceRouting: null };
    if (login.mode === "apikey") return { account: { type: "apiKey" }, requiresOpenaiAuth, workspaceRouting: null };
    const workspace = await backend.workspace(chatgptUrl(config.raw));
    const claims = readClaims(login.mode === "chatgpt" ? login.tokens.idToken : login.token);
    const shown: WireAccount = {
      type: "chatgpt",
      email: claims?.email ?? null,
      planType: planType(account.plan),
      workspaceName: workspace?.name ?? null,
    };
    const userId = claims?.userId ?? null;
    return { account: shown, userId, requiresOpenaiAuth, workspaceRouting: workspace?.routing ?? null };
  },

  "account/login/start": (params, scope) => loginsOf(scope.server).start(params, scope, configOf(scope.server)),

  "account/login/cancel": ({ loginId }, { server }) => {
    if (!uuid.test(loginId)) throw invalidRequest(`invalid login id: ${loginId}`);
    return { status: loginsOf(server).cancel(loginId) ? "canceled" : "notFound" };
  },

  "account/bedrock/discover": (_, { server }) => discoverAws(server.env),
  "account/bedrock/setup": async (params, { server }) => {
    const { setUpBedrock } = await import("../account/bedrock-setup.ts");
    await setUpBedrock(server, params);
    return {};
  },
  "account/gcp/setup": () => {
    const message = "The Google Cloud auth command could not obtain an access token.";
    throw invalidRequest(message, { reason: "authCommandFailed" });
  },

  "account/logout": async (_, { server }) => {
    const logins = loginsOf(server);
    logins.cancelPending("Login was not completed");
    try {
      await logins.account.logout();
    } catch (error) {
      throw internalError(`logout failed: ${errorMessage(error)}`);
    }
    afterReply(() => logins.notifyUpdated());
    return {};
  },

  "account/rateLimits/read": async (_, { server }): Promise<GetAccountRateLimitsResponse> => {
    const answer = await ask(server, {
      path: "/usage",
      purpose: "to read rate limits",
      failure: "failed to fetch codex rate limits",
    });
    const limits = limitsOf(answer);
    const [main] = limits;
    if (main === undefined) throw internalError("failed to fetch codex rate limits: the answer holds none");
    return {
      ordinaryUsageAllowed: null,
      rateLimits: main,
      rateLimitsByLimitId: Object.fromEntries(limits.map((limit) => [limit.limitId ?? "codex", limit])),
      rateLimitResetCredits: null,
      accountId: null,
      rateLimitUpsell: null,
    };
  },

  "account/usage/read": async (_, { server }) => {
    const answer = await ask(server, {
      path: "/profiles/me",
      purpose: "to read token usage",
      failure: "failed to fetch token usage profile",
    });
    const stats = fields(fields(answer).stats ?? answer);
    const buckets = Array.isArray(stats.daily_usage_buckets) ? stats.daily_usage_buckets.map(fields) : null;
    return {
      summary: {
        lifetimeTokens: count(stats.lifetime_tokens),
        peakDailyTokens: count(stats.peak_daily_tokens),
        longestRunningTurnSec: count(stats.longest_running_turn_sec),
        currentStreakDays: count(stats.current_streak_days),
        longestStreakDays: count(stats.longest_streak_days),
      },
      dailyUsageBuckets:
        buckets?.map((bucket) => ({ startDate: String(bucket.start_date ?? ""), tokens: count(bucket.tokens) ?? 0 })) ??
        null,
      threadUsage: null,
    };
  },

  "account/workspaceMessages/read": async (_, { server }) => {
    const request = {
      path: "/workspace-messages",
      purpose: "to read workspace messages",
      failure: "failed to fetch workspace messages",
    };
    const { feature_enabled: enabled, messages } = fields(await ask(server, request));
    const rows = Array.isArray(messages) ? messages.map(fields) : [];
    return {
      featureEnabled: enabled !== false,
      messages: rows.map((row) => ({
        messageId: String(row.message_id ?? row.id ?? ""),
        messageBody: String(row.message_body ?? row.body ?? ""),
        messageType: (row.message_type ?? "unknown") as never,
        createdAt: count(row.created_at),
        archivedAt: count(row.archived_at),
      })),
    };
  },

  "account/sendAddCreditsNudgeEmail": async ({ creditType }, { server }) => {
    const path = "/accounts/send_add_credits_nudge_email";
    const request = {
      path,
      purpose: "to notify workspace owner",
      failure: "failed to notify workspace owner",
      body: { credit_type: creditType },
    };
    const { status } = fields(await ask(server, request));
    return { status: status === "cooldown_active" ? "cooldown_active" : "sent" };
  },

  "account/rateLimitResetCredit/consume": async ({ idempotencyKey }, { server }) => {
    const path = "/rate-limit-reset-credits/consume";
    const body = { redeem_request_id: idempotencyKey };
    const request = {
      path,
      purpose: "for rate limit reset credits",
      failure: "failed to consume rate limit reset credit",
      body,
    };
    const outcomes = new Map<string, "reset" | "nothingToReset" | "noCredit" | "alreadyRedeemed">(
      Object.entries({
        reset: "reset",
        nothing_to_reset: "nothingToReset",
        no_credit: "noCredit",
        already_redeemed: "alreadyRedeemed",
      } as const),
    );
    const { code, outcome } = fields(await ask(server, request));
    return { outcome: outcomes.get(String(outcome ?? code)) ?? "nothingToReset" };
  },

  "account/gatewayOAuth/read": (params, { server }) =>
    gatewaysOf(server).read(namedProvider(server, params?.modelProvider)),
  "account/gatewayOAuth/login": async (params, { server, connection }) => {
    const provider = namedProvider(server, params?.modelProvider);
    if (params?.deviceAuth && provider.gatewayOauth)
      throw invalidRequest("This gateway offers no sign-in with a code. Sign in with a browser.");
    await gatewaysOf(server).login(provider, connection);
    return { prompt: null };
  },
  "account/gatewayOAuth/cancel": (_, { server, connection }) => {
    gatewaysOf(server).cancel(connection);
    return {};
  },

  // The vendor asks users of its service to protect their accounts; other providers have their own ways.
  "account/securitySetup/read": () => ({ notice: null }),

  "account/bedrock/checkGovCloudRequirements": () => ({ isGovCloud: false, shouldWarn: false }),

  getAuthStatus: async ({ includeToken, refreshToken }, { server }) => {
    const { account } = loginsOf(server);
    const requiresOpenaiAuth = configOf(server).provider.requiresOpenaiAuth;
    if (!requiresOpenaiAuth) return { authMethod: null, authToken: null, requiresOpenaiAuth };
    if (refreshToken)
      await account.renew("forced").catch((error: unknown) => server.log.warn("the login could not be renewed", error));
    if (account.isSpent) return { authMethod: null, authToken: null, requiresOpenaiAuth };
    return { authMethod: account.mode, authToken: includeToken ? await account.token() : null, requiresOpenaiAuth };
  },
};

const logins = service((server: ServerContext) => {
  const made = new Logins(server, coreOf(server).account);
  server.onClose(() => made.cancelPending("the server is closing"));
  return made;
});

const loginsOf = (server: ServerContext): Logins => server.services.get(logins);

/** Editing the configuration must not log a user out. */
function configOf(server: ServerContext): EffectiveConfig {
  return coreOf(server).config.lasting({ cwd: process.cwd() });
}

interface Question {
  readonly path: string;
  /** The purpose of the login, and the error when ChatGPT does not answer. */
  readonly purpose: string;
  readonly failure: string;
  readonly body?: object;
}

/** Asks ChatGPT, which needs a ChatGPT login. */
async function ask(server: ServerContext, { path, purpose, failure, body }: Question): Promise<unknown> {
  const { account, backend } = loginsOf(server);
  const { mode } = account;
  if (mode === null) throw invalidRequest(`codex account authentication required ${purpose}`);
  if (mode === "apikey") throw invalidRequest(`chatgpt authentication required ${purpose}`);
  try {
    return await backend.request(chatgptUrl(configOf(server).raw), path, body);
  } catch (error) {
    throw internalError(`${failure}: ${errorMessage(error)}`);
  }
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
