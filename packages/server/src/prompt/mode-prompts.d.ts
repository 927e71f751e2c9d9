import type { CollaborationMode, Personality } from "@quire/protocol";
/** How to work together, where the user chose a mode; `undefined` in the default one. */
export declare function collaborationPrompt(mode: CollaborationMode | null): string | undefined;
/** The tone the user chose; `undefined` where none was chosen. */
export declare function personalityPrompt(personality: Personality | null): string | undefined;
