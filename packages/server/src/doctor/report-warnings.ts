import process from "node:process";
import type { ConfigWarningNotification } from "@quire/protocol";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { type LayerWarning, wireWarning } from "../config/layer.ts";
import type { OpenConfig } from "../config/open-config.ts";
import type { Client } from "../context/client.ts";
import { service } from "../context/services.ts";
import type { Log } from "../lib/log.ts";

interface ThreadSetup {
  readonly config: Pick<EffectiveConfig, "warnings">;
  /** Warnings about unreviewed hooks; `undefined` when there are no hooks. */
  readonly unreviewed: Promise<readonly LayerWarning[]> | undefined;
}

/** Lets the client's first request begin first. */
const delayMs = 50;

/** Warnings remembered for a client, so that they are not repeated with each thread. */
const maxHeard = 1000;

const reportedWarnings = service((_: Client) => new Set<string>());

/** Reports problems of the configuration to clients, once it is used. A server that nobody uses does not read it. */
export class ConfigWarningReporter {
  readonly #config: OpenConfig;
  readonly #log: Log;
  #found: Promise<readonly ConfigWarningNotification[]> | undefined;

  constructor(config: OpenConfig, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  report(connection: Client): void {
    setTimeout(() => void this.#report(connection), delayMs).unref();
  }

  /** Reports the ignored parts of a thread's project, unless the client knows. */
  reportThread(connection: Client, { config, unreviewed }: ThreadSetup): void {
    for (const warning of config.warnings ?? []) this.#say(connection, wireWarning(warning));
    // The thread reports a failure of its hooks itself.
    void unreviewed?.then(
      (warnings) => {
        for (const warning of warnings) this.#say(connection, wireWarning(warning));
      },
      () => undefined,
    );
  }

  async #report(connection: Client): Promise<void> {
    this.#found ??= this.#look();
    for (const warning of await this.#found) this.#say(connection, warning);
  }

  #say(connection: Client, warning: ConfigWarningNotification): void {
    const reported = connection.services.get(reportedWarnings);
    const words = `${warning.summary}\n${warning.details}`;
    if (!connection.open || reported.has(words)) return;
    if (reported.size < maxHeard) reported.add(words);
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
