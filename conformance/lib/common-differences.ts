import type { DeclaredDifference } from "./scenario.ts";

/** Differences that are meant wherever they occur. Each must occur in some scenario. */
export const commonDifferences: readonly DeclaredDifference[] = [
  {
    at: "event lacks: warning Model metadata",
    reason: "Quire takes a model that is not in its catalogue without a warning at each turn.",
  },
  {
    at: "event lacks: warning Under-development features",
    reason: "A feature that the configuration turns on is no reason for a warning in each thread.",
  },
  {
    at: /^model tool multi_agent_v1\.(send_input|spawn_agent)\.\S+\.audio_url$/,
    reason: "Sub-agents are sent text and images, no audio.",
  },
  {
    at: "model input lacks: developer <skills>",
    reason: "Codex unpacks skills of its own into its home; Quire brings none, and names those that are there.",
  },
  {
    at: "model input adds: developer <personality>",
    reason: "Every model is told the personality; Codex tells it only to models of its catalogue.",
  },
  {
    at: "model input lacks: developer <model switch>",
    reason: "All models get the same instructions, so a change of model needs no new ones.",
  },
  {
    at: "event lacks: deprecationNotice",
    reason: "Reading a thread with its turns is supported, not deprecated.",
  },
  {
    at: "event adds: item/fileChange/outputDelta",
    reason: "What a patch has done is told as its output too, for clients of Codex 0.98 to 0.118, which did so.",
  },
  {
    at: "event adds: thread/compacted",
    reason: "A compaction is told beside its item too, for clients of Codex 0.98 to 0.118, which did so.",
  },
];
