import type {
  ThreadRealtimeAudioChunk,
  ThreadRealtimeItem,
  ThreadRealtimeSessionOutcome,
  ThreadRealtimeStartTransport,
} from "@quire/protocol";
import { errorMessage } from "../../lib/error-message.ts";
import type { Thread } from "../../thread/thread.ts";
import { delegate } from "./delegate.ts";
import { type Dialect, type Outcome, type SessionSetup, sessionUpdate } from "./dialect.ts";
import { delegateTool, silenceTool } from "./dialect-v2.ts";
import type { Reached } from "./endpoint.ts";
import { type RealtimeEvent, readRealtimeEvent } from "./realtime-events.ts";
import { Transcript } from "./transcript.ts";

/** Options of a session. */
export interface SessionOptions {
  readonly dialect: Dialect;
  /** Its name, if any; a call that existed before may have one elsewhere. */
  readonly named: string | null;
  readonly transport: ThreadRealtimeStartTransport["type"];
  readonly setup: SessionSetup;
  readonly reach: (signal: AbortSignal) => Promise<Reached>;
}

/** Unsent audio at which an endpoint is given up. */
const maxUnsentBytes = 8 << 20;
/** Messages waiting for the socket; later ones are dropped. */
const maxEarly = 1024;
/** Time for an endpoint to accept a session. */
const connectMs = 15_000;

/** A voice beside a thread, which does the delegated work. Owned by its thread; ends with it. */
export class RealtimeSession {
  readonly #thread: Thread;
  readonly #id: string;
  readonly #options: SessionOptions;
  readonly #given = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #transcript: Transcript;
  #socket: WebSocket | undefined;
  /** Messages from before there was a socket. */
  #early: object[] = [];
  #responding = false;
  #responseWanted = false;
  #begun = false;
  #ended = false;

  constructor(thread: Thread, options: SessionOptions) {
    this.#thread = thread;
    this.#options = options;
    this.#id = options.named ?? crypto.randomUUID();
    this.#transcript = new Transcript(thread, this.#id);
    this.#timer = setTimeout(() => this.#fail(`the endpoint gives no session within ${connectMs / 1000} s`), connectMs);
    options
      .reach(this.#given.signal)
      .then((reached) => this.#join(reached))
      .catch((error: unknown) => this.#fail(errorMessage(error)));
  }

  get isOpen(): boolean {
    return !this.#ended;
  }

  appendAudio(audio: ThreadRealtimeAudioChunk): void {
    this.#send(this.#options.dialect.audio(audio.data));
  }

  appendText(text: string, role: "user" | "developer" | "assistant"): void {
    this.#send(this.#options.dialect.text(text, role));
  }

  /** Makes the voice speak the agent's text. */
  appendSpeech(text: string): void {
    this.#send(this.#options.dialect.speech(text));
    this.#respond();
  }

  /** Reports the result of delegated work. */
  sendOutcome(callId: string, outcome: Outcome): void {
    for (const message of this.#options.dialect.outcome(callId, outcome)) this.#send(message);
    this.#respond();
  }

  close(): void {
    this.#end("ended", "requested");
  }

  #join({ url, headers, sdp }: Reached): void {
    if (this.#ended) return;
    const socket = new WebSocket(url, { headers } as never);
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = ({ data }) => this.#received(String(data));
    socket.onerror = () => this.#fail(`the connection to ${url} failed`);
    socket.onclose = () => this.#end("ended", "transport_closed");
    if (sdp === null) return;
    // The client can speak from now on, whether or not the thread has joined.
    this.#begin();
    this.#thread.notify("thread/realtime/sdp", { threadId: this.#thread.id, sdp });
  }

  #opened(socket: WebSocket): void {
    const { dialect, transport, setup } = this.#options;
    if (this.#begun) clearTimeout(this.#timer);
    if (transport === "websocket" || (transport === "webrtc" && dialect.setsUpCalls))
      socket.send(JSON.stringify(sessionUpdate(dialect.session(setup))));
    if (transport !== "websocket" || dialect.beginsWithSocket) this.#begin();
    for (const message of this.#early.splice(0)) this.#send(message);
  }

  #send(message: object): void {
    if (this.#ended) return;
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) {
      if (this.#early.length < maxEarly) this.#early.push(message);
    } else if (socket.bufferedAmount > maxUnsentBytes) this.#fail("the endpoint does not take what it is sent");
    else socket.send(JSON.stringify(message));
  }

  /** Makes the voice speak, if it has to be asked: at once, or when it has finished. */
  #respond(): void {
    if (!this.#options.dialect.speaksWhenAsked) return;
    if (this.#responding) {
      this.#responseWanted = true;
      return;
    }
    this.#responding = true;
    this.#send({ type: "response.create" });
  }

  #received(text: string): void {
    const event = readRealtimeEvent(text);
    if (event && !this.#ended) this.#act(event);
  }

  #act(event: RealtimeEvent): void {
    const { id: threadId } = this.#thread;
    switch (event.type) {
      case "ready":
        this.#begin();
        break;
      case "audio":
        this.#thread.notify("thread/realtime/outputAudio/delta", { threadId, audio: chunk(event) });
        break;
      case "transcriptDelta":
        this.#transcript.addDelta(event.role, event.delta);
        break;
      case "transcriptDone":
        this.#transcript.setLine(event.role, event.text);
        break;
      case "item":
        this.#thread.notify("thread/realtime/itemAdded", { threadId, item: event.item });
        break;
      case "call":
        this.#called(event);
        break;
      case "responding":
        this.#responding = event.active;
        if (event.active || !this.#responseWanted) break;
        this.#responseWanted = false;
        this.#respond();
        break;
      case "error":
        this.#fail(event.message);
        break;
    }
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    if (this.#socket?.readyState === WebSocket.OPEN) clearTimeout(this.#timer);
    const { named, dialect } = this.#options;
    this.#item({ type: "realtimeSessionStarted", id: Bun.randomUUIDv7(), realtimeSessionId: this.#id });
    this.#thread.notify("thread/realtime/started", {
      threadId: this.#thread.id,
      realtimeSessionId: named,
      version: dialect.version,
    });
  }

  #called({ name, callId, itemId, input }: Extract<RealtimeEvent, { type: "call" }>): void {
    if (name !== delegateTool) {
      const answer = this.#options.dialect.answer?.(
        callId,
        name === silenceTool ? "" : `there is no tool named ${name}`,
      );
      if (answer) this.#send(answer);
      return;
    }
    const transcript = this.#transcript.take(input);
    this.#thread.notify("thread/realtime/itemAdded", {
      threadId: this.#thread.id,
      item: {
        type: "handoff_request",
        handoff_id: callId,
        item_id: itemId,
        input_transcript: input,
        active_transcript: transcript,
      },
    });
    void delegate(this.#thread, { input, transcript, callId, session: this });
  }

  #fail(message: string): void {
    if (this.#ended) return;
    this.#thread.notify("thread/realtime/error", { threadId: this.#thread.id, message });
    this.#end("failed", "error");
  }

  #end(outcome: ThreadRealtimeSessionOutcome, reason: "requested" | "transport_closed" | "error"): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#given.abort();
    if (this.#begun) {
      this.#transcript.endSegment();
      this.#item({ type: "realtimeSessionClosed", id: Bun.randomUUIDv7(), realtimeSessionId: this.#id, outcome });
    }
    if (this.#begun || reason === "requested")
      this.#thread.notify("thread/realtime/closed", { threadId: this.#thread.id, reason });
    this.#socket?.close();
  }

  #item(item: ThreadRealtimeItem): void {
    this.#thread.notify("thread/realtime/item/started", { threadId: this.#thread.id, item });
    this.#thread.notify("thread/realtime/item/completed", { threadId: this.#thread.id, item });
  }
}

function chunk({ data, event }: Extract<RealtimeEvent, { type: "audio" }>): ThreadRealtimeAudioChunk {
  const count = (key: string) => (typeof event[key] === "number" ? event[key] : undefined);
  return {
    data,
    sampleRate: count("sample_rate") ?? 24_000,
    numChannels: count("channels") ?? count("num_channels") ?? 1,
    samplesPerChannel: count("samples_per_channel") ?? null,
    itemId: typeof event.item_id === "string" ? event.item_id : null,
  };
}
