import { basename } from "node:path";

/** Programs that run the command that their words name. */
const wrappers = new Set(
  (
    "builtin bwrap caffeinate catchsegv chroot chrt command coproc doas entr env eval exec faketime fakeroot firejail flock " +
    "gdb ionice ltrace nice noglob nocorrect nohup nsenter numactl parallel pkexec prlimit proot proxychains rlwrap runuser " +
    "script setarch setpriv setsid sg softlimit ssh-agent start-stop-daemon stdbuf strace su sudo systemd-run taskset tclsh " +
    "time timeout torsocks tsocks unbuffer unshare valgrind watch xargs xvfb-run"
  ).split(" "),
);

/** Shells: their words are scripts. */
const shells = new Set("ash bash busybox dash fish ksh sh tcsh zsh".split(" "));

/** Shells and languages: what they run is in their words, in a file or on their input. */
const interpreters = new Set(
  (
    "ash bash bun busybox cmd csh dash deno elixir erl expect fish gawk ghci gjs groovy guile java jshell julia ksh lua " +
    "luajit mawk nawk awk node nodejs osascript perl php powershell pwsh pypy python raku rscript ruby scala scheme sh swift " +
    "tcsh toybox ts-node tsx zsh"
  ).split(" "),
);

/** Programs of other kinds whose words can make them run or write anything. */
const reaching = new Set(
  (
    ". busctl bunx cmake crontab at batch dbus-send docker ed emacs ex fd find ftp gmake just kubectl lftp less logrotate " +
    "m4 make man meson more mutt mysql nano ncat nc nerdctl nerdctl ninja npx nvim openssl pipx pnpx podman psql rake rsync " +
    "rview rvim scp screen sed sftp socat source sqlite3 ssh tar telnet tmux uvx vi view vim vimdiff wish xterm zip"
  ).split(" "),
);

/** The name of a program, without its folder and version: `python3.12` is `python`. */
function programName(program: string): string {
  return (
    basename(program)
      .toLowerCase()
      // Once for each run of digits and dots: names come from a model and may be long.
      .replace(/(?<![\d.])[\d.]+(?:\.exe)?$/, "")
      .replace(/\.exe$/, "")
  );
}

/** Whether a program runs the command that follows among its words. */
export function isWrapper(program: string): boolean {
  return wrappers.has(programName(program)) || wrappers.has(basename(program));
}

/** Whether a program runs words as scripts of a shell. */
export function isShell(program: string): boolean {
  return shells.has(programName(program));
}

/** Whether a program runs what a text or a file says. */
function isInterpreter(program: string): boolean {
  return interpreters.has(programName(program));
}

/** Whether a rule about the beginning of such a command would be one about everything. */
export function runsAnything(program: string): boolean {
  return isWrapper(program) || isInterpreter(program) || reaching.has(programName(program)) || reaching.has(program);
}
