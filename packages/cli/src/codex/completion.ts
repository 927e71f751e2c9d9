import type { CommandSpec } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** `completion`. */
export const completionSpec: CommandSpec<Record<never, never>> = {
  name: `${programName} completion`,
  summary: "Print a script that completes commands and options in your shell",
  operands: "[SHELL]",
  maxOperands: 1,
  flags: {},
  examples: [[`source <(${programName} completion bash)`, "For this shell; put it into ~/.bashrc for all."]],
  notes: `Shells: ${shells.join(", ")}.`,
};

/** Prints the script. It asks the command itself for its options, so that it is never out of date. */
export async function completion(args: readonly string[], commands: readonly string[]): Promise<number> {
  const { operands, help } = parseArguments(completionSpec, args);
  if (help) return showHelp(completionSpec);
  const shell = operands[0] ?? "bash";
  const names = commands.join(" ");
  const options = `${programName} "$1" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u`;
  const bash = [
    `_${programName}_options() { ${options}; }`,
    `_${programName}() {`,
    `  local words="${names}"`,
    `  [ "$COMP_CWORD" -gt 1 ] && words="$(_${programName}_options "\${COMP_WORDS[1]}")"`,
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    "}",
    `complete -o default -F _${programName} ${programName}`,
  ];
  const scripts: ReadonlyMap<string, readonly string[]> = new Map(
    Object.entries({
      bash,
      zsh: ["autoload -U +X bashcompinit && bashcompinit", ...bash],
      fish: [
        `complete -c ${programName} -n __fish_use_subcommand -a "${names}"`,
        `complete -c ${programName} -n "not __fish_use_subcommand" -a "(${programName} (commandline -opc)[2] --help 2>/dev/null | string match -ra -- '--[a-z][a-z-]+')"`,
      ],
    }),
  );
  const script = scripts.get(shell);
  if (!script)
    throw new UsageError(`invalid value '${shell}' for '[SHELL]'\n  [possible values: ${shells.join(", ")}]`);
  process.stdout.write(`${script.join("\n")}\n`);
  return 0;
}
