import { Account } from "../account/account.ts";
import { type OpenConfig, openConfig } from "../config/open-config.ts";
import { UserState } from "../organize/user-state.ts";
import { promptSource } from "../prompt/index.ts";
import type { PromptSource } from "../prompt/prompt-source.ts";
import type { ServerContext } from "../server-context.ts";
import { ConfigTeller } from "../startup/tell-config-warnings.ts";
import { openStore } from "../store/open-store.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { ThreadManager } from "./thread-manager.ts";

/** Threads and what they are made of. One per server; loaded when the first request needs it. */
export interface Core {
  readonly server: ServerContext;
  readonly config: OpenConfig;
  readonly account: Account;
  readonly store: ThreadStore;
  /** What users keep about threads. */
  readonly state: UserState;
  readonly prompts: PromptSource;
  readonly threads: ThreadManager;
  /** Tells clients what is wrong with the configuration. */
  readonly configTeller: ConfigTeller;
  /** Has something end with the server, after the threads. */
  onClose(work: () => void | Promise<void>): void;
  /** Ends every turn and thread, and what they started. */
  close(): Promise<void>;
}

/** The server's core. */
export function coreOf(server: ServerContext): Core {
  server.core ??= openCore(server);
  return server.core;
}

/** A configuration that cannot be read is told to whoever uses it, not to whoever asks for the login. */
function credentialStore({ config, server }: Core): unknown {
  try {
    return config.read({ cwd: server.home }).config.cli_auth_credentials_store;
  } catch {
    return undefined;
  }
}

function openCore(server: ServerContext): Core {
  const { home, env, configOverrides, requirementsFile, log, connections } = server;
  const store = openStore(home);
  const account = new Account({ home, env, log, connections, credentialStore: () => credentialStore(core) });
  const config = openConfig({
    home,
    env,
    requirementsFile,
    cliOverrides: configOverrides,
    loggedIn: () => account.login !== null,
  });
  const closing: (() => void | Promise<void>)[] = [];
  const core: Core = {
    server,
    account,
    config,
    configTeller: new ConfigTeller(config, log),
    store,
    state: new UserState(home, (problem) => log.warn(problem)),
    prompts: promptSource(home, env.HOME),
    threads: new ThreadManager(() => core),
    onClose: (work) => closing.push(work),
    close: async () => {
      await core.threads.close();
      await Promise.all(closing.map((work) => work()));
      await store.close();
      core.state.close();
    },
  };
  for (const connection of connections) core.configTeller.tell(connection);
  return core;
}
