import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A `secret-tool` that keeps each secret in a file of `vault`, named by service and user. While there is a file `locked`
 * there, it fails as the real one does without a session bus.
 */
export function fakeSecretTool(folder: string, vault: string): void {
  const path = join(folder, "secret-tool");
  const lines = [
    "#!/bin/sh",
    `vault='${vault}'`,
    '[ -e "$vault/locked" ] && { echo "secret-tool: Cannot autolaunch D-Bus without X11 \\$DISPLAY" >&2; exit 1; }',
    "action=$1; shift",
    '[ "$1" = --label ] && shift 2',
    'file="$vault/$2-$4"',
    'case "$action" in',
    '  store) cat > "$file" ;;',
    '  lookup) [ -e "$file" ] || exit 1; cat "$file" ;;',
    '  clear) [ -e "$file" ] || exit 1; rm "$file" ;;',
    "esac",
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  chmodSync(path, 0o755);
}
