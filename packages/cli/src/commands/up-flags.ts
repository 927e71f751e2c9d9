import { configFlags } from "../args/config-flags.ts";
import { type CommandSpec, type Flags, portRange } from "../args/flag.ts";

/** Default port of the page. */
export const defaultPort = 4555;

const flags = {
  port: {
    type: "number",
    short: "p",
    value: "PORT",
    range: portRange,
    fallback: `${defaultPort}, or a free one if it is in use`,
    help: "Port of the page; 0 picks a free one.",
  },
  host: {
    type: "text",
    value: "IP",
    fallback: "127.0.0.1",
    help: "Address to listen on. Serving other machines requires --token.",
  },
  token: {
    type: "text",
    value: "TOKEN",
    fallback: "$QUIRE_TOKEN, else one that the home keeps",
    help: "Access token, at least 16 characters. Prefer $QUIRE_TOKEN: other users can read your command line.",
  },
  newToken: { type: "switch", help: "Replace the token that the home keeps: signs out all browsers." },
  allowHost: {
    type: "list",
    value: "NAME",
    help: "Additional host name of the page, for example behind a proxy. May be repeated.",
  },
  noOpen: { type: "switch", help: "Do not open a browser." },
  hub: {
    type: "list",
    value: "ADDRESS",
    help: "Connect to this server too: ws://HOST:PORT, wss://…, unix://PATH or unix:// (the daemon); ws://TOKEN@HOST:PORT sends a bearer token. May be repeated.",
  },
  codex: {
    type: "list",
    value: "COMMAND",
    bare: "codex app-server",
    help: 'Start a Codex and connect to it too; without a value, "codex app-server". May be repeated.',
  },
  noDiscovery: { type: "switch", help: "Do not search ports 4500 to 4509 of this machine for servers." },
  orchestrator: { type: "text", value: "URL", help: "Show the orchestrator at this address." },
  json: { type: "switch", help: "Print the address and the token as one line of JSON." },
  ...configFlags,
} as const satisfies Flags;

/** `quire up`. */
export const upSpec: CommandSpec<typeof flags> = {
  name: "quire up",
  summary: "Open the web UI: threads, approvals and diffs of all your servers",
  flags,
  examples: [
    ["quire up", "Start a server and open the page."],
    ["quire up --codex", "Show a Codex next to it."],
    ["quire up --hub ws://127.0.0.1:4500 --no-open", "Show a server that is already running; only print the address."],
    [
      'QUIRE_TOKEN="$(openssl rand -hex 32)" quire up --host 0.0.0.0',
      "Serve other machines; put a TLS proxy in front of it.",
    ],
  ],
};
