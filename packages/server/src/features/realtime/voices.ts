import type { RealtimeVoice, RealtimeVoicesList } from "@quire/protocol";

/** Voices of version 1. */
export const first: readonly RealtimeVoice[] = [
  "juniper",
  "maple",
  "spruce",
  "ember",
  "vale",
  "breeze",
  "arbor",
  "sol",
  "cove",
];
/** Voices of version 2. */
export const second: readonly RealtimeVoice[] = [
  "alloy",
  "ash",
  "ballad",
  "coral",
  "echo",
  "sage",
  "shimmer",
  "verse",
  "marin",
  "cedar",
];
/** Voices of version 3. */
export const third: readonly RealtimeVoice[] = [
  ...first,
  "aube",
  "bubbie",
  "haetsal",
  "hanul",
  "himari",
  "leher",
  "miko",
  "neer",
  "porto",
  "rindo",
  "rio",
  "rivage",
  "selva",
  "sonna",
  "tinta",
  "viola",
];

/** The voices of each version of the Realtime API. */
export function voices(): RealtimeVoicesList {
  return { v1: [...first], v2: [...second], v3: [...third], defaultV1: "cove", defaultV2: "marin" };
}
