/** A word as a POSIX shell reads it. */
export const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Lines that set and export variables. Names that are none are left out. */
export function exports(env: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(env)
    .flatMap(([name, value]) =>
      value === undefined || !/^[A-Za-z_]\w*$/.test(name) ? [] : [`export ${name}=${quote(value)}`],
    )
    .join("\n");
}
