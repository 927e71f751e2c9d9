/** The commands that a message can begin with. */
export type SlashCommandName = "review" | "compact" | "fork" | "rename" | "new" | "model" | "status";

/** A command that is typed into the composer. */
export interface SlashCommand {
  readonly name: SlashCommandName;
  readonly description: string;
  /** Argument of the command; a required one is waited for. */
  readonly argument: "none" | "optional" | "required";
  /** Shown behind the name. */
  readonly hint?: string;
  /** Needs a thread; a new one has none yet. */
  readonly needsThread: boolean;
}

/** All commands, in the order in which they are offered. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: "review",
    description: "Review uncommitted changes, or what you name",
    argument: "optional",
    hint: "[what to look at]",
    needsThread: true,
  },
  { name: "compact", description: "Summarise the thread to free context", argument: "none", needsThread: true },
  { name: "fork", description: "Continue in a copy of this thread", argument: "none", needsThread: true },
  { name: "rename", description: "Give this thread a name", argument: "required", hint: "name", needsThread: true },
  { name: "new", description: "Start a new thread in this folder", argument: "none", needsThread: false },
  { name: "model", description: "Choose the model", argument: "none", needsThread: false },
  { name: "status", description: "Show model, folder, permissions and usage", argument: "none", needsThread: true },
];

/** A command as typed. */
export interface TypedCommand {
  readonly command: SlashCommand;
  readonly argument: string;
}

/** The command that a text is, if it is one. Any other text that begins with a slash is a message. */
export function parseCommand(text: string): TypedCommand | undefined {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const command = slashCommands.find((each) => each.name === match?.[1]);
  if (command === undefined) return undefined;
  const argument = match?.[2]?.trim() ?? "";
  return command.argument === "none" && argument !== "" ? undefined : { command, argument };
}
