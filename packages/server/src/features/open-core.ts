import { Account } from "../account/account.ts";
import { type OpenConfig, openConfig } from "../config/open-config.ts";
import { mayNameStore, storePlace } from "../config/store-place.ts";
import type { ServerContext } from "../context/server-context.ts";
import { service } from "../context/services.ts";
import { ConfigWarningReporter } from "../doctor/report-warnings.ts";
import { embeddedModels } from "../model/ai-sdk/embedded-models.ts";
import { promptSource } from "../prompt/index.ts";
import { openStore } from "../store/open-store.ts";
import type { Core } from "../thread/core.ts";
import type { Thread } from "../thread/thread.ts";
import { ThreadManager } from "../thread/thread-manager.ts";
import { UserState } from "../user-state/user-state.ts";
import { features } from "./index.ts";
import { openEnvironments } from "./open-environments.ts";
import type { SharedEvents, Stored } from "./open-shared.ts";
import { sharedParts } from "./shared-parts.ts";

/** The core of a server, with its threads. */
export type ServerCore = Core<Thread>;

const core = service(openCore);

const environments = service((server: ServerContext) => {
  const made = openEnvironments(coreOf(server).threads);
  server.onClose(() => made.close());
  return made;
});

/** The server's core. */
export function coreOf(server: ServerContext): ServerCore {
  return server.services.get(core);
}

const both = (one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<void> | undefined =>
  one && other ? one.then(() => other) : (one ?? other);

/** An unreadable configuration is reported to its users, not to those of the login. */
function credentialStore({ config, server }: ServerCore): unknown {
  try {
    return config.read({ cwd: server.home }).config.cli_auth_credentials_store;
  } catch {
    return undefined;
  }
}

/** The providers that were given in code, each with its model. */
function embeddedIds(server: ServerContext): ReadonlyMap<string, string | undefined> {
  const given = [...server.services.get(embeddedModels)];
  return new Map(given.map(([id, model]) => [id, "modelId" in model ? model.modelId : undefined]));
}

/** Threads and what the user keeps of them: in the database that the configuration names, or in files of the home. */
function openStored(config: OpenConfig, server: ServerContext, events: SharedEvents): Stored {
  const { home, log } = server;
  const place = mayNameStore(server) ? storePlace(config, home) : undefined;
  if (place !== undefined) return sharedParts()(place, server, events);
  return { store: openStore(home), state: new UserState(home, (problem) => log.warn(problem)), isShared: false };
}

function openCore(server: ServerContext): ServerCore {
  const { home, env, configOverrides, defaultProvider, requirementsFile, log, connections } = server;
  const account = new Account({ home, env, log, connections, credentialStore: () => credentialStore(core) });
  const config = openConfig({
    home,
    env,
    requirementsFile,
    cliOverrides: configOverrides,
    defaultProvider,
    embedded: embeddedIds(server),
    loggedIn: () => account.login !== null,
  });
  const threads = new ThreadManager(() => core);
  const { store, state, isShared } = openStored(config, server, {
    onTaken: (threadId, reason) => void threads.taken(threadId, reason),
    onDraining: () => void threads.putAwayIdle(),
  });
  const core: ServerCore = {
    server,
    account,
    config,
    warningReporter: new ConfigWarningReporter(config, log),
    store,
    state,
    prompts: promptSource(home, env.HOME),
    threads,
    environments: () => server.services.get(environments),
    features,
  };
  for (const client of connections) core.warningReporter.report(client);
  server.threads = {
    get runningTurns() {
      return threads.runningTurns;
    },
    holds: isShared,
    stored: (threadId) => both(threadId === undefined ? undefined : store.stored(threadId), state.stored()),
    elsewhere: (threadId) => (threads.get(threadId) ? undefined : store.elsewhere(threadId)),
    greet: (client) => core.warningReporter.report(client),
    stop: () => threads.close(),
    close: async () => {
      await state.close();
      await store.close();
    },
  };
  return core;
}
