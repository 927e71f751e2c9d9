import { isAssignment, parseScript, plainCommands } from "@quire/protocol/shell";

/** The commands of a script, as far as they are known. */
export interface Commands {
  /** Each command with all its words; the shell's command line when the script is more than plain commands. */
  readonly exact: readonly (readonly string[])[];
  /** True when `exact` is everything that the script runs. */
  readonly plain: boolean;
  /** For other scripts: the prefixes of its commands, up to the first word that is not literal. */
  readonly seen: readonly (readonly string[])[];
  /** The script, when its commands are unknown or a program depends on variables or files. */
  readonly unclear: string | null;
}

/** Takes a script apart. `argv` is the shell's command line that runs it. */
export function commandsOf(script: string, argv: readonly string[]): Commands {
  const pipelines = parseScript(script);
  if (pipelines === undefined) return { exact: [argv], plain: false, seen: [], unclear: script };
  const plain = plainCommands(pipelines)?.flat();
  if (plain !== undefined && plain.length > 0) return { exact: plain, plain: true, seen: [], unclear: null };
  let named = true;
  const seen = pipelines.flatMap(({ commands }) =>
    commands.map(({ words }) => {
      const first = words.findIndex((word) => !isAssignment(word));
      const rest = first < 0 ? [] : words.slice(first);
      const end = rest.findIndex(({ literal }) => literal === undefined);
      if (end === 0) named = false;
      return (end < 0 ? rest : rest.slice(0, end)).flatMap(({ literal }) => literal ?? []);
    }),
  );
  return { exact: [argv], plain: false, seen, unclear: named ? null : script };
}

/** True when a script deletes without confirmation. Scripts that cannot be parsed are searched for it. */
export function isRisky({ exact, plain, seen, unclear }: Commands): boolean {
  if (unclear !== null && /(^|[\s;&|("'`/])rm\s+(-\S+\s+)*-(-force|[a-zA-Z]*f)/.test(unclear)) return true;
  return [...(plain ? exact : []), ...seen].some(deletes);
}

function deletes(command: readonly string[]): boolean {
  const [program = "", ...rest] = command;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (name === "sudo") return deletes(rest.slice(rest.indexOf("rm")));
  if (name !== "rm") return false;
  const end = rest.indexOf("--");
  const options = end < 0 ? rest : rest.slice(0, end);
  return options.some((word) => /^-[a-zA-Z]*f/.test(word) || (word.length > 2 && "--force".startsWith(word)));
}
