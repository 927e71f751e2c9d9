import { authFlags } from "../args/auth-flags.ts";
import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";

const flags = {
  ...configFlags,
  listen: {
    type: "text",
    value: "URL",
    fallback: "stdio://",
    help: "Address to listen on: `stdio://`, `unix://` (a socket in the home folder), `unix://PATH`, `ws://IP:PORT` (port 0 takes a free one) or `off`.",
  },
  stdio: { type: "switch", help: "Serve over stdin and stdout; same as --listen stdio://" },
  strictConfig: { type: "switch", help: "Fail if config.toml has unknown fields." },
  ...authFlags,
  wsAllowUnauthenticated: {
    type: "switch",
    help: "Serve other machines without --ws-auth. Anyone who can reach the port can then run commands as you.",
  },
  logLevel: {
    type: "text",
    value: "LEVEL",
    choices: ["off", "error", "warn", "info", "debug", "trace"],
    fallback: "$QUIRE_LOG, else $RUST_LOG, else error",
    help: "Log level for stderr. Set LOG_FORMAT=json for one JSON object per line.",
  },
  sessionSource: {
    type: "text",
    value: "SOURCE",
    fallback: "vscode",
    help: "Source recorded in threads: cli, vscode, exec or your own name.",
  },
  compat: {
    type: "text",
    value: "VERSION",
    help: "Stand for an older Codex, such as 0.118: its version, and no methods, notifications or items that came later.",
  },
  printStartupConfig: {
    type: "switch",
    help: "Print the version and the configuration requirements as JSON, then exit.",
  },
  analyticsDefaultEnabled: { type: "switch", help: "Ignored; accepted for compatibility. Quire sends no analytics." },
  startupSignOut: { type: "switch", help: "Ignored; accepted for compatibility." },
  startupClientInfo: { type: "text", value: "JSON", help: "Ignored; accepted for compatibility." },
  cloudSkillsSnapshot: { type: "text", value: "PATH", help: "Ignored; accepted for compatibility." },
  codeModeHost: { type: "text", value: "URL", help: "Ignored; accepted for compatibility." },
} as const satisfies Flags;

/** `quire app-server`: the options of `codex app-server`, and a few of our own. */
export const appServerSpec: CommandSpec<typeof flags> = {
  name: "quire app-server",
  summary: "Serve Codex clients: editors, SDKs, the Codex TUI",
  flags,
  commands: [
    ["daemon", "Manage a background server: start, stop, status"],
    ["proxy", "Connect stdin and stdout to a running server"],
    ["generate-ts", "Generate TypeScript types of the protocol"],
    ["generate-json-schema", "Generate JSON Schemas of the protocol"],
  ],
  examples: [
    ["quire app-server", "Serve the program that starts it, over stdin and stdout."],
    ["quire app-server --listen ws://127.0.0.1:4500", "Serve this machine; then: codex --remote ws://127.0.0.1:4500"],
    [
      "quire app-server --listen ws://0.0.0.0:4500 --ws-auth capability-token --ws-token-file /etc/quire/token",
      "Serve other machines; clients need the token.",
    ],
  ],
};
