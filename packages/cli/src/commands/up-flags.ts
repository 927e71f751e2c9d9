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
    fallback: `${defaultPort}, or a free one where it is taken`,
    help: "Port of the page; 0 takes a free one.",
  },
  host: {
    type: "text",
    value: "IP",
    fallback: "127.0.0.1",
    help: "Address to listen on. One that other machines can reach needs a token of your own.",
  },
  token: {
    type: "text",
    value: "TOKEN",
    fallback: "$QUIRE_TOKEN, else random, new at every start",
    help: "What a page has to know, at least 16 characters. The variable is the better place: every user here can read a command line.",
  },
  allowHost: {
    type: "list",
    value: "NAME",
    help: "Another name under which browsers reach the page, as behind a proxy. May be repeated.",
  },
  noOpen: { type: "switch", help: "Do not open a browser." },
  hub: {
    type: "list",
    value: "ADDRESS",
    help: "Show this server too: ws://HOST:PORT, wss://…, unix://PATH or unix:// (that of quire app-server daemon); ws://TOKEN@HOST:PORT sends a bearer token. May be repeated.",
  },
  codex: {
    type: "list",
    value: "COMMAND",
    bare: "codex app-server",
    help: 'Start a Codex and show it too; without a value, "codex app-server". May be repeated.',
  },
  noDiscovery: { type: "switch", help: "Do not look for servers on ports 4500 to 4509 of this machine." },
  orchestrator: { type: "text", value: "URL", help: "Show the orchestrator whose status API is there." },
  json: { type: "switch", help: "Print address and token as one line of JSON." },
  ...configFlags,
} as const satisfies Flags;

/** `quire up`. */
export const upSpec: CommandSpec<typeof flags> = {
  name: "quire up",
  summary: "Open the web page: threads, approvals, diffs, of every server",
  flags,
  examples: [
    ["quire up", "Start a server and the page, and open it."],
    ["quire up --codex", "Show a Codex beside it."],
    ["quire up --hub ws://127.0.0.1:4500 --no-open", "Show a server that runs already; print the address only."],
    [
      'QUIRE_TOKEN="$(openssl rand -hex 32)" quire up --host 0.0.0.0',
      "Serve other machines; put a proxy with TLS before it.",
    ],
  ],
};
