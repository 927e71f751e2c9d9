/** Messages of programs that a sandbox stops. */
const words =
  /operation not permitted|permission denied|read-only file system|network is unreachable|temporary failure in name resolution|could not resolve host|name or service not known|bad system call|seccomp|sandbox-exec/i;

/** True when a command seems to have failed because it was confined: it failed with a message of that kind. */
export function looksDenied(exitCode: number, output: string): boolean {
  // 126 and 127 are the shell's own: not executable, not found.
  return exitCode !== 0 && exitCode !== 127 && words.test(output.slice(-64 * 1024));
}
