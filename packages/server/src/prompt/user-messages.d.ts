import type { ResponseItem, UserInput } from "@quire/protocol";
import type { TurnSettings } from "../thread/turn-settings.ts";
import type { FileCache } from "./file-cache.ts";
/** What reading a user's input needs. */
export interface InputContext {
    readonly files: FileCache;
    readonly home: string;
    readonly settings: TurnSettings;
}
/**
 * A user's input as the model sees it: one message with texts and images in their order, then one for each skill that
 * was attached or named. Mentions stand in the text already.
 */
export declare function userMessages(input: readonly UserInput[], context: InputContext): Promise<ResponseItem[]>;
