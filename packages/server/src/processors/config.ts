import type { RpcError } from "@quire/jsonrpc";
import type { ConfigEdit, ConfigWriteResponse } from "@quire/protocol";
import { ConfigError } from "../config/config-error.ts";
import { splitPath } from "../config/overrides.ts";
import { type Requirements, wireRequirements } from "../config/requirements.ts";
import { followWrite } from "../config/trust/follow-write.ts";
import { programWords } from "../config/trust/program-words.ts";
import { ConfigConflict, userConfig, writeConfig } from "../config/write-config.ts";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { isTable, ownValue, valueAt } from "../lib/table.ts";
import { hooksOf } from "./hooks.ts";

/** Reading the configuration, and writing the user's file. */
export const handlers: Handlers = {
  "config/read": ({ cwd, includeLayers }, { server }) => {
    const { config, layers, origins } = withRpcErrors(() => coreOf(server).config.read({ cwd: cwd ?? process.cwd() }));
    return { config, origins: { ...origins }, layers: includeLayers ? [...layers] : null };
  },

  "config/value/write": ({ keyPath, value, mergeStrategy, filePath, expectedVersion }, { server }) =>
    write(server, { edits: [{ keyPath, value, mergeStrategy }], filePath, expectedVersion }),

  "config/batchWrite": (params, { server }) => write(server, params),

  "config/mcpServer/reload": async (_, { server }) => {
    const { reloadServers } = await import("./mcp.ts");
    reloadServers(server);
    return {};
  },

  "configRequirements/read": (_, { server }) => {
    const required = coreOf(server).config.requirements();
    return { supportsIndependentSpeedModes: true, requirements: required ? wireRequirements(required) : null };
  },
};

interface WriteRequest {
  readonly edits: readonly ConfigEdit[];
  readonly filePath?: string | null | undefined;
  readonly expectedVersion?: string | null | undefined;
}

/** Writes the user's file, and lets what was written take effect. */
export function write(server: ServerContext, { edits, filePath, expectedVersion }: WriteRequest): ConfigWriteResponse {
  const { config } = coreOf(server);
  const own = `${config.home}/config.toml`;
  if (filePath && filePath !== own) throw refused("Only writes to the user config are allowed", "configLayerReadonly");
  const changes = edits.map(({ keyPath, value, mergeStrategy }) => ({
    keyPath: keyPath === "" ? [] : splitPath(keyPath),
    value,
    merge: mergeStrategy === "upsert",
  }));
  const { written, before } = withRpcErrors(() => {
    const { values: before } = userConfig(config.home);
    const written = writeConfig(config.home, {
      edits: changes,
      expectedVersion,
      check: (values) => {
        checkFeatures(config.requirements(), values);
        config.resolve({ cwd: config.home, overrides: quotedKeys(values) });
      },
    });
    return { written, before };
  });
  followWrite(config, { edits: changes, before, after: written.values, folders: workedIn(server) });
  trustHookScripts(server, changes);
  const overridden = overriding(server, edits);
  return {
    status: overridden ? "okOverridden" : "ok",
    version: written.version,
    filePath: written.path,
    overriddenMetadata: overridden ?? null,
  };
}

/** The folders of loaded threads, and the server's own. */
function workedIn(server: ServerContext): string[] {
  const { threads } = coreOf(server);
  return [process.cwd(), ...threads.ids.flatMap((id) => threads.get(id)?.settings.cwd ?? [])];
}

/** Trusting a hook covers the scripts that it names. */
function trustHookScripts(server: ServerContext, changes: readonly { readonly keyPath: readonly string[] }[]): void {
  const { config } = coreOf(server);
  const edits = changes.filter(({ keyPath: [table, state] }) => table === "hooks" && (state ?? "state") === "state");
  if (edits.length === 0) return;
  const keys = new Set(edits.flatMap((edit) => writtenHooks(edit)));
  // The key of a project's hook begins with its file.
  const own = [...keys].flatMap((key) => /^(\/.+)\/\.codex\/(?:hooks\.json|config\.toml):/.exec(key)?.[1] ?? []);
  for (const cwd of new Set([...own, ...workedIn(server)])) {
    const trusted = hooksOf(server, cwd).filter(({ key, trustStatus }) => keys.has(key) && trustStatus === "trusted");
    for (const { command, env } of trusted) config.trust.trustScripts(programWords({ command, env }), [cwd]);
  }
}

function writtenHooks({ keyPath, value }: { readonly keyPath: readonly string[]; readonly value?: unknown }): string[] {
  const [, , key] = keyPath;
  if (key !== undefined) return [key];
  const states = keyPath.length === 1 && isTable(value) ? value.state : value;
  return isTable(states) ? Object.keys(states) : [];
}

function checkFeatures(required: Requirements | undefined, { features }: Readonly<Record<string, unknown>>): void {
  const pinned = Object.entries(required?.features ?? {});
  const wrong = isTable(features) ? pinned.find(([name, value]) => ownValue(features, name) === !value) : undefined;
  if (!wrong) return;
  const allowed = pinned.map(([name, value]) => `${name}=${value}`).join(", ");
  throw new ConfigError(
    `invalid value for \`features\`: \`features.${wrong[0]}=${!wrong[1]}\` is not in the allowed set [${allowed}] (set by ${required?.path})`,
  );
}

/** Keys of overrides are dotted paths; those of a file are names. */
function quotedKeys(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [JSON.stringify(key), value]));
}

/** The first edit without effect, because a stronger layer sets the same key. */
function overriding(server: ServerContext, edits: readonly ConfigEdit[]): ConfigWriteResponse["overriddenMetadata"] {
  const { config, origins } = coreOf(server).config.read({ cwd: process.cwd() });
  for (const { keyPath } of edits) {
    const path = splitPath(keyPath);
    const origin = ownValue(origins, path.join("."));
    if (origin === undefined || origin.name.type === "user") continue;
    const effectiveValue = valueAt(config, path);
    return { message: `Overridden by ${origin.name.type}: ${keyPath}`, overridingLayer: origin, effectiveValue };
  }
  return undefined;
}

/** Reports problems of a config, or of a write to it, to the client. */
function withRpcErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigConflict) throw refused(error.message, "configVersionConflict");
    if (!(error instanceof ConfigError)) throw error;
    throw refused(`Invalid configuration: ${error.message}`, "configValidationError");
  }
}

/** An error as writes of the configuration give it. */
export const refused = (message: string, code: string): RpcError =>
  invalidRequest(message, { config_write_error_code: code });
