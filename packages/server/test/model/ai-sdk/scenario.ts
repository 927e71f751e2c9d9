import type { Stage, StageOptions } from "./stage.ts";

/** Something that must go the same way whatever wire the model is behind. */
export interface Scenario {
  readonly name: string;
  readonly options?: StageOptions;
  run(stage: Stage): Promise<void>;
}

/** Arguments of a small call. */
export const plan = { plan: [{ step: "look", status: "in_progress" }] };
