import { isTable } from "../../lib/table.ts";
import { openaiUrl } from "../../model/provider-for.ts";
import { providerHeaders } from "../../model/request-headers.ts";
import type { Thread } from "../../thread/thread.ts";
import { providerConfigOf, providerServicesOf } from "../../turn/provider-of.ts";
import type { Dialect, SessionSetup } from "./dialect.ts";
import { offerCall } from "./offer-call.ts";

/** A reached session. */
export interface Reached {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sdp: string | null;
}

/** The kind of session to open. */
export interface Opening {
  readonly dialect: Dialect;
  readonly model: string;
  readonly setup: SessionSetup;
}

/** A session over a WebSocket alone, including audio. */
export async function reachSocket(thread: Thread, { dialect, model }: Opening): Promise<Reached> {
  const headers = { ...(await keyHeaders(thread)), ...commonHeaders(thread, dialect) };
  return { url: socketUrl(socketBase(thread) ?? openaiUrl, dialect.socket(model)), headers, sdp: null };
}

/** A new call, whose audio goes between client and endpoint. The thread joins it over a WebSocket. */
export async function reachNewCall(
  thread: Thread,
  opening: Opening,
  { offer, signal }: { readonly offer: string; readonly signal: AbortSignal },
): Promise<Reached> {
  const { dialect, model, setup } = opening;
  const headers = { ...(await callHeaders(thread)), ...commonHeaders(thread, dialect) };
  const url = `${callBase(thread).replace(/\/+$/, "")}/${dialect.calls}`;
  const { callId, sdp } = await offerCall({ url, headers, offer, session: dialect.callSession(setup, model), signal });
  return { ...joining(thread, dialect, callId), headers, sdp };
}

/** A call that is under way, and that the thread joins. */
export async function reachCall(thread: Thread, dialect: Dialect, callId: string): Promise<Reached> {
  const headers = { ...(await callHeaders(thread)), ...commonHeaders(thread, dialect) };
  return { ...joining(thread, dialect, callId), headers, sdp: null };
}

/** The kind of session that the configuration asks for. */
export function configuredVersion({ config: { raw } }: Thread): string | null {
  return isTable(raw.realtime) && typeof raw.realtime.version === "string" ? raw.realtime.version : null;
}

/** A text of the configuration. */
export function configuredText({ config: { raw } }: Thread, key: string): string | null {
  return typeof raw[key] === "string" ? raw[key] : null;
}

function joining(thread: Thread, dialect: Dialect, callId: string): { readonly url: string } {
  return { url: socketUrl(socketBase(thread) ?? callBase(thread), dialect.join(callId)) };
}

const socketBase = (thread: Thread): string | null => configuredText(thread, "experimental_realtime_ws_base_url");

function callBase(thread: Thread): string {
  const configured = configuredText(thread, "experimental_realtime_webrtc_call_base_url");
  return configured ?? providerConfigOf(thread).baseUrl ?? openaiUrl;
}

function commonHeaders({ id, record }: Thread, { headers }: Dialect): Record<string, string> {
  return { ...headers, originator: record.meta.originator, "x-session-id": id, "session-id": id, "thread-id": id };
}

/** A call uses the login of the model's requests. */
function callHeaders(thread: Thread): Promise<Record<string, string>> {
  const provider = providerConfigOf(thread);
  // The offline model has no name.
  return provider.baseUrl === null ? keyHeaders(thread) : providerHeaders(provider, providerServicesOf(thread));
}

async function keyHeaders({ core }: Thread): Promise<Record<string, string>> {
  const { account, server } = core;
  const key = account.login?.mode === "apikey" ? await account.token() : server.env.OPENAI_API_KEY;
  if (!key) throw new Error("realtime conversation requires API key auth");
  return { authorization: `Bearer ${key}` };
}

function socketUrl(base: string, path: string): string {
  const url = new URL(base.replace(/^http/, "ws"));
  const root = url.pathname.replace(/\/+$/, "").replace(/\/realtime$/, "");
  return new URL(`${root === "" ? "/v1" : root}/${path}`, url).href;
}
