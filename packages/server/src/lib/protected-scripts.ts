/** Real paths of scripts that the server starts outside of every sandbox. */
const noted = new Set<string>();

/** More scripts than a server's configurations name; beyond this the oldest is dropped. */
const maxNoted = 1024;

/**
 * Keeps confined commands from changing scripts that are checked against the user's trust and then started: a command
 * could write in between, and a shell reads a script while it runs.
 */
export function protectScripts(paths: Iterable<string>): void {
  for (const path of paths) {
    if (noted.has(path)) continue;
    const [oldest] = noted.size < maxNoted ? [] : noted;
    if (oldest !== undefined) noted.delete(oldest);
    noted.add(path);
  }
}

/** The paths given to {@link protectScripts}. */
export function protectedScripts(): Iterable<string> {
  return noted;
}
