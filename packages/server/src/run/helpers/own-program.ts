/**
 * Bun reads `bunfig.toml`, `.env`, `package.json` and `tsconfig.json` of its start folder, and variables that name code
 * to load. A helper starts where only the system's owner writes, with all of that switched off.
 */
const readNothing = ["--config=/dev/null", "--tsconfig-override=/dev/null", "--no-env-file", "--no-install"];

/** Variables that a helper of the server may see: for the user's keyring and the language of messages. */
const passed =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TMPDIR|TEMP|TMP|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY)$/;
const passedOnWindows = /^(SystemRoot|windir|USERPROFILE|APPDATA|LOCALAPPDATA|USERNAME|USERDOMAIN|ComSpec|PATHEXT)$/i;

type Env = Readonly<Record<string, string | undefined>>;

/** The start folder of helpers, writable by the system's owner only. */
export const helperFolder: string = process.platform === "win32" ? (process.env.SystemRoot ?? "C:\\") : "/";

/** The command that runs a script in another process of this very program. */
export function ownProgram(script: string): string[] {
  return [process.execPath, ...readNothing, "-e", script];
}

/** The variables of a helper. Nothing is in it by which a program could be made to load something. */
export function helperEnvironment(env: Env): Record<string, string> {
  const isPassed = (name: string) =>
    passed.test(name) || name.startsWith("XDG_") || (process.platform === "win32" && passedOnWindows.test(name));
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isPassed(entry[0]),
  );
  // A server that is one executable acts as Bun on request. What Bun has compiled lies where commands may write.
  return { ...Object.fromEntries(kept), BUN_BE_BUN: "1", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
}
