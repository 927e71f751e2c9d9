import type { HubOptions } from "./hub-options.ts";

/** Characters of an error that are shown: servers write these messages, at any length. */
const maxMessage = 1000;

/** The reason why a hub is not ready, and the remedy. */
export function remedyFor(error: unknown, { kind, address }: Pick<HubOptions, "kind" | "address">): string {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, maxMessage);
  switch (kind) {
    case "embedded":
      return `${message}. Restart quire; QUIRE_LOG=debug tells more.`;
    case "spawned":
      return `${message}. See whether \`${address}\` runs in a terminal.`;
    case "discovered":
      return `${message}. It is found again as soon as it runs.`;
    case "address":
      if (/server response: 401$/.test(message)) return `${message}. It wants a token: add it as ws://TOKEN@HOST:PORT.`;
      return `${message}. See whether a server listens on ${address}, then reconnect.`;
  }
}
