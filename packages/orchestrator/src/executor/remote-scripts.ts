import { runMark } from "../workspace/run-mark.ts";
import { exports, quote } from "./shell-words.ts";

/** Exit codes of the scripts, apart from those of hooks and programs. */
export const unsafeCode = 96;

/** Ends all processes that carry the mark of a run, wherever they have gone. */
const reapFunction = `reap() {
  for try in 1 2 3 4 5 6 7 8 9 10; do
    found=
    for file in $(grep -lszxF -- "${runMark}=$1" /proc/[0-9]*/environ 2>/dev/null); do
      pid=\${file#/proc/}; pid=\${pid%/environ}
      kill -9 "$pid" 2>/dev/null && found=1
    done
    [ -z "$found" ] && return 0
    sleep 0.1
  done
}`;

/** Refuses a folder that is a link, is not the user's, or in which others can write. */
const safeFunction = `refuse() { printf '%s\\n' "$1" >&2; exit ${unsafeCode}; }
safe() {
  [ ! -L "$1" ] || refuse "$1 is a symbolic link: remove it"
  [ -d "$1" ] || refuse "$1 is not a folder: move it away"
  [ -O "$1" ] || refuse "$1 belongs to another user: move it away, or set workspace.root"
  [ -z "$(find "$1" -prune -perm /022)" ] || refuse "Other users can write to $1: chmod go-w '$1'"
}`;

/** Sets \`root\` to the folder of the workspaces, which is made if it is not there. */
const rootLines = (root: string) => `root=${quote(root)}
case "$root" in "~/"*) root="$HOME/\${root#"~/"}";; esac
umask 077
mkdir -p -- "$root/.quire-pending" || exit ${unsafeCode}
safe "$root"
root=$(cd -- "$root" && pwd -P)`;

/** Makes an issue's folder or takes the one that is there; prints whether it is new, and its path. */
export function prepareScript(root: string, key: string): string {
  return `${safeFunction}
${rootLines(root)}
ws="$root/"${quote(key)}; pending="$root/.quire-pending/"${quote(key)}
if [ -e "$pending" ]; then rm -rf -- "$ws"; fi
new=0
if [ ! -e "$ws" ] && [ ! -L "$ws" ]; then
  : > "$pending" && mkdir -m 700 -- "$ws" || exit 1
  new=1
fi
safe "$ws"
printf '%s\\n%s\\n' "$new" "$ws"`;
}

/** Says that a folder was made to its end. */
export const readyScript = (path: string): string =>
  `ws=${quote(path)}\nrm -f -- "\${ws%/*}/.quire-pending/\${ws##*/}"`;

/** Removes a folder that was not made to its end. */
export const discardScript = (path: string): string => `rm -rf -- ${quote(path)}\n${readyScript(path)}`;

/** A script of the user's, in a workspace. */
export interface RemoteHook {
  readonly path: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mark: string;
  readonly timeoutMs: number;
}

/** Runs a hook, and ends with it all that it started, also when the other side goes away or its time is up. */
export function hookScript({ path, script, env, mark, timeoutMs }: RemoteHook): string {
  return `${reapFunction}
${enter(path)}
${exports(env)}
own=setsid; command -v setsid >/dev/null 2>&1 || own=
exec 3<&0
${runMark}=${quote(mark)} $own sh -lc ${quote(script)} </dev/null 3<&- &
pid=$!
( cat <&3 >/dev/null 2>&1; reap ${quote(mark)} ) >/dev/null 2>&1 &
gone=$!
( sleep ${Math.ceil(timeoutMs / 1000)}; reap ${quote(mark)}; ) 3<&- >/dev/null 2>&1 &
late=$!
wait "$pid"; s=$?
kill "$gone" "$late" 2>/dev/null
reap ${quote(mark)} >/dev/null 2>&1
exit "$s"`;
}

/** Runs a program whose input and output are the connection, and ends all that it started with it. */
export function serveScript({ path, script, env, mark }: Omit<RemoteHook, "timeoutMs">): string {
  return `${reapFunction}
${enter(path)}
${exports(env)}
own=setsid; command -v setsid >/dev/null 2>&1 || own=
${runMark}=${quote(mark)} $own bash -lc ${quote(script)}
s=$?
reap ${quote(mark)} >/dev/null 2>&1
exit "$s"`;
}

/** Ends what is left of runs. */
export const reapScript = (marks: readonly string[]): string =>
  `${reapFunction}\n${marks.map((mark) => `reap ${quote(mark)}`).join("\n")}`;

/** Refuses a folder that is not the user's own, directly in a root. */
export const checkScript = (path: string): string => `${safeFunction}\nsafe ${quote(path)}\n${enter(path)}`;

/** Says where an issue's folder is; nothing where there is none. */
export function findScript(root: string, key: string): string {
  return `${safeFunction}
${rootLines(root)}
ws="$root/"${quote(key)}
[ -e "$ws" ] || [ -L "$ws" ] || exit 0
safe "$ws"
printf '%s\\n' "$ws"`;
}

/** Lists repositories below a workspace's own: nobody looks into those from here. */
export const nestedScript = (path: string): string =>
  `find ${quote(path)} -mindepth 2 -name .git -print 2>/dev/null | head -n 1\n[ -e ${quote(path)}/.git ] && echo own\nexit 0`;

export const removeScript = (path: string): string => `rm -rf -- ${quote(path)}`;

const enter = (path: string) =>
  `cd -- ${quote(path)} || exit ${unsafeCode}\n[ "$(pwd -P)" = ${quote(path)} ] || exit ${unsafeCode}`;
