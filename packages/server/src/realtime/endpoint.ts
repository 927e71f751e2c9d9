import type { EffectiveConfig } from "../config/effective-config.ts";
import { isTable } from "../config/table.ts";
import type { Thread } from "../thread/thread.ts";
import type { RealtimeEndpoint } from "./realtime-session.ts";

const defaultUrl = "wss://api.openai.com/v1/realtime";
const defaultModel = "gpt-realtime";

/** The endpoint of a thread's voice; `undefined` where there is no key for one. */
export async function endpointOf(
  { core, config, record, id }: Thread,
  asked: { readonly model: string | null },
): Promise<RealtimeEndpoint | undefined> {
  const { login } = core.account;
  const key = login?.mode === "apikey" ? await core.account.token() : core.server.env.OPENAI_API_KEY;
  if (!key) return undefined;
  const model = asked.model ?? text(config, "experimental_realtime_ws_model") ?? defaultModel;
  const url = new URL(address(text(config, "experimental_realtime_ws_base_url")));
  url.searchParams.set("model", model);
  return {
    url: url.href,
    headers: { authorization: `Bearer ${key}`, originator: record.meta.originator, "x-session-id": id },
  };
}

/** Which kind of session a configuration asks for. */
export function configuredVersion({ raw }: EffectiveConfig): string | null {
  return isTable(raw.realtime) && typeof raw.realtime.version === "string" ? raw.realtime.version : null;
}

/** A text of the configuration. */
export function text({ raw }: EffectiveConfig, key: string): string | null {
  return typeof raw[key] === "string" ? raw[key] : null;
}

function address(base: string | null): string {
  if (base === null) return defaultUrl;
  const url = new URL(base.replace(/^http/, "ws"));
  const path = url.pathname.replace(/\/+$/, "");
  if (!path.endsWith("/realtime")) url.pathname = path === "" ? "/v1/realtime" : `${path}/realtime`;
  return url.href;
}
