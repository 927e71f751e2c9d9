import { connect } from "node:net";
import { defaultSocketPath } from "../config/home.ts";
import { errorMessage } from "../lib/error-message.ts";
import { currentConfig } from "./config-checks.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

const networkMs = 5000;
const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];

/** Checks for a server on the home's socket. */
export async function checkSocket({ home }: DoctorOptions): Promise<Finding> {
  const path = defaultSocketPath(home);
  const code = await new Promise<string | undefined>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
  if (code === undefined) return ok(`one answers at ${path}`);
  if (code === "ENOENT") return ok("none runs in the background");
  return warning(`${path} is there, but nobody answers (${code})`, "quire app-server daemon start replaces it");
}

/** Proxies in the environment, by name only: their addresses may hold passwords. */
export function checkProxies({ env }: DoctorOptions): Finding {
  const set = proxyVariables.filter((name) => env[name] || env[name.toLowerCase()]);
  return ok(set.length === 0 ? "none" : `${set.join(", ")} ${set.length === 1 ? "is" : "are"} set`);
}

/** Checks that the model's provider answers. Even a refused key proves that it is reachable. */
export async function checkProvider(options: DoctorOptions): Promise<Finding> {
  const { provider } = currentConfig(options);
  if (provider.baseUrl === null) {
    const { wire } = provider;
    return ok(
      typeof wire === "object" ? `${wire.package} has the address` : "the offline model is part of this program",
    );
  }
  if (!URL.canParse(provider.baseUrl)) return failed("base_url is no address", "correct it in config.toml");
  const url = new URL(provider.baseUrl);
  const shown = `${url.origin}${url.pathname}`;
  try {
    const { status } = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(networkMs) });
    return ok(`${shown} answers (${status})`);
  } catch (error) {
    const why = errorMessage(error);
    return failed(`${shown} cannot be reached: ${why}`, "check base_url, the network, and proxies");
  }
}
