import process from "node:process";
import type { ConfigWarningNotification } from "@quire/protocol";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { OpenConfig } from "../config/open-config.ts";
import { type LayerWarning, wireWarning } from "../config/project-layers.ts";
import type { ClientConnection } from "../connection.ts";
import type { Log } from "../log.ts";

/** What is set up for a thread. */
interface ThreadSetup {
  readonly config: Pick<EffectiveConfig, "warnings">;
  readonly hooks: Promise<{ readonly unreviewed: readonly LayerWarning[] }> | undefined;
}

/** The check waits until what a client has asked first is under way. */
const delayMs = 50;

/** Warnings that are remembered of a client, so as not to repeat them with each thread. */
const maxHeard = 1000;

/**
 * Tells clients what is wrong with the configuration: those that are there when it is first used, and each that comes
 * later. It is looked at once, so that a server that nobody uses does not read it at all.
 */
export class ConfigTeller {
  readonly #config: OpenConfig;
  readonly #log: Log;
  readonly #heard = new WeakMap<ClientConnection, Set<string>>();
  #found: Promise<readonly ConfigWarningNotification[]> | undefined;

  constructor(config: OpenConfig, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  /** Tells one client, soon. */
  tell(connection: ClientConnection): void {
    setTimeout(() => void this.#tell(connection), delayMs).unref();
  }

  /** Tells one client what of a thread's project does not count, unless it has heard so. */
  tellOf(connection: ClientConnection, { config, hooks }: ThreadSetup): void {
    for (const warning of config.warnings ?? []) this.#say(connection, wireWarning(warning));
    // Who waits for the hooks hears of a failure.
    void hooks?.then(
      ({ unreviewed }) => {
        for (const warning of unreviewed) this.#say(connection, wireWarning(warning));
      },
      () => undefined,
    );
  }

  async #tell(connection: ClientConnection): Promise<void> {
    this.#found ??= this.#look();
    for (const warning of await this.#found) this.#say(connection, warning);
  }

  #say(connection: ClientConnection, warning: ConfigWarningNotification): void {
    const heard = this.#heard.get(connection) ?? new Set();
    this.#heard.set(connection, heard);
    const words = `${warning.summary}\n${warning.details}`;
    if (!connection.open || heard.has(words)) return;
    if (heard.size < maxHeard) heard.add(words);
    connection.notify("configWarning", warning);
  }

  async #look(): Promise<readonly ConfigWarningNotification[]> {
    try {
      const { configWarnings } = await import("../config/config-warnings.ts");
      return configWarnings(this.#config, process.cwd());
    } catch (error) {
      this.#log.warn("the configuration could not be checked", error);
      return [];
    }
  }
}
