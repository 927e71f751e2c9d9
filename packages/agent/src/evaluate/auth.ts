import type { CodexClient, QuestionHandlers } from "@quire/client";
import { compareVersions } from "@quire/protocol";
import { AgentConfigError } from "./config-error.ts";

/** Log in with a key. */
export interface ApiKeyAuth {
  readonly apiKey: string;
}

/** ChatGPT tokens that this program manages. Codex before 0.99 wants the id token, later ones the account's id. */
export interface ExternalTokens {
  readonly accessToken: string;
  readonly idToken?: string | undefined;
  /** Default: what the tokens themselves say. */
  readonly chatgptAccountId?: string | undefined;
  readonly chatgptPlanType?: string | undefined;
}

/** Log in with tokens, and give newer ones when the server asks for them. */
export interface ExternalTokenAuth extends ExternalTokens {
  /** Gets new tokens. Without it the server gets an error. */
  readonly refresh?:
    | ((request: { readonly signal: AbortSignal }) => ExternalTokens | Promise<ExternalTokens>)
    | undefined;
}

/** An agent's login. */
export type Auth = ApiKeyAuth | ExternalTokenAuth;

/** The first version that wants the account's id instead of the id token. */
const accountIdSince = "0.99.0";

/** Throws where there is neither key nor token. */
export function checkAuth(auth: Auth): void {
  const secret = "apiKey" in auth ? auth.apiKey : auth.accessToken;
  if (typeof secret !== "string" || secret === "")
    throw new AgentConfigError("auth needs an apiKey, or an accessToken of ChatGPT");
}

/** All that must not be shown. */
export function secretsOf(auth: Auth | ExternalTokens | undefined): string[] {
  if (auth === undefined) return [];
  if ("apiKey" in auth) return [auth.apiKey];
  return [auth.accessToken, auth.idToken ?? ""].filter((secret) => secret !== "");
}

/** Logs in. Both ways are answered at once. */
export async function logIn(client: CodexClient, auth: Auth, signal: AbortSignal): Promise<void> {
  const params =
    "apiKey" in auth
      ? { type: "apiKey", apiKey: auth.apiKey }
      : { type: "chatgptAuthTokens", ...wireTokens(auth, client.serverVersion) };
  await client.requestUntyped("account/login/start", params, { signal });
}

/** Answers the server when its tokens have expired. `learn` gets the new ones, so that they can be redacted too. */
export function refreshHandler(
  auth: Auth | undefined,
  serverVersion: () => string | undefined,
  learn: (secrets: readonly string[]) => void,
): QuestionHandlers["onAuthRefresh"] {
  if (auth === undefined || "apiKey" in auth || auth.refresh === undefined) return undefined;
  const { refresh } = auth;
  return async ({ signal }) => {
    const tokens = await refresh({ signal });
    learn(secretsOf(tokens));
    // Older servers take another shape than the one of the types.
    return wireTokens(tokens, serverVersion()) as unknown as { accessToken: string; chatgptAccountId: string };
  };
}

/** The tokens as the server at hand takes them. */
function wireTokens(tokens: ExternalTokens, serverVersion: string | undefined): Record<string, string> {
  const { accessToken, idToken, chatgptPlanType } = tokens;
  const isOld = serverVersion !== undefined && compareVersions(serverVersion, accountIdSince) < 0;
  if (isOld) {
    if (idToken === undefined) throw new AgentConfigError("Codex before 0.99 needs the idToken as well");
    return { accessToken, idToken };
  }
  const chatgptAccountId = tokens.chatgptAccountId ?? accountOf(idToken) ?? accountOf(accessToken);
  if (chatgptAccountId === undefined)
    throw new AgentConfigError("auth needs the chatgptAccountId: the tokens do not name an account");
  return { accessToken, chatgptAccountId, ...(chatgptPlanType !== undefined && { chatgptPlanType }) };
}

/** The account that a token (a JWT) names. */
function accountOf(token: string | undefined): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString("utf8"));
    const { chatgpt_account_id: id } =
      (claims as Record<string, Record<string, unknown>>)["https://api.openai.com/auth"] ?? {};
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}
