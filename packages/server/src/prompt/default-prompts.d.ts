import type { PromptSource } from "./prompt-source.ts";
/** Makes the source of all prompt text. It remembers files it has read, and reads them again when they changed. */
export declare function promptSource(home: string): PromptSource;
