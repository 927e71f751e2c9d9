import { failureMessage } from "@quire/client/link";
import type { HubOptions } from "./hub-options.ts";

/** Characters of an error that are shown: servers write these messages, at any length. */
const maxMessage = 1000;

/** The reason why a hub is not ready, and the remedy. */
export function remedyFor(error: unknown, { kind, address }: Pick<HubOptions, "kind" | "address">): string {
  const message = failureMessage(error).slice(0, maxMessage);
  switch (kind) {
    case "embedded":
      return `${message}. Restart quire; QUIRE_LOG=debug logs more.`;
    case "spawned":
      return `${message}. Check that \`${address}\` runs in a terminal.`;
    case "discovered":
      return `${message}. It reconnects as soon as it runs.`;
    case "address":
      if (/server response: 401$/.test(message)) return `${message}. It needs a token: add it as ws://TOKEN@HOST:PORT.`;
      return `${message}. Check that a server listens on ${address}, then reconnect.`;
  }
}
