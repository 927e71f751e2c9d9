import { join } from "node:path";
import type { Gateway, SpawnedServer } from "@quire/gateway";
import { visibleText } from "@quire/protocol";
import { configOverrides } from "../args/config-flags.ts";
import type { FlagValues } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { splitWords } from "../args/split-words.ts";
import { UsageError } from "../args/usage-error.ts";
import { withDaemon } from "../daemon/daemon-address.ts";
import { showHelp } from "../lib/show-help.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { embeddedServer } from "../server/embedded-server.ts";
import { defaultPort, upSpec } from "./up-flags.ts";

type Flags = FlagValues<(typeof upSpec)["flags"]>;

/** Serves the page until a signal stops it. Returns the exit code. */
export async function up(args: readonly string[]): Promise<number> {
  const { flags, help } = parseArguments(upSpec, args);
  if (help) return showHelp(upSpec);
  const stopped = stopSignal();
  await using server = embeddedServer({ configOverrides: configOverrides(flags) });
  await using gateway = await start(flags, server.dial);
  process.stdout.write(flags.json ? `${JSON.stringify(facts(gateway))}\n` : greeting(gateway, flags));
  gateway.ready().catch((error: Error) => process.stderr.write(`Could not build the page: ${error.message}\n`));
  if (!flags.noOpen) {
    const { openBrowser } = await import("../up/open-browser.ts");
    openBrowser(gateway.ticketUrl());
  }
  await stopped;
  if (!flags.json) process.stdout.write("\nStopping.\n");
  return 0;
}

async function start(flags: Flags, dial: ReturnType<typeof embeddedServer>["dial"]): Promise<Gateway> {
  const [{ parseAddress, startGateway }, { loadPage }, { createLog }, { resolveHome }] = await Promise.all([
    import("@quire/gateway"),
    import("@quire/web"),
    import("@quire/server"),
    import("@quire/server/startup"),
  ]);
  const addresses = await Promise.all(flags.hub.map(withDaemon));
  for (const address of addresses) checked("--hub <ADDRESS>", () => parseAddress(address));
  if (flags.orchestrator !== undefined) checkOrchestrator(flags.orchestrator);
  const { env } = process;
  const token = flags.token ?? (env.QUIRE_TOKEN || (await ownToken(flags)));
  // Commands that an agent runs inherit the environment, and have no business with the page.
  delete env.QUIRE_TOKEN;
  const log = createLog({ env });
  return startGateway({
    page: loadPage,
    host: flags.host,
    port: flags.port ?? defaultPort,
    anyPort: flags.port === undefined,
    token,
    stateFile: join(resolveHome(env), "page-state.json"),
    allowedHosts: flags.allowHost,
    embedded: { dial },
    spawned: flags.codex.map(spawned),
    addresses,
    discovery: flags.noDiscovery ? false : {},
    orchestrator: flags.orchestrator,
    orchestratorToken: flags.orchestrator === undefined ? undefined : await tokenOf(flags.orchestrator),
    log: (line) => log.info(visibleText(line, { oneLine: true, prose: true })),
  });
}

/** The token that this home keeps for its pages. Where other machines reach the page, its owner chooses one instead. */
async function ownToken({ host, newToken }: Flags): Promise<string | undefined> {
  if (host !== undefined && !isLoopback(host)) return undefined;
  const [{ keptToken }, { resolveHome }] = await Promise.all([
    import("../up/kept-token.ts"),
    import("@quire/server/startup"),
  ]);
  return keptToken(resolveHome(process.env), { renew: newToken });
}

const isLoopback = (host: string): boolean => /^(127\.|localhost$|::1$)/.test(host);

/** The token of an orchestrator's status API: a chosen one, else the one that it left for us on this machine. */
async function tokenOf(address: string): Promise<() => string | undefined> {
  const { readTokenFile } = await import("@quire/orchestrator");
  const { env } = process;
  const chosen = env.QUIRE_ORCHESTRATOR_TOKEN || undefined;
  delete env.QUIRE_ORCHESTRATOR_TOKEN;
  const { hostname, port } = new URL(address);
  // The token of another port or machine is not theirs to see.
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  return () => chosen ?? (isHere ? readTokenFile(Number(port || 80), env) : undefined);
}

function spawned(line: string): SpawnedServer {
  const [program, ...args] = splitWords(line);
  if (program === undefined) throw new UsageError("--codex needs a command, such as --codex='codex app-server'");
  return { command: [program, ...args] };
}

/** Says which option holds what cannot be read. */
function checked(option: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new UsageError(`invalid value for '${option}': ${(error as Error).message}`);
  }
}

function checkOrchestrator(url: string): void {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return;
  throw new UsageError(
    `invalid value '${url}' for '--orchestrator <URL>': expected the address printed by quire orchestrate --port, http://127.0.0.1:PORT`,
  );
}

function facts({ url, origin, port, token }: Gateway) {
  return { url, origin, port, token };
}

function greeting({ url }: Gateway, { host }: Flags): string {
  const elsewhere = host === undefined || isLoopback(host) ? [] : [elsewhereHint, ""];
  return [
    "",
    `  Quire is at  ${url}`,
    "",
    ...elsewhere,
    "  Anyone with this address can run commands as you. Without an API key the built-in offline model answers:",
    "  type `help` to try it. Press Ctrl-C to stop.",
    "",
    "",
  ].join("\n");
}

const elsewhereHint = "  On other machines, use this machine's address with the same port and token.";
