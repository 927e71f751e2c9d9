import type {
  RealtimeConversationVersion,
  RealtimeOutputModality,
  RealtimeVoice,
  ThreadRealtimeInitialItem,
} from "@quire/protocol";

/** The setup of a Realtime session. */
export interface SessionSetup {
  readonly instructions: string;
  readonly modality: RealtimeOutputModality;
  readonly voice: RealtimeVoice;
  /** Earlier messages; only for version 3. */
  readonly initialItems: readonly ThreadRealtimeInitialItem[];
}

/** The result of delegated work. */
export type Outcome =
  | { readonly type: "done"; readonly text: string | null }
  | { readonly type: "steered" }
  | { readonly type: "failed"; readonly why: string };

/** A version of the Realtime API, for sending. Events are read by `realtime-events.ts`. */
export interface Dialect {
  readonly version: RealtimeConversationVersion;
  readonly defaultModel: string;
  readonly defaultVoice: RealtimeVoice;
  readonly voices: readonly RealtimeVoice[];
  /** Headers that name the version to the endpoint. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path of a session. */
  socket(model: string): string;
  /** The path for SDP offers. */
  readonly calls: string;
  /** The path for joining a call. */
  join(callId: string): string;
  /** True when a session begins with its socket, false when the endpoint announces it. */
  readonly beginsWithSocket: boolean;
  /** True when joining a call sets its session up. */
  readonly setsUpCalls: boolean;
  /** The session for a `session.update`. */
  session(setup: SessionSetup): object;
  /** The session for an offer. */
  callSession(setup: SessionSetup, model: string): object;
  audio(data: string): object;
  text(text: string, role: "user" | "developer" | "assistant"): object;
  /** Makes the voice say something. */
  speech(text: string): object;
  /** Reports the result of delegated work. */
  outcome(callId: string, outcome: Outcome): readonly object[];
  /** Answers a call of another tool; `null` when there are none. */
  readonly answer: ((callId: string, output: string) => object) | null;
  /** True when the voice has to be asked to speak after a message. */
  readonly speaksWhenAsked: boolean;
}

/** A message in a role. */
export function message(role: "user" | "developer" | "assistant", text: string): object {
  const type = role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role, content: [{ type, text }] };
}

/** Sets a session up. */
export const sessionUpdate = (session: object): object => ({ type: "session.update", session });
