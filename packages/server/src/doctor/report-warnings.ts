import process from "node:process";
import type { ConfigWarningNotification } from "@quire/protocol";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { type LayerWarning, wireWarning } from "../config/layer.ts";
import type { OpenConfig } from "../config/open-config.ts";
import type { Client } from "../context/client.ts";
import { service } from "../context/services.ts";
import type { Log } from "../lib/log.ts";

/** What is set up for a thread. */
interface ThreadSetup {
  readonly config: Pick<EffectiveConfig, "warnings">;
  /** About hooks that the user has not looked at; `undefined` where there are no hooks. */
  readonly unreviewed: Promise<readonly LayerWarning[]> | undefined;
}

/** The check waits until what a client has asked first is under way. */
const delayMs = 50;

/** Warnings that are remembered of a client, so as not to repeat them with each thread. */
const maxHeard = 1000;

/** What a client was told already. */
const reportedWarnings = service((_: Client) => new Set<string>());

/**
 * Tells clients what is wrong with the configuration: those that are there when it is first used, and each that comes
 * later. It is looked at once, so that a server that nobody uses does not read it at all.
 */
export class ConfigWarningReporter {
  readonly #config: OpenConfig;
  readonly #log: Log;
  #found: Promise<readonly ConfigWarningNotification[]> | undefined;

  constructor(config: OpenConfig, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  /** Tells one client, soon. */
  tell(connection: Client): void {
    setTimeout(() => void this.#tell(connection), delayMs).unref();
  }

  /** Tells one client what of a thread's project does not count, unless it has heard so. */
  tellOf(connection: Client, { config, unreviewed }: ThreadSetup): void {
    for (const warning of config.warnings ?? []) this.#say(connection, wireWarning(warning));
    // Who waits for the hooks hears of a failure.
    void unreviewed?.then(
      (warnings) => {
        for (const warning of warnings) this.#say(connection, wireWarning(warning));
      },
      () => undefined,
    );
  }

  async #tell(connection: Client): Promise<void> {
    this.#found ??= this.#look();
    for (const warning of await this.#found) this.#say(connection, warning);
  }

  #say(connection: Client, warning: ConfigWarningNotification): void {
    const heard = connection.services.get(reportedWarnings);
    const words = `${warning.summary}\n${warning.details}`;
    if (!connection.open || heard.has(words)) return;
    if (heard.size < maxHeard) heard.add(words);
    connection.notify("configWarning", warning);
  }

  async #look(): Promise<readonly ConfigWarningNotification[]> {
    try {
      const { configWarnings } = await import("./config-warnings.ts");
      return configWarnings(this.#config, process.cwd());
    } catch (error) {
      this.#log.warn("the configuration could not be checked", error);
      return [];
    }
  }
}
