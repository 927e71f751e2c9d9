import type { TurnSettings } from "../thread/turn-settings.ts";
/** What the model may do by itself and for what the user is asked. */
export declare function permissionsPrompt({ sandboxPolicy, approvalPolicy, cwd }: TurnSettings): string;
