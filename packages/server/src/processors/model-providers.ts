import type { ProviderSettingsPatch } from "@quire/protocol";
import { ConfigError } from "../config/config-error.ts";
import type { ProviderConfig } from "../config/effective-config.ts";
import {
  isBuiltIn,
  listProviders,
  type ProviderTables,
  shownUrl,
  summarizeProvider,
} from "../config/provider/provider-list.ts";
import { userConfig } from "../config/write-config.ts";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { errorMessage } from "../lib/error-message.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { isTable, ownValue, type Table } from "../lib/table.ts";
import { refused, write } from "./config.ts";

/** Providers of models: which there are, and their settings in the user's file. */
export const handlers: Handlers = {
  "modelProvider/list": async (params, { server }) => {
    const { modelProvider } = coreOf(server).config.lasting({ cwd: process.cwd() });
    const chosen = userConfig(server.home).values.model_provider;
    return {
      data: listProviders(tablesOf(server), modelProvider),
      defaultProviderId: modelProvider,
      // What the command line or an administrator sets, the file cannot change.
      canChangeDefault: chosen === undefined || chosen === modelProvider,
      ...(await extensions(params, server)),
    };
  },

  "modelProvider/config/write": ({ settings }, { server }) => {
    const { id, changes } =
      settings.type === "customGateway" ? gatewayChanges(settings, server) : cloudChanges(settings);
    const at = `model_providers."${id}"`;
    const edits = Object.entries(changes).map(([key, value]) => ({
      keyPath: `${at}.${key}`,
      value,
      mergeStrategy: "replace" as const,
    }));
    write(server, { edits });
    return { provider: summarizeProvider(id, tablesOf(server)) };
  },

  // Any provider may be behind an endpoint: the search is offered to all, and no tool makes images.
  "modelProvider/capabilities/read": () => ({ imageGeneration: false, webSearch: true }),
};

/** Fields that Codex does not have, for clients that ask: servers of local models, and a provider's own list of models. */
async function extensions(params: Table, server: ServerContext): Promise<object> {
  const { localServers, modelsOf } = params;
  const found = localServers === true ? await localModels() : {};
  if (typeof modelsOf !== "string") return found;
  const { askModels } = await import("./provider-models.ts");
  const models = await askModels(server, namedProvider(server, modelsOf)).catch((error: unknown) => {
    throw invalidRequest(errorMessage(error));
  });
  return { ...found, models };
}

async function localModels(): Promise<object> {
  const { findLocalServers } = await import("../model/listing/local-servers.ts");
  return { localServers: await findLocalServers() };
}

/** The settings of the provider that a client names, or of the one in use. Refuses one that is not there. */
export function namedProvider(server: ServerContext, id: string | null | undefined): ProviderConfig {
  const { config } = coreOf(server);
  const cwd = process.cwd();
  if (id === null || id === undefined) return config.lasting({ cwd }).provider;
  try {
    return config.resolve({ cwd, overrides: { model_provider: id } }).provider;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw invalidRequest(`Model provider "${id}" is not configured. Add it to config.toml, or choose another.`, {
      type: "modelProviderNotConfigured",
      modelProvider: id,
    });
  }
}

function tablesOf(server: ServerContext): ProviderTables {
  const { raw } = coreOf(server).config.lasting({ cwd: process.cwd() });
  const tables = (values: Table) => (isTable(values.model_providers) ? values.model_providers : {});
  return { all: tables(raw), own: tables(userConfig(server.home).values) };
}

interface TableChanges {
  readonly id: string;
  /** New values by key; `null` removes one. */
  readonly changes: Readonly<Record<string, unknown>>;
}

type Patch<T extends ProviderSettingsPatch["type"]> = Extract<ProviderSettingsPatch, { type: T }>;

const invalid = (message: string) => refused(message, "configValidationError");

function gatewayChanges(
  { providerId, name, baseUrl, envKey }: Patch<"customGateway">,
  server: ServerContext,
): TableChanges {
  const { all, own } = tablesOf(server);
  const isNew = providerId === null || providerId === undefined;
  if (!isNew && isBuiltIn(providerId)) throw invalid(`"${providerId}" is built in. Choose another id for your own.`);
  if (!isNew && !isTable(ownValue(own, providerId)))
    throw refused(`There is no provider "${providerId}" in the user's config.`, "configPathNotFound");
  const title = name?.trim();
  if (title === "" || (isNew && title === undefined)) throw invalid("A provider needs a name.");
  if (isNew && !baseUrl) throw invalid("A new provider needs a base URL.");
  if (typeof baseUrl === "string" && shownUrl(baseUrl) === null)
    throw invalid("The base URL must begin with http:// or https:// and hold no credentials, query or fragment.");
  if (typeof envKey === "string" && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(envKey))
    throw invalid(`"${envKey}" is no name of an environment variable.`);
  return {
    id: isNew ? freeId(title ?? "", all) : providerId,
    changes: {
      ...(baseUrl !== undefined && { base_url: baseUrl }),
      ...(envKey !== undefined && { env_key: envKey }),
      ...(title !== undefined && { name: title }),
      ...(isNew && { wire_api: "responses" }),
    },
  };
}

function cloudChanges(patch: Patch<"bedrock"> | Patch<"gcp">): TableChanges {
  const given = (table: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));
  if (patch.type === "bedrock") {
    return { id: patch.providerId, changes: given({ "aws.profile": patch.profile, "aws.region": patch.region }) };
  }
  const { projectId, location, credentialFile } = patch;
  return {
    id: patch.providerId,
    changes: given({ project_id: projectId, location, credential_file: credentialFile }),
  };
}

/** An id made of the name that nothing else has. */
function freeId(name: string, taken: Table): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ["provider"];
  const base = words.join("-").slice(0, 64);
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!Object.hasOwn(taken, id) && !isBuiltIn(id)) return id;
  }
}
