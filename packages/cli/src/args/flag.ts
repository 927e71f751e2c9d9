/** An option of a command. */
export interface Flag {
  /** `switch` takes no value, `list` may be given several times. */
  readonly type: "switch" | "text" | "number" | "list";
  /** Its purpose, in one or two sentences. */
  readonly help: string;
  /** The one letter that stands for it. */
  readonly short?: string;
  /** Other long names for it, in camelCase. */
  readonly aliases?: readonly string[];
  /** Takes all words up to the next option, and splits them at commas. Only for a `list`. */
  readonly many?: boolean;
  /** Name of its value in the help. */
  readonly value?: string;
  /** Value of an option that is given without one. A value has to be attached by `=`, or come next. */
  readonly bare?: string;
  /** Least and greatest value of a number. Default: any from 0. */
  readonly range?: readonly [least: number, greatest: number];
  /** All values that it can have. */
  readonly choices?: readonly string[];
  /** The default as the help shows it. */
  readonly fallback?: string;
}

/** Options by name, in camelCase; on the command line the name has hyphens. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F extends Flag> = F["type"] extends "switch"
  ? boolean
  : F["type"] extends "number"
    ? number | undefined
    : F["type"] extends "list"
      ? readonly string[]
      : F["choices"] extends readonly (infer Choice)[]
        ? Choice | undefined
        : string | undefined;

/** Values of the options. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: ValueOf<F[Name]> };

/** A command as the parser and the help see it. */
export interface CommandSpec<F extends Flags = Flags> {
  /** As typed: `quire run`. */
  readonly name: string;
  /** A line for the list of commands. */
  readonly summary: string;
  /** Operands after the options, such as `PROMPT`. */
  readonly operands?: string;
  /** Maximum number of operands. Default 0. */
  readonly maxOperands?: number;
  /** True if everything from the first operand on is operands: options of another command. */
  readonly takesRest?: boolean;
  readonly flags: F;
  /** Commands that stand behind it, each with a word about it. */
  readonly commands?: readonly (readonly [name: string, about: string])[];
  /** Text at the end of the help, such as the meaning of exit codes. */
  readonly notes?: string;
  /** Command lines that show how it is used, each with a word about it. */
  readonly examples?: readonly (readonly [line: string, about: string])[];
}

/** The numbers that a port can have; 0 takes a free one. */
export const portRange: readonly [number, number] = [0, 65_535];

/** `maxClockSkew` as it is typed: `--max-clock-skew`. */
export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (part) => `-${part.toLowerCase()}`)}`;
}
