/** Scripts that the server starts outside of every sandbox, without links. */
const noted = new Set<string>();

/** More than all configurations of a server name; beyond, the oldest is forgotten. */
const maxNoted = 1024;

/**
 * Notes scripts that are compared with what the user trusted and then started. From now on no confined command changes
 * them: between the two there is a moment, and a shell reads a script while it runs.
 */
export function protectScripts(paths: Iterable<string>): void {
  for (const path of paths) {
    if (noted.has(path)) continue;
    const [oldest] = noted.size < maxNoted ? [] : noted;
    if (oldest !== undefined) noted.delete(oldest);
    noted.add(path);
  }
}

/** All such scripts. */
export function protectedScripts(): Iterable<string> {
  return noted;
}
