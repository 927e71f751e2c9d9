import { composeWords } from "../words/words.ts";
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
    description: composeWords.reviewUncommittedChangesName,
    argument: "optional",
    hint: composeWords.look,
    needsThread: true,
  },
  { name: "compact", description: composeWords.summariseThreadFreeContext, argument: "none", needsThread: true },
  { name: "fork", description: composeWords.continueCopyThread, argument: "none", needsThread: true },
  { name: "rename", description: composeWords.giveThreadName, argument: "required", hint: "name", needsThread: true },
  { name: "new", description: composeWords.startNewThreadFolder, argument: "none", needsThread: false },
  { name: "model", description: composeWords.chooseModel, argument: "none", needsThread: false },
  { name: "status", description: composeWords.showModelFolderPermissionsUsage, argument: "none", needsThread: true },
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
