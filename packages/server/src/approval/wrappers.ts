import { basename } from "node:path";

/** Programs that run the command in their arguments. */
const wrappers = new Set(
  (
    "builtin bwrap caffeinate catchsegv chroot chrt command coproc doas entr env eval exec faketime fakeroot firejail flock " +
    "gdb ionice ltrace nice noglob nocorrect nohup nsenter numactl parallel pkexec prlimit proot proxychains rlwrap runuser " +
    "script setarch setpriv setsid sg softlimit ssh-agent start-stop-daemon stdbuf strace su sudo systemd-run taskset tclsh " +
    "time timeout torsocks tsocks unbuffer unshare valgrind watch xargs xvfb-run"
  ).split(" "),
);

/** Shells: their arguments are scripts. */
const shells = new Set("ash bash busybox dash fish ksh sh tcsh zsh".split(" "));

/** Shells and languages: they run code from arguments, files or input. */
const interpreters = new Set(
  (
    "ash bash bun busybox cmd csh dash deno elixir erl expect fish gawk ghci gjs groovy guile java jshell julia ksh lua " +
    "luajit mawk nawk awk node nodejs osascript perl php powershell pwsh pypy python raku rscript ruby scala scheme sh swift " +
    "tcsh toybox ts-node tsx zsh"
  ).split(" "),
);

/** Other programs whose arguments can make them run or write anything. */
const reaching = new Set(
  (
    ". busctl bunx cmake crontab at batch dbus-send docker ed emacs ex fd find ftp gmake just kubectl lftp less logrotate " +
    "m4 make man meson more mutt mysql nano ncat nc nerdctl nerdctl ninja npx nvim openssl pipx pnpx podman psql rake rsync " +
    "rview rvim scp screen sed sftp socat source sqlite3 ssh tar telnet tmux uvx vi view vim vimdiff wish xterm zip"
  ).split(" "),
);

/** The name of a program without folder and version: `python3.12` is `python`. */
function programName(program: string): string {
  return (
    basename(program)
      .toLowerCase()
      // Once for each run of digits and dots: names come from a model and may be long.
      .replace(/(?<![\d.])[\d.]+(?:\.exe)?$/, "")
      .replace(/\.exe$/, "")
  );
}

/** True when a program runs the command in its arguments. */
export function isWrapper(program: string): boolean {
  return wrappers.has(programName(program)) || wrappers.has(basename(program));
}

/** True when a program runs words as shell scripts. */
export function isShell(program: string): boolean {
  return shells.has(programName(program));
}

/** True when a program runs code from a text or file. */
function isInterpreter(program: string): boolean {
  return interpreters.has(programName(program));
}

/** True when a rule about such a prefix would allow everything. */
export function runsAnything(program: string): boolean {
  return isWrapper(program) || isInterpreter(program) || reaching.has(programName(program)) || reaching.has(program);
}
