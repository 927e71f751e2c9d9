import type {
  RealtimeConversationVersion,
  RealtimeOutputModality,
  RealtimeVoice,
  ThreadRealtimeInitialItem,
} from "@quire/protocol";

/** What a Realtime session is set up with. */
export interface SessionSetup {
  readonly instructions: string;
  readonly modality: RealtimeOutputModality;
  readonly voice: RealtimeVoice;
  /** What was said before; only of use to version 3. */
  readonly initialItems: readonly ThreadRealtimeInitialItem[];
}

/** What became of work that a voice has handed over. */
export type Outcome =
  | { readonly type: "done"; readonly text: string | null }
  | { readonly type: "steered" }
  | { readonly type: "failed"; readonly why: string };

/** How one version of the Realtime API is spoken to. What it says back is read by `realtime-events.ts`. */
export interface Dialect {
  readonly version: RealtimeConversationVersion;
  readonly defaultModel: string;
  readonly defaultVoice: RealtimeVoice;
  readonly voices: readonly RealtimeVoice[];
  /** Headers that name the version to the endpoint. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where a session is opened, below the API's address. */
  socket(model: string): string;
  /** Where an SDP offer is sent to. */
  readonly calls: string;
  /** Where a call is joined. */
  join(callId: string): string;
  /** Whether a session begins with its socket, or when the endpoint says so. */
  readonly beginsWithSocket: boolean;
  /** Whether who joins a call sets its session up. */
  readonly setsUpCalls: boolean;
  /** The session, for a `session.update`. */
  session(setup: SessionSetup): object;
  /** The session, as it goes with an offer. */
  callSession(setup: SessionSetup, model: string): object;
  audio(data: string): object;
  text(text: string, role: "user" | "developer" | "assistant"): object;
  /** Has the voice say something. */
  speech(text: string): object;
  /** Tells the voice what became of what it handed over. */
  outcome(callId: string, outcome: Outcome): readonly object[];
  /** Answers a call of a tool that is not for handing over; `null` where there are none. */
  readonly answer: ((callId: string, output: string) => object) | null;
  /** Whether the voice has to be asked to speak, after it was told something. */
  readonly speaksWhenAsked: boolean;
}

/** A message that was said, or is said in somebody's name. */
export function message(role: "user" | "developer" | "assistant", text: string): object {
  const type = role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role, content: [{ type, text }] };
}

/** Sets a session up. */
export const sessionUpdate = (session: object): object => ({ type: "session.update", session });
