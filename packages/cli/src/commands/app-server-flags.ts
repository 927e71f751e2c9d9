import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";

const flags = {
  ...configFlags,
  listen: {
    type: "text",
    value: "URL",
    fallback: "stdio://",
    help: "Where clients connect: `stdio://`, `unix://` (a socket in the home folder), `unix://PATH`, `ws://IP:PORT` (port 0 takes a free one) or `off`.",
  },
  stdio: { type: "switch", help: "Serve stdin and stdout; the same as --listen stdio://" },
  strictConfig: { type: "switch", help: "Refuse to start when config.toml has fields that are not known." },
  wsAuth: {
    type: "text",
    value: "MODE",
    choices: ["capability-token", "signed-bearer-token"],
    help: "What WebSocket clients must bring in their Authorization header.",
  },
  wsTokenFile: { type: "text", value: "PATH", help: "Absolute path to the file that holds the capability token." },
  wsTokenSha256: { type: "text", value: "HEX", help: "SHA-256 of the capability token, in place of the token itself." },
  wsSharedSecretFile: {
    type: "text",
    value: "PATH",
    help: "Absolute path to the file that holds the secret with which JWTs are signed (HMAC-SHA-256, at least 32 bytes).",
  },
  wsIssuer: { type: "text", value: "ISSUER", help: "Issuer that signed tokens must name." },
  wsAudience: { type: "text", value: "AUDIENCE", help: "Audience that signed tokens must name." },
  wsMaxClockSkewSeconds: {
    type: "number",
    value: "SECONDS",
    fallback: "30",
    help: "How far the clocks of issuer and server may be apart.",
  },
  wsAllowUnauthenticated: {
    type: "switch",
    help: "Serve other machines without --ws-auth. Everybody who can reach the port can then run commands as you.",
  },
  logLevel: {
    type: "text",
    value: "LEVEL",
    choices: ["off", "error", "warn", "info", "debug", "trace"],
    fallback: "$QUIRE_LOG, else $RUST_LOG, else error",
    help: "How much is logged to stderr; with LOG_FORMAT=json as one JSON object per line.",
  },
  sessionSource: {
    type: "text",
    value: "SOURCE",
    fallback: "vscode",
    help: "What threads name as their origin: cli, vscode, exec or a name of your own.",
  },
  printStartupConfig: {
    type: "switch",
    help: "Print the version and the requirements on the configuration as JSON, and leave.",
  },
  analyticsDefaultEnabled: { type: "switch", help: "Accepted for clients that pass it. Nothing is ever reported." },
  startupSignOut: { type: "switch", help: "Accepted for clients that pass it." },
  startupClientInfo: { type: "text", value: "JSON", help: "Accepted for clients that pass it." },
  cloudSkillsSnapshot: { type: "text", value: "PATH", help: "Accepted for clients that pass it." },
  codeModeHost: { type: "text", value: "URL", help: "Accepted for clients that pass it." },
} as const satisfies Flags;

/** `quire app-server`: the options of `codex app-server`, and a few of our own. */
export const appServerSpec: CommandSpec<typeof flags> = {
  name: "quire app-server",
  summary: "Serve Codex clients: editors, SDKs, the Codex TUI",
  flags,
  commands: [
    ["daemon", "Start, stop and look at a server that outlives its clients"],
    ["proxy", "Pass stdin and stdout on to the socket of a running server"],
    ["generate-ts", "Write the protocol down as TypeScript"],
    ["generate-json-schema", "Write the protocol down as JSON Schema"],
  ],
  examples: [
    ["quire app-server", "Serve the program that started it, over stdin and stdout."],
    ["quire app-server --listen ws://127.0.0.1:4500", "Serve this machine; then: codex --remote ws://127.0.0.1:4500"],
    [
      "quire app-server --listen ws://0.0.0.0:4500 --ws-auth capability-token --ws-token-file /etc/quire/token",
      "Serve other machines, to whoever knows the token.",
    ],
  ],
};
