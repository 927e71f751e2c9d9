import type { TurnSettings } from "../thread/turn-settings.ts";
/** Where the model is: folder, shell, date, what it can reach. The tags are those that models know from Codex. */
export declare function environmentContext(settings: TurnSettings, now?: Date): string;
