import { join } from "node:path";
import type {
  ExternalAgentConfigImportTypeResult,
  ExternalAgentConfigMigrationItem,
  ExternalAgentConfigMigrationItemType,
} from "@quire/protocol";
import type { Handlers, RequestScope } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { service } from "../context/services.ts";
import { type AgentPaths, projectPaths, userPaths } from "../features/external-agent/agent-paths.ts";
import { allLists, detect } from "../features/external-agent/detect.ts";
import { type ImportResult, importItem } from "../features/external-agent/import.ts";
import { addImport, readImports } from "../features/external-agent/imports-file.ts";
import { Offers } from "../features/external-agent/offers.ts";
import { importSession, recentSessions } from "../features/external-agent/sessions.ts";
import { coreOf } from "../features/open-core.ts";
import { errorMessage } from "../lib/error-message.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";

/** Default age and number of offered sessions. */
const defaultAgeDays = 30;
const defaultSessions = 50;

/** Taking over what a user has set up for another agent: Claude Code. */
export const handlers: Handlers = {
  "externalAgentConfig/detect": ({ includeHome, cwds, maxSessionAgeDays, maxSessions }, { server }) => {
    const limits = { maxAgeDays: maxSessionAgeDays ?? defaultAgeDays, max: maxSessions ?? defaultSessions };
    const look = (paths: AgentPaths) => {
      offersOf(server).note(paths);
      return detect(paths);
    };
    const own = includeHome ? [...look(userPaths(server.home, userHome(server))), ...sessions(server, limits)] : [];
    const roots = new Map(
      (cwds ?? []).map((cwd) => projectPaths(cwd, server.home)).map((paths) => [paths.root, paths]),
    );
    return { items: [...own, ...[...roots.values()].flatMap(look)], connectors: [] };
  },

  "externalAgentConfig/import": ({ migrationItems, providerId }, scope) => {
    const importId = crypto.randomUUID();
    const work = importAll(importId, migrationItems, { scope, providerId: providerId ?? null });
    work.catch((error: unknown) => scope.server.log.error("an import failed", error));
    return { importId };
  },

  "externalAgentConfig/import/readHistories": (_, { server }) => ({
    data: readImports(server.home).toReversed(),
    connectors: [],
  }),

  "externalAgentConfig/import/recordHistory": ({ providerId, itemTypeResults }, { server }) => {
    const importId = crypto.randomUUID();
    const given = itemTypeResults.flatMap(({ successes }) => successes);
    const successes = given.map(({ itemType, cwd, source, target, title }) => ({
      itemType,
      cwd: cwd ?? null,
      source: source ?? null,
      target: target ?? null,
      title: title ?? null,
    }));
    const failures = itemTypeResults.flatMap((each) => each.failures);
    addImport(server.home, { importId, providerId, completedAtMs: Date.now(), successes, failures });
    return { importId };
  },
};

const offered = service((_: ServerContext) => new Offers());

const offersOf = (server: ServerContext): Offers => server.services.get(offered);

function userHome({ env }: ServerContext): string {
  if (env.HOME) return env.HOME;
  throw invalidRequest("the user's home folder is not known: set HOME");
}

function sessions(
  server: ServerContext,
  limits: Parameters<typeof recentSessions>[2],
): ExternalAgentConfigMigrationItem[] {
  const folder = join(userHome(server), ".claude", "projects");
  const taken = readImports(server.home).flatMap(({ successes }) => successes);
  const known = new Set(taken.flatMap(({ itemType, source }) => (itemType === "SESSIONS" && source ? [source] : [])));
  const found = recentSessions(folder, known, limits);
  if (found.length === 0) return [];
  const description = `Take over recent conversations from ${folder}`;
  return [{ itemType: "SESSIONS", description, cwd: null, details: allLists({ sessions: found }) }];
}

interface ImportOptions {
  readonly scope: RequestScope;
  readonly providerId: string | null;
}

async function importAll(
  importId: string,
  items: readonly ExternalAgentConfigMigrationItem[],
  { scope, providerId }: ImportOptions,
): Promise<void> {
  // The reply comes first.
  await new Promise(setImmediate);
  if (items.length === 0) return;
  const { server } = scope;
  const results: ExternalAgentConfigImportTypeResult[] = [];
  for (const item of items) {
    const result = { itemType: item.itemType, ...(await importOne(item, scope)) };
    results.push(result);
    server.broadcast("externalAgentConfig/import/progress", { importId, itemTypeResults: [result] });
  }
  const itemTypeResults = order.flatMap((itemType) => joined(itemType, results));
  addImport(server.home, {
    importId,
    providerId,
    completedAtMs: Date.now(),
    successes: itemTypeResults.flatMap(({ successes }) => successes),
    failures: itemTypeResults.flatMap(({ failures }) => failures),
  });
  server.broadcast("skills/changed", {});
  server.broadcast("externalAgentConfig/import/completed", { importId, itemTypeResults });
}

async function importOne(item: ExternalAgentConfigMigrationItem, scope: RequestScope): Promise<ImportResult> {
  const { config } = coreOf(scope.server);
  if (item.itemType !== "SESSIONS") {
    const { home } = config;
    const paths = item.cwd ? projectPaths(item.cwd, home) : userPaths(home, userHome(scope.server));
    return importItem(item, { paths, config, offered: offersOf(scope.server) });
  }
  const { itemType } = item;
  const result: ImportResult = { successes: [], failures: [] };
  for (const session of item.details?.sessions ?? []) {
    const { path: source, cwd, title } = session;
    try {
      const target = await importSession(scope, session);
      result.successes.push({ itemType, cwd, source, target, title: title ?? null });
    } catch (error) {
      const message = errorMessage(error);
      result.failures.push({ itemType, cwd, source, failureStage: "import", message });
    }
  }
  return result;
}

const order: readonly ExternalAgentConfigMigrationItemType[] = [
  "CONFIG",
  "SKILLS",
  "AGENTS_MD",
  "PLUGINS",
  "MCP_SERVER_CONFIG",
  "SUBAGENTS",
  "HOOKS",
  "COMMANDS",
  "MEMORY",
  "SESSIONS",
];

function joined(
  itemType: ExternalAgentConfigMigrationItemType,
  results: readonly ExternalAgentConfigImportTypeResult[],
): ExternalAgentConfigImportTypeResult[] {
  const own = results.filter((each) => each.itemType === itemType);
  if (own.length === 0) return [];
  return [
    {
      itemType,
      successes: own.flatMap(({ successes }) => successes),
      failures: own.flatMap(({ failures }) => failures),
    },
  ];
}
