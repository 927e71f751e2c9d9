import type { ProviderConfig } from "../config/effective-config.ts";
import { isTable, valueAt } from "../lib/table.ts";
import { resolveConfig } from "../thread/open-settings.ts";
import type { Thread } from "../thread/thread.ts";

/** Work that may have a model of its own: `[model_roles.NAME]`. */
export type ModelRole = "review" | "compaction" | "guardian" | "agents";

/** A provider and the model that it is asked for. */
export interface Route {
  readonly provider: ProviderConfig;
  /** `null` for that of the request. */
  readonly model: string | null;
}

/** The routes of a request, the first that answers counts: the thread's or the role's provider, then its fallbacks. */
export function routesOf(thread: Thread, role?: ModelRole): readonly [Route, ...Route[]] {
  const first = (role && roleRoute(thread, role)) ?? { provider: thread.config.provider, model: null };
  const { fallback } = first.provider;
  return fallback === undefined ? [first] : [first, ...fallback.map((name) => fallbackRoute(thread, name))];
}

/** The model that the configuration has for a role; `null` if it is the thread's. */
export function roleModel({ config: { raw } }: Thread, role: ModelRole): string | null {
  const { model } = roleRow(raw, role);
  // Codex has one key of its own.
  const set = model ?? (role === "review" ? raw.review_model : undefined);
  return typeof set === "string" && set !== "" ? set : null;
}

/** The provider that the configuration has for a role; `undefined` if it is the thread's. */
export function roleProvider(raw: Readonly<Record<string, unknown>>, role: ModelRole): string | undefined {
  const { provider } = roleRow(raw, role);
  return typeof provider === "string" && provider !== "" ? provider : undefined;
}

/** `PROVIDER/MODEL` of each model on another provider that agents may be started with: `[model_roles.agents] models`. */
export function agentModels(raw: Readonly<Record<string, unknown>>): string[] {
  const { models } = roleRow(raw, "agents");
  return Array.isArray(models) ? models.filter((name) => typeof name === "string" && /^[^/]+\/./.test(name)) : [];
}

/** The parts of `PROVIDER/MODEL`, or of `PROVIDER`. */
export function splitRoute(name: string): { readonly provider: string; readonly model: string | null } {
  const slash = name.indexOf("/");
  if (slash < 0) return { provider: name, model: null };
  return { provider: name.slice(0, slash), model: name.slice(slash + 1) };
}

function roleRoute(thread: Thread, role: ModelRole): Route | undefined {
  const provider = roleProvider(thread.config.raw, role);
  const model = roleModel(thread, role);
  if (provider === undefined || provider === thread.config.provider.id)
    return model === null ? undefined : { provider: thread.config.provider, model };
  return { provider: providerNamed(thread, provider), model };
}

/** `PROVIDER`, or `PROVIDER/MODEL`. */
function fallbackRoute(thread: Thread, name: string): Route {
  const { provider, model } = splitRoute(name);
  return { provider: providerNamed(thread, provider), model };
}

/** A provider of the configuration. Throws an error for the client if there is none of that name. */
function providerNamed(thread: Thread, id: string): ProviderConfig {
  if (id === thread.config.provider.id) return thread.config.provider;
  const overrides = { ...thread.record.meta.quire?.config, model_provider: id };
  return resolveConfig(thread.core, thread.settings.cwd, overrides).provider;
}

function roleRow(raw: Readonly<Record<string, unknown>>, role: ModelRole): Readonly<Record<string, unknown>> {
  const row = valueAt(raw, ["model_roles", role]);
  return isTable(row) ? row : {};
}
