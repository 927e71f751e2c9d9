import type { ThreadSettingsState } from "@quire/client/view";
import type { CollaborationModeMask, FuzzyFileSearchResult, Model, UserInput } from "@quire/protocol";
import type { TurnOverrides } from "../state/actions.ts";
import type { Loadable, Skill } from "../state/model.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { SlashCommandName } from "./slash-commands.ts";

/** Props of the composer. */
export interface ComposerProps {
  /** Names the draft and the queue: `keyText` of the thread, or something stable for a new one. */
  readonly draftKey: string;
  /** False while there is no thread yet: the first message starts it. */
  readonly hasThread: boolean;
  readonly working: boolean;
  /** Why nothing can be sent now, with the remedy; null where it can. */
  readonly disabledReason: string | null;
  readonly settings: ThreadSettingsState;
  readonly models: Loadable<readonly Model[]>;
  /** Says why a model cannot run; null for one that can. */
  readonly modelProblem?: ((model: string) => string | null) | undefined;
  /** Ways to work that the server offers; there is nothing to choose where it has none. */
  readonly modes: readonly CollaborationModeMask[];
  readonly sendKey: "enter" | "modEnter";
  /** Effect of sending while a turn runs; Alt-Enter has the other. */
  readonly followUp: "steer" | "queue";
  readonly onFollowUp: (mode: "steer" | "queue") => void;
  /** The queue at the server; left out, messages wait in the page. */
  readonly queue?: MessageQueue | undefined;
  /** A question of the server waits for an answer. */
  readonly asking?: boolean | undefined;
  readonly onSend: (input: readonly UserInput[], overrides: TurnOverrides) => Promise<void>;
  readonly onSteer: (input: readonly UserInput[]) => Promise<void>;
  readonly onStop: () => Promise<void>;
  /** Runs a slash command, but for `model`, which the composer does itself. */
  readonly onCommand: (name: SlashCommandName, argument: string) => Promise<void>;
  readonly searchFiles: (query: string) => Promise<readonly FuzzyFileSearchResult[]>;
  readonly listSkills: () => Promise<readonly Skill[]>;
  readonly autoFocus?: boolean | undefined;
}
