import { existsSync } from "node:fs";
import { win32 } from "node:path";
import process from "node:process";

/** A command in the form that `spawn` wants. */
export interface ResolvedCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already; Node must not quote them again. */
  readonly verbatim: boolean;
}

/** Environment for looking up commands; injectable, so that Windows' rules are tested everywhere. */
export interface CommandLookup {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
}

/**
 * Finds what to spawn. Everywhere but on Windows that is the command itself. On Windows, tools installed by npm are
 * `.cmd` files, which `spawn` neither finds nor may start directly: they go through `cmd.exe` with every argument
 * escaped.
 */
export function resolveCommand(
  command: string,
  args: readonly string[],
  lookup: CommandLookup = { platform: process.platform, env: process.env, exists: existsSync },
): ResolvedCommand {
  if (lookup.platform !== "win32") return { file: command, args, verbatim: false };
  const file = findOnWindows(command, lookup) ?? command;
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const line = [escapeMeta(win32.normalize(file)), ...args.map(escapeArgument)].join(" ");
  return { file: variable(lookup.env, "ComSpec") ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

function findOnWindows(command: string, lookup: CommandLookup): string | undefined {
  const folders = /[\\/]/.test(command) ? [""] : (variable(lookup.env, "Path") ?? "").split(";").filter(Boolean);
  const endings = (variable(lookup.env, "PathExt") ?? ".EXE;.CMD;.BAT").split(";").filter(Boolean);
  const names = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()))
    ? [command]
    : endings.map((ending) => command + ending.toLowerCase());
  for (const folder of folders) {
    for (const name of names) {
      const path = folder === "" ? name : win32.join(folder, name);
      if (lookup.exists(path)) return path;
    }
  }
  return undefined;
}

/** Windows environment names ignore case. */
function variable(env: CommandLookup["env"], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}

/** Quoted for the C runtime, then escaped twice: once for `cmd /c`, once for the `%*` inside the batch file. */
function escapeArgument(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
  return escapeMeta(escapeMeta(quoted));
}

function escapeMeta(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
