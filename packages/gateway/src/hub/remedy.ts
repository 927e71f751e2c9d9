import type { HubOptions } from "./hub-options.ts";

/** Characters of an error that are shown: a server can say what it likes in one. */
const maxSaid = 1000;

/** Why a hub is not ready, and what to do about it. */
export function remedyFor(error: unknown, { kind, address }: Pick<HubOptions, "kind" | "address">): string {
  const said = (error instanceof Error ? error.message : String(error)).slice(0, maxSaid);
  switch (kind) {
    case "embedded":
      return `${said}. Restart quire; QUIRE_LOG=debug tells more.`;
    case "spawned":
      return `${said}. See whether \`${address}\` runs in a terminal.`;
    case "discovered":
      return `${said}. It is found again as soon as it runs.`;
    case "address":
      if (/server response: 401$/.test(said)) return `${said}. It wants a token: add it as ws://TOKEN@HOST:PORT.`;
      return `${said}. See whether a server listens on ${address}, then reconnect.`;
  }
}
