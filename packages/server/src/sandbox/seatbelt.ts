import type { Launch } from "../exec/launcher.ts";
import type { Reach } from "./reach.ts";

/** The same command under macOS's own sandbox. */
export function seatbeltLaunch(launch: Launch, reach: Reach): Launch {
  return { ...launch, argv: ["/usr/bin/sandbox-exec", "-p", seatbeltProfile(reach), "--", ...launch.argv] };
}

/** The rules. Later ones win, so what is closed comes after what is open. */
export function seatbeltProfile({ writable, anchors, readOnly, hidden, network }: Reach): string {
  const below = (paths: readonly string[]) => paths.map((path) => `(subpath ${quoted(path)})`).join(" ");
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
    ...(writable.length > 0 ? [`(allow file-write* ${below(writable)})`] : []),
    // What is closed is closed by its path: nothing may give it another.
    ...(anchors.length > 0
      ? [`(deny file-write-unlink ${anchors.map((path) => `(literal ${quoted(path)})`).join(" ")})`]
      : []),
    ...(readOnly.length > 0 ? [`(deny file-write* ${below(readOnly)})`] : []),
    ...(hidden.length > 0 ? [`(deny file-read* file-write* ${below(hidden)})`] : []),
    ...(network
      ? ["(allow network-outbound (remote ip))", "(allow network-inbound (local ip))", "(allow system-socket)"]
      : []),
  ].join("\n");
}

/** A string of the profile language. */
function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
