import { realpathSync } from "node:fs";
import { isWithin } from "../../../lib/is-within.ts";
import type { Launch } from "../../process/launcher.ts";
import { SandboxUnavailable } from "../unavailable.ts";

/** Where the proxy is found within a sandbox. Each has a loopback of its own, so the port is always free. */
const proxyPort = 3128;

/**
 * Runs beside the sandbox, in its network and outside of all its other walls: takes connections on the loopback and hands
 * them to the server's socket, the only way out. Made a text and run by another Bun, so it uses nothing from around it.
 */
async function bridge(): Promise<void> {
  const net = await import("node:net");
  const [path = "", port = "", ...argv] = process.argv.slice(1);
  const server = net.createServer((inside) => {
    const outside = net.connect(path);
    inside.on("error", () => outside.destroy()).on("close", () => outside.destroy());
    // What has come is still handed on.
    outside.on("error", () => inside.destroy()).on("close", () => inside.destroySoon());
    inside.pipe(outside);
    outside.pipe(inside);
  });
  // They are for the command.
  for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  server.listen(Number(port), "127.0.0.1", () => {
    const child = Bun.spawn(argv, { stdio: ["inherit", "inherit", "inherit"] });
    void child.exited.then(() => process.exit(child.exitCode ?? 128 + 9));
  });
}

/** Variables by which Bun could be made to load something, or looks for files that say so. */
const looked = /^(BUN_|NODE_|HOME$|XDG_CONFIG_HOME$)/;

/** What a bridge is made of. */
export interface BridgeOptions {
  /** The program. */
  readonly bubblewrap: string;
  /** Where the server's proxy listens. */
  readonly socket: string;
  /** Folders that commands can write. */
  readonly roots: readonly string[];
}

/** This very program, unless a command may have put another in its place. */
function trustedBun(roots: readonly string[]): string {
  const path = realpathSync(process.execPath);
  if (!roots.some((root) => isWithin(path, root))) return path;
  throw new SandboxUnavailable(
    `hosts cannot be told apart, as commands can write where the server's own program lies (${path}); install it elsewhere, or set features.network_proxy to false`,
  );
}

/**
 * The same launch in an empty network with the bridge beside it. The bridge runs outside of the sandbox: nothing that a
 * command can write may have a say in it, neither a file in its folder nor one in the user's home.
 */
export function bridgedLaunch(launch: Launch, { bubblewrap, socket, roots }: BridgeOptions): Launch {
  const bun = trustedBun(roots);
  const variables = Object.entries(launch.env);
  const restored = variables.filter(([name]) => looked.test(name)).map(([name, value]) => `${name}=${value}`);
  const env = Object.fromEntries(variables.filter(([name]) => !looked.test(name)));
  const argv = [
    ...[bubblewrap, "--die-with-parent", "--dev-bind", "/", "/", "--unshare-net", "--chdir", "/", "--"],
    ...[bun, "-e", `(${bridge.toString()})()`, socket, String(proxyPort)],
    ...["/usr/bin/env", "-u", "BUN_BE_BUN", "-u", "HOME", ...restored],
    ...launch.argv,
  ];
  // A server that is one executable acts as Bun when it is told to.
  return { ...launch, argv, env: { ...env, BUN_BE_BUN: "1", HOME: "/nonexistent" } };
}

/** What programs look at to find a proxy. */
export function proxyVariables(): Record<string, string> {
  const http = `http://127.0.0.1:${proxyPort}`;
  const socks = `socks5h://127.0.0.1:${proxyPort}`;
  const names = (prefixes: readonly string[]) => prefixes.flatMap((name) => [name, name.toLowerCase()]);
  const all = (keys: readonly string[], value: string) => keys.map((name) => [name, value] as const);
  return Object.fromEntries([
    ...all(names(["HTTP_PROXY", "HTTPS_PROXY", "WS_PROXY", "WSS_PROXY", "NPM_CONFIG_PROXY"]), http),
    ...all(names(["NPM_CONFIG_HTTP_PROXY", "NPM_CONFIG_HTTPS_PROXY"]), http),
    ...all(["YARN_HTTP_PROXY", "YARN_HTTPS_PROXY", "BUNDLE_HTTP_PROXY", "BUNDLE_HTTPS_PROXY", "PIP_PROXY"], http),
    ...all(["DOCKER_HTTP_PROXY", "DOCKER_HTTPS_PROXY"], http),
    ...all(names(["ALL_PROXY", "FTP_PROXY"]), socks),
    ...all(names(["NO_PROXY", "NPM_CONFIG_NOPROXY"]), ""),
    ...[
      ["NODE_USE_ENV_PROXY", "1"],
      ["ELECTRON_GET_USE_PROXY", "true"],
      ["CODEX_NETWORK_PROXY_ACTIVE", "1"],
    ],
  ]);
}
