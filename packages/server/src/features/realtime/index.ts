import { service } from "../../context/services.ts";
import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import type { RealtimeSession } from "./realtime-session.ts";

const voice = service((_: Thread): { session?: RealtimeSession | undefined } => ({}));

/** The voice of a thread: set while there is one. */
export const voiceOf = (thread: Thread): { session?: RealtimeSession | undefined } => thread.services.get(voice);

/** Ends the voice with its thread. */
export const realtime: Feature<Thread> = {
  closing: (thread) => {
    thread.services.made(voice)?.session?.close();
    return undefined;
  },
};
