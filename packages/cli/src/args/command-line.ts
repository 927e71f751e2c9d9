import { configFlags } from "./config-flags.ts";
import type { Flag, Flags } from "./flag.ts";
import { flagNames, splitFlag } from "./parse.ts";

/** A command's name and its arguments. */
export interface CommandLine {
  readonly name: string | undefined;
  /** Options of the configuration that stand before the name come first. */
  readonly args: readonly string[];
  /** Other options before the name; only some commands take them. */
  readonly before: readonly string[];
}

/** Finds a command's name behind the options that may stand before it. */
export function commandLine(args: readonly string[], flags: Flags = configFlags): CommandLine {
  let names: ReturnType<typeof flagNames> | undefined;
  const config: string[] = [];
  const before: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (!arg.startsWith("-") || arg === "-") return { name: arg, args: [...config, ...args.slice(at + 1)], before };
    const { word, attached } = splitFlag(arg);
    names ??= flagNames(flags);
    const name = names.get(word);
    if (name === undefined) return { name: arg, args: args.slice(at + 1), before };
    const takesNext = (flags[name] as Flag).type !== "switch" && attached === undefined && at + 1 < args.length;
    (Object.hasOwn(configFlags, name) ? config : before).push(arg, ...(takesNext ? [args[++at] as string] : []));
  }
  return { name: undefined, args: config, before };
}
