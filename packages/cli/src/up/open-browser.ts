import { spawn } from "node:child_process";
import { ownPath } from "@quire/server/startup";

/**
 * Opens a page where there is a screen to show it on. A failure is none: the address has been printed. Of other addresses,
 * which a server may have named, none is opened: they would start programs of the user's.
 */
export function openBrowser(url: string, env: Readonly<Record<string, string | undefined>> = process.env): void {
  const command = opener(env);
  if (!command || !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return;
  const [program = "", ...args] = command;
  try {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true, env: withoutSecrets(env) });
    child.on("error", () => undefined);
    child.unref();
  } catch {
    // As above.
  }
}

/** A browser, which outlives this program, needs none of the keys that the server needs. */
function withoutSecrets(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/KEY|SECRET|TOKEN|PASSWORD/i.test(name)));
}

function opener(env: Readonly<Record<string, string | undefined>>): string[] | undefined {
  if (env.CI) return undefined;
  if (process.platform === "darwin") return ["/usr/bin/open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  // Never a program of the work: it is handed the address that signs a browser in.
  const PATH = ownPath(env.PATH, process.cwd());
  const found = Bun.which("wslview", { PATH }) ?? Bun.which("xdg-open", { PATH });
  return found === null ? undefined : [found];
}
