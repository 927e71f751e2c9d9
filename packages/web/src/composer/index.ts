export { Composer } from "./composer.tsx";
export type { ComposerProps } from "./composer-props.ts";
export { useQueueRunner } from "./queue.ts";
export type { SlashCommandName } from "./slash-commands.ts";
