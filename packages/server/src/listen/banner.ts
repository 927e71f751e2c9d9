import { isLoopback, parseListenAddress } from "./listen-address.ts";

/** The text on stderr once a server listens, in Codex's format: tools read the address from it. */
export function listeningBanner(address: string, guarded: boolean): string {
  const { kind, ...at } = parseListenAddress(address);
  if (kind === "unix") return `quire app-server (unix socket)\n  listening on: ${address}\n`;
  const http = address.replace(/^ws:/, "http:");
  const lines = [
    "quire app-server (WebSockets)",
    `  listening on: ${address}`,
    `  readyz: ${http}/readyz`,
    `  healthz: ${http}/healthz`,
    `  note: ${"host" in at && isLoopback(at.host) ? localNote : guarded ? guardedNote : openNote}`,
    "",
  ];
  return lines.join("\n");
}

const localNote = "binds localhost only (use SSH port-forwarding for remote access)";
const guardedNote = "reachable from other machines with a token; put TLS in front of it";
const openNote = "OPEN TO EVERYBODY who can reach this port: they can run commands here";
