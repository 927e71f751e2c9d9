export { Composer } from "./composer.tsx";
export type { ComposerProps } from "./composer-props.ts";
export { approvalLabel, sandboxLabel } from "./permissions.ts";
export { type QueuedMessage, queueKey, type SendQueued, useQueueRunner } from "./queue.ts";
export { type SlashCommand, type SlashCommandName, slashCommands } from "./slash-commands.ts";
