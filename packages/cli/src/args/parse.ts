import { type CommandSpec, type Flag, type Flags, type FlagValues, flagName } from "./flag.ts";
import { nearest } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

/** A command line, taken apart. */
export interface Parsed<F extends Flags> {
  readonly flags: FlagValues<F>;
  readonly operands: readonly string[];
  /** True if help was requested; nothing else was checked then. */
  readonly help: boolean;
}

/** Reads a command's arguments. Throws a {@link UsageError} that names what was meant. */
export function parseArguments<F extends Flags>(spec: CommandSpec<F>, args: readonly string[]): Parsed<F> {
  const names = flagNames(spec.flags);
  const values: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(spec.flags)) {
    values[name] = type === "switch" ? false : type === "list" ? [] : undefined;
  }
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg === "--help" || arg === "-h") return { flags: values as FlagValues<F>, operands, help: true };
    if (!arg.startsWith("-") || arg === "-") {
      if (spec.takesRest) {
        operands.push(...args.slice(at));
        break;
      }
      operands.push(arg);
      continue;
    }
    const { word, attached } = splitFlag(arg);
    const name = names.get(word);
    if (name === undefined) throw unexpected(word, Object.keys(spec.flags).map(flagName), spec);
    const flag = spec.flags[name] as Flag;
    if (flag.type === "switch") {
      if (attached !== undefined)
        throw new UsageError(`unexpected value '${attached}' for '${word}' found; it takes none`);
      values[name] = true;
      continue;
    }
    const isBare = flag.bare !== undefined && attached === undefined && (args[at + 1] ?? "-").startsWith("-");
    const text = isBare ? flag.bare : (attached ?? args[++at]);
    if (text === undefined)
      throw new UsageError(`a value is required for '${usageOf(name, flag)}' but none was supplied`);
    if (flag.type !== "list") {
      values[name] = parsedValue(name, flag, text);
      continue;
    }
    const more = flag.many && attached === undefined ? wordsFrom(args, at + 1) : [];
    at += more.length;
    const given = flag.many ? [text, ...more].flatMap((word) => word.split(",")) : [text];
    values[name] = [...(values[name] as string[]), ...given];
  }
  const { maxOperands = 0 } = spec;
  if (operands.length > maxOperands) {
    const remedy = maxOperands === 0 ? `${spec.name} takes options only` : "put quotes around what belongs together";
    throw new UsageError(`unexpected argument '${operands[maxOperands]}' found; ${remedy}`);
  }
  return { flags: values as FlagValues<F>, operands, help: false };
}

/** Options by each way they can be typed, as `--config` and `-c`. */
export function flagNames(flags: Flags): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(flags).flatMap(([name, { short, aliases = [] }]) => [
      ...[name, ...aliases].map((each) => [flagName(each), name] as const),
      ...(short ? [[`-${short}`, name] as const] : []),
    ]),
  );
}

function wordsFrom(args: readonly string[], start: number): readonly string[] {
  const end = args.findIndex((arg, at) => at >= start && arg.startsWith("-"));
  return args.slice(start, end < 0 ? args.length : end);
}

/** `--listen <URL>`, as errors and the help name an option. */
export function usageOf(name: string, flag: Flag): string {
  return flag.type === "switch" ? flagName(name) : `${flagName(name)} <${flag.value ?? "VALUE"}>`;
}

/** `--name=value`, `-cvalue` and `-c=value` hold their value themselves. */
export function splitFlag(arg: string): { readonly word: string; readonly attached?: string } {
  if (arg.startsWith("--")) {
    const equals = arg.indexOf("=");
    return equals < 0 ? { word: arg } : { word: arg.slice(0, equals), attached: arg.slice(equals + 1) };
  }
  return arg.length > 2 ? { word: arg.slice(0, 2), attached: arg.slice(arg[2] === "=" ? 3 : 2) } : { word: arg };
}

function parsedValue(name: string, flag: Flag, text: string): string | number {
  if (flag.choices && !flag.choices.includes(text)) {
    const like = nearest(text, flag.choices);
    const tip = like === undefined ? "" : `\n\n  tip: a similar value exists: '${like}'`;
    throw new UsageError(
      `invalid value '${text}' for '${usageOf(name, flag)}'\n  [possible values: ${flag.choices.join(", ")}]${tip}`,
    );
  }
  if (flag.type !== "number") return text;
  const [least, greatest] = flag.range ?? [0, Number.MAX_SAFE_INTEGER];
  if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > greatest) {
    const range = flag.range ? ` from ${least}${greatest === Number.MAX_SAFE_INTEGER ? "" : ` to ${greatest}`}` : "";
    throw new UsageError(`invalid value '${text}' for '${usageOf(name, flag)}': expected a whole number${range}`);
  }
  return Number(text);
}

function unexpected(word: string, known: readonly string[], spec: CommandSpec): UsageError {
  const like = nearest(word, known);
  const tip = like === undefined ? "" : `\n\n  tip: a similar argument exists: '${like}'`;
  return new UsageError(
    `unexpected argument '${word}' found${tip}\n\nUsage: ${spec.name} [OPTIONS]${spec.operands ? ` ${spec.operands}` : ""}`,
  );
}
