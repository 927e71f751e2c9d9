import { basename, dirname } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { settingsNames } from "../../workspace-files/settings-names.ts";
import type { Launch } from "../process/launcher.ts";
import type { Reach } from "./reach.ts";

/** The same command under macOS's own sandbox. */
export function seatbeltLaunch(launch: Launch, reach: Reach): Launch {
  return { ...launch, argv: ["/usr/bin/sandbox-exec", "-p", seatbeltProfile(reach), "--", ...launch.argv] };
}

/** The rules. Later ones win, so what is closed comes after what is open. */
export function seatbeltProfile({ writable, roots, anchors, readOnly, hidden, network }: Reach): string {
  const below = (paths: readonly string[]) => paths.map((path) => `(subpath ${quoted(path)})`).join(" ");
  const rule = (words: string, paths: readonly string[]) => (paths.length > 0 ? [`(${words} ${below(paths)})`] : []);
  const folders = hidden.map(({ folder }) => folder);
  const reopened = roots.filter((root) => folders.some((folder) => root !== folder && isWithin(root, folder)));
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    "(allow pseudo-tty)",
    "(allow file-read*)",
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/ttys"))',
    ...rule("allow file-write*", writable),
    ...rule("deny file-read* file-write*", folders),
    ...rule("allow file-read*", [
      ...hidden.flatMap(({ shown }) => shown.flatMap(({ at, source }) => [at, source])),
      ...reopened,
    ]),
    ...rule("allow file-write*", reopened),
    // Paths are closed by name: nothing may rename them.
    ...(anchors.length > 0
      ? [`(deny file-write-unlink ${anchors.map((path) => `(literal ${quoted(path)})`).join(" ")})`]
      : []),
    ...rule("deny file-write*", readOnly),
    ...(writable.length > 0
      ? [`(deny file-write* ${[...closedNames(readOnly), ...nestedNames(writable)].join(" ")})`]
      : []),
    ...(network
      ? ["(allow network-outbound (remote ip))", "(allow network-inbound (local ip))", "(allow system-socket)"]
      : []),
  ].join("\n");
}

/** Protected names in any spelling: most file systems of a Mac ignore case. */
function closedNames(readOnly: readonly string[]): string[] {
  return readOnly
    .filter((path) => settingsNames.includes(basename(path)))
    .map((path) => regex(`^${plain(dirname(path))}/${anyCase(basename(path))}(/|$)`));
}

/** Settings of agents at any depth. Repositories may be created there: that is work. */
function nestedNames(writable: readonly string[]): string[] {
  const names = settingsNames.filter((name) => name !== ".git").map(anyCase);
  return writable.map((folder) => regex(`^${plain(folder)}/(.*/)?(${names.join("|")})(/|$)`));
}

function regex(pattern: string): string {
  return `(regex #"${pattern.replaceAll('"', '\\"')}")`;
}

/** An expression that matches this text only. */
function plain(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

function anyCase(name: string): string {
  return plain(name).replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
