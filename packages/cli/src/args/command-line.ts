/** A command's name and its arguments. */
export interface CommandLine {
  readonly name: string | undefined;
  readonly args: readonly string[];
}

/** Options of the configuration may stand before the command's name; they are handed on to it. */
export function commandLine(args: readonly string[]): CommandLine {
  const before: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (!arg.startsWith("-")) return { name: arg, args: [...before, ...args.slice(at + 1)] };
    if (!/^(-c|--config|--enable|--disable)(=|$)|^-c./.test(arg)) return { name: arg, args: args.slice(at + 1) };
    before.push(arg);
    if (/^(-c|--config|--enable|--disable)$/.test(arg) && at + 1 < args.length) before.push(args[++at] as string);
  }
  return { name: undefined, args: before };
}
