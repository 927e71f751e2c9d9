import { spawn } from "node:child_process";

/** Opens a page where there is a screen to show it on. A failure is none: the address has been printed. */
export function openBrowser(url: string, env: Readonly<Record<string, string | undefined>> = process.env): void {
  const command = opener(env);
  if (!command) return;
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
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  const found = ["wslview", "xdg-open"].find((name) => Bun.which(name) !== null);
  return found === undefined ? undefined : [found];
}
