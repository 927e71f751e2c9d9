import { realpathSync } from "node:fs";
import { isWithin } from "../../../lib/is-within.ts";
import type { Launch } from "../../process/launcher.ts";
import { SandboxUnavailable } from "../unavailable.ts";

/** The proxy's port within a sandbox. Each has its own loopback, so the port is always free. */
const proxyPort = 3128;

/**
 * Runs beside the sandbox, in its network but otherwise unconfined: forwards loopback connections to the server's
 * socket, the only way out. Turned into text and run by another Bun, so it uses nothing from outside.
 */
async function bridge(): Promise<void> {
  const net = await import("node:net");
  const [path = "", port = "", ...argv] = process.argv.slice(1);
  const server = net.createServer((inside) => {
    const outside = net.connect(path);
    inside.on("error", () => outside.destroy()).on("close", () => outside.destroy());
    // Received data is still forwarded.
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

/** Names the folder in which Bun keeps what it has compiled. */
const keptCode = "BUN_RUNTIME_TRANSPILER_CACHE_PATH";

/** Variables that make Bun load something, or look for files that do. */
const looked = /^(BUN_|NODE_|HOME$|XDG_CONFIG_HOME$)/;

/** Options of {@link bridgedLaunch}. */
export interface BridgeOptions {
  readonly bubblewrap: string;
  /** The socket of the server's proxy. */
  readonly socket: string;
  /** Folders that commands can write. */
  readonly roots: readonly string[];
}

/** This very program, unless a command may have replaced it. */
function trustedBun(roots: readonly string[]): string {
  const path = realpathSync(process.execPath);
  if (!roots.some((root) => isWithin(path, root))) return path;
  throw new SandboxUnavailable(
    `hosts cannot be filtered, since commands can write to the server's own program (${path}); install it elsewhere, or set features.network_proxy to false`,
  );
}

/**
 * The same launch in an empty network with the bridge beside it. The bridge is unconfined: no file that a command can
 * write may influence it, neither in its folder nor in the user's home.
 */
export function bridgedLaunch(launch: Launch, { bubblewrap, socket, roots }: BridgeOptions): Launch {
  const bun = trustedBun(roots);
  const variables = Object.entries(launch.env);
  const restored = variables.filter(([name]) => looked.test(name)).map(([name, value]) => `${name}=${value}`);
  const env = Object.fromEntries(variables.filter(([name]) => !looked.test(name)));
  const argv = [
    ...[bubblewrap, "--die-with-parent", "--dev-bind", "/", "/", "--unshare-net", "--chdir", "/", "--"],
    ...[bun, "-e", `(${bridge.toString()})()`, socket, String(proxyPort)],
    ...["/usr/bin/env", ...["BUN_BE_BUN", "HOME", keptCode].flatMap((name) => ["-u", name]), ...restored],
    ...launch.argv,
  ];
  // A server that is one executable acts as Bun on request.
  return { ...launch, argv, env: { ...env, BUN_BE_BUN: "1", HOME: "/nonexistent", [keptCode]: "0" } };
}

/** The variables by which programs find a proxy. */
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
