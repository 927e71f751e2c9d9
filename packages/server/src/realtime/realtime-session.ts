import type { ThreadRealtimeAudioChunk, ThreadRealtimeItem, ThreadRealtimeSessionOutcome } from "@quire/protocol";
import type { Thread } from "../thread/thread.ts";
import { delegate } from "./delegate.ts";
import { type RealtimeEvent, readRealtimeEvent } from "./realtime-events.ts";
import { delegateTool, type SessionSetup, sessionUpdate, silenceTool } from "./session-update.ts";

/** Where a session connects to. */
export interface RealtimeEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Segment {
  readonly id: string;
  readonly role: "user" | "assistant";
  text: string;
}

/** Audio that waits to be sent at most; an endpoint that does not take it is given up. */
const maxUnsentBytes = 8 << 20;
/** How long an endpoint may take to accept a session. */
const connectMs = 15_000;

/**
 * A voice beside a thread: audio and text go to a Realtime endpoint and come back from it, and what it delegates is done
 * by the thread. Owned by its thread; ends with it.
 */
export class RealtimeSession {
  readonly #thread: Thread;
  readonly #id: string;
  readonly #setup: SessionSetup;
  readonly #socket: WebSocket;
  readonly #timer: ReturnType<typeof setTimeout>;
  /** What was said since work was last delegated. */
  #transcript: { role: "user" | "assistant"; text: string }[] = [];
  #segment: Segment | undefined;
  #responding = false;
  #responseWanted = false;
  #ready = false;
  #ended = false;

  constructor(thread: Thread, { url, headers }: RealtimeEndpoint, options: SessionSetup & { readonly id: string }) {
    this.#thread = thread;
    this.#id = options.id;
    this.#setup = options;
    this.#socket = new WebSocket(url, { headers } as never);
    this.#timer = setTimeout(() => this.#fail(`no session at ${url} within ${connectMs / 1000} s`), connectMs);
    this.#socket.onopen = () => this.send(sessionUpdate(this.#setup));
    this.#socket.onmessage = ({ data }) => this.#heard(String(data));
    this.#socket.onerror = () => this.#fail(`the connection to ${url} failed`);
    this.#socket.onclose = () => this.#end("ended", "transport_closed");
  }

  /** Whether it can be talked to. */
  get isOpen(): boolean {
    return !this.#ended;
  }

  appendAudio(audio: ThreadRealtimeAudioChunk): void {
    this.send({ type: "input_audio_buffer.append", audio: audio.data });
  }

  appendText(text: string, role: "user" | "developer" | "assistant"): void {
    const type = role === "assistant" ? "output_text" : "input_text";
    const words = role === "user" ? `[USER] ${text}` : text;
    this.send({ type: "conversation.item.create", item: { type: "message", role, content: [{ type, text: words }] } });
  }

  /** Has the voice say what the agent has to say. */
  appendSpeech(text: string): void {
    this.tell(text);
    this.respond();
  }

  /** Gives the voice what the agent says. */
  tell(text: string): void {
    const content = [{ type: "input_text", text: `[BACKEND] ${text}` }];
    this.send({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
  }

  /** Answers a call of the voice. */
  answer(callId: string, output: string): void {
    this.send({ type: "conversation.item.create", item: { type: "function_call_output", call_id: callId, output } });
  }

  /** Has the voice say something: at once, or when it has finished what it says. */
  respond(): void {
    if (this.#responding) {
      this.#responseWanted = true;
      return;
    }
    this.#responding = true;
    this.send({ type: "response.create" });
  }

  send(message: object): void {
    if (this.#ended || this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount > maxUnsentBytes) this.#fail("the endpoint does not take what it is sent");
    else this.#socket.send(JSON.stringify(message));
  }

  /** Ends it because somebody wants that. */
  close(): void {
    this.#end("ended", "requested");
  }

  #heard(text: string): void {
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
        this.#speak(event.role, event.delta);
        break;
      case "transcriptDone":
        this.#spoken(event.role, event.text);
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
        this.respond();
        break;
      case "error":
        this.#fail(event.message);
        break;
    }
  }

  #begin(): void {
    if (this.#ready) return;
    this.#ready = true;
    clearTimeout(this.#timer);
    this.#item({ type: "realtimeSessionStarted", id: Bun.randomUUIDv7(), realtimeSessionId: this.#id });
    this.#thread.notify("thread/realtime/started", {
      threadId: this.#thread.id,
      realtimeSessionId: this.#id,
      version: "v2",
    });
  }

  #speak(role: "user" | "assistant", delta: string): void {
    const { id: threadId } = this.#thread;
    if (this.#segment?.role !== role) {
      this.#closeSegment();
      this.#segment = { id: Bun.randomUUIDv7(), role, text: "" };
      this.#thread.notify("thread/realtime/item/started", { threadId, item: this.#shown("") });
    }
    const segment = this.#segment as Segment;
    segment.text += delta;
    this.#note(role, delta, false);
    this.#thread.notify("thread/realtime/item/transcript/delta", { threadId, itemId: segment.id, delta });
    this.#thread.notify("thread/realtime/transcript/delta", { threadId, role, delta });
  }

  #spoken(role: "user" | "assistant", text: string): void {
    if (this.#segment?.role === role) this.#closeSegment();
    this.#note(role, text, true);
    this.#thread.notify("thread/realtime/transcript/done", { threadId: this.#thread.id, role, text });
  }

  #closeSegment(): void {
    if (this.#segment === undefined) return;
    const item = this.#shown(this.#segment.text);
    this.#segment = undefined;
    this.#thread.notify("thread/realtime/item/completed", { threadId: this.#thread.id, item });
  }

  #shown(text: string): ThreadRealtimeItem {
    const { id, role } = this.#segment as Segment;
    return { type: "transcriptSegment", id, realtimeSessionId: this.#id, role, text };
  }

  /** @param whole Whether the text is all that was said, in place of its pieces. */
  #note(role: "user" | "assistant", text: string, whole: boolean): void {
    const last = this.#transcript.at(-1);
    if (last?.role !== role) this.#transcript.push({ role, text });
    else last.text = whole ? text : last.text + text;
  }

  #called({ name, callId, itemId, input }: Extract<RealtimeEvent, { type: "call" }>): void {
    if (name !== delegateTool) {
      this.answer(callId, name === silenceTool ? "" : `there is no tool named ${name}`);
      return;
    }
    this.#transcript.push({ role: "user", text: input });
    const transcript = this.#transcript;
    this.#transcript = [];
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

  #end(outcome: ThreadRealtimeSessionOutcome, reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    if (this.#ready) {
      this.#closeSegment();
      this.#item({ type: "realtimeSessionClosed", id: Bun.randomUUIDv7(), realtimeSessionId: this.#id, outcome });
    }
    this.#thread.notify("thread/realtime/closed", { threadId: this.#thread.id, reason });
    this.#socket.close();
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
