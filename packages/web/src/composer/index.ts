export { Composer } from "./composer.tsx";
export type { ComposerProps } from "./composer-props.ts";
export { keepUnsent } from "./drafts.ts";
export type { MessageQueue } from "./message-queue.ts";
export { useQueueRunner } from "./queue.ts";
export type { SlashCommandName } from "./slash-commands.ts";
