import { resolve } from "node:path";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ServerConfig } from "../config/mcp-config.ts";
import type { ConfiguredProgram } from "../config/trust/program-words.ts";
import { ownValue } from "../lib/table.ts";
import { quireVersion } from "../lib/version.ts";
import { ownPathFirst } from "../run/process/own-path.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { ChildTransport } from "./child-transport.ts";
import { CredentialsFile } from "./credentials-file.ts";
import { McpOAuth } from "./oauth-provider.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The only variables passed to a server's process: none can be a key. */
const inherited = [
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "USER",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TERM",
  "TMPDIR",
  "TZ",
  "TMP",
  "TEMP",
  "SystemRoot",
  "USERPROFILE",
  "APPDATA",
  "PATHEXT",
  "COMSPEC",
];

/** The surroundings of a server's process. */
export interface TransportContext {
  readonly owner: string;
  readonly cwd: string;
  readonly home: string;
  readonly env: Environment;
  readonly onStderr: (text: string) => void;
  /** The reason why a process must not be started. */
  readonly refuse: (program: ConfiguredProgram, startsIn: string) => string | undefined;
}

/** The way to a server. Nothing is started or opened yet. Throws an Error with the remedy where the config is wrong. */
export async function openTransport({ name, transport }: ServerConfig, around: TransportContext): Promise<Transport> {
  if (transport.type === "invalid") throw new Error(transport.problem);
  if (transport.type === "stdio") {
    const handedOn = [...inherited, ...transport.envVars].flatMap((variable) => {
      const value = ownValue(around.env, variable);
      if (value === undefined) return [];
      return [[variable, variable === "PATH" ? ownPathFirst(value, around.cwd, around.env.HOME) : value] as const];
    });
    const cwd = resolve(around.cwd, transport.cwd ?? "");
    const argv = [transport.command, ...transport.args];
    const refusal = around.refuse({ command: argv, env: transport.env }, cwd);
    if (refusal !== undefined) throw new Error(refusal);
    return new ChildTransport({
      owner: around.owner,
      argv,
      cwd,
      env: { ...Object.fromEntries(handedOn), ...transport.env },
      onStderr: around.onStderr,
    });
  }
  const headers: Record<string, string> = { "user-agent": `quire/${quireVersion}`, ...transport.headers };
  for (const [header, variable] of Object.entries(transport.envHeaders)) {
    const value = ownValue(around.env, variable);
    if (value) headers[header] = value;
  }
  if (transport.bearerTokenEnvVar !== null) {
    const token = ownValue(around.env, transport.bearerTokenEnvVar)?.trim();
    if (!token)
      throw new Error(
        `Environment variable ${transport.bearerTokenEnvVar} for MCP server '${name}' is not set. Set it and start again.`,
      );
    headers.authorization = `Bearer ${token}`;
  }
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const place = { file: new CredentialsFile(around.home), name, url: transport.url, client: transport.oauth };
  const isLoggedIn = transport.bearerTokenEnvVar === null && place.file.read(name, transport.url) !== undefined;
  return new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers },
    fetch: boundedFetch,
    ...(isLoggedIn && { authProvider: new McpOAuth(place) }),
  }) as Transport;
}
