import { parseJson } from "../../lib/bounded-json.ts";
import { isTable, type Table } from "../../lib/table.ts";
import { delegateTool } from "./dialect-v2.ts";

/** The events of a Realtime endpoint that a thread uses. Each version has its own names. */
export type RealtimeEvent =
  | { readonly type: "ready" }
  | { readonly type: "audio"; readonly data: string; readonly event: Table }
  | { readonly type: "transcriptDelta"; readonly role: "user" | "assistant"; readonly delta: string }
  | { readonly type: "transcriptDone"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly type: "item"; readonly item: unknown }
  | {
      readonly type: "call";
      readonly name: string;
      readonly callId: string;
      readonly itemId: string;
      readonly input: string;
    }
  | { readonly type: "responding"; readonly active: boolean }
  | { readonly type: "error"; readonly message: string };

/** Keys under which a call may hold the user's request. */
const inputKeys = ["input_transcript", "input", "text", "prompt", "query"];

/** Understands a message; `undefined` for one that is of no use here. */
export function readRealtimeEvent(text: string): RealtimeEvent | undefined {
  const event = parse(text);
  const word = (key: string) => wordOf(event, key);
  switch (event.type) {
    case "session.started":
    case "session.updated":
      return { type: "ready" };
    case "conversation.output_audio.delta":
    case "response.output_audio.delta":
    case "response.audio.delta":
      return { type: "audio", data: word("delta"), event };
    case "output_audio.delta":
      return { type: "audio", data: word("audio"), event };
    case "conversation.input_transcript.delta":
    case "conversation.item.input_audio_transcription.delta":
      return { type: "transcriptDelta", role: "user", delta: word("delta") };
    case "conversation.item.input_audio_transcription.completed":
      return { type: "transcriptDone", role: "user", text: word("transcript") };
    case "conversation.output_transcript.delta":
    case "response.output_text.delta":
    case "response.output_audio_transcript.delta":
      return { type: "transcriptDelta", role: "assistant", delta: word("delta") };
    case "response.output_text.done":
      return { type: "transcriptDone", role: "assistant", text: word("text") };
    case "response.output_audio_transcript.done":
      return { type: "transcriptDone", role: "assistant", text: word("transcript") };
    case "input_transcript.added":
      return { type: "transcriptDelta", role: "user", delta: wordOf(event.item, "text") };
    case "output_transcript.added":
      return { type: "transcriptDelta", role: "assistant", delta: wordOf(event.item, "text") };
    case "turn.done":
      return {
        type: "transcriptDone",
        role: wordOf(event.turn, "role") === "user" ? "user" : "assistant",
        text: wordOf(event.turn, "transcript"),
      };
    case "input_audio_buffer.speech_started":
      return { type: "item", item: { type: event.type, item_id: event.item_id ?? null } };
    case "conversation.item.added":
    case "conversation.item.created":
      return isTable(event.item) ? { type: "item", item: event.item } : undefined;
    case "conversation.item.done":
      return isTable(event.item) ? readCall(event.item) : undefined;
    case "conversation.handoff.requested":
      return handOver(word("handoff_id"), word("item_id"), word("input_transcript"));
    case "delegation.created":
      return isTable(event.item) ? readDelegation(event.item) : undefined;
    case "response.created":
      return { type: "responding", active: true };
    case "response.done":
    case "response.cancelled":
      return { type: "responding", active: false };
    case "error":
      return { type: "error", message: errorText(event) };
    default:
      return undefined;
  }
}

function readCall(item: Table): RealtimeEvent | undefined {
  if (item.type !== "function_call" || typeof item.name !== "string") return undefined;
  const itemId = typeof item.id === "string" ? item.id : "";
  const given = parse(typeof item.arguments === "string" ? item.arguments : "");
  const input = inputKeys.map((key) => given[key]).find((value) => typeof value === "string" && value.trim() !== "");
  return {
    type: "call",
    name: item.name,
    callId: typeof item.call_id === "string" ? item.call_id : itemId,
    itemId,
    input: typeof input === "string" ? input : String(item.arguments ?? ""),
  };
}

/** For version 3, which also delegates to others. */
function readDelegation(item: Table): RealtimeEvent | undefined {
  if (item.type !== "delegation" || item.target !== "client" || !Array.isArray(item.content)) return undefined;
  const id = wordOf(item, "id");
  const texts = item.content.filter((part) => wordOf(part, "type") === "input_text");
  return handOver(id, id, texts.map((part) => wordOf(part, "text")).join(""));
}

/** Work delegated by an event instead of the tool. */
function handOver(callId: string, itemId: string, input: string): RealtimeEvent {
  return { type: "call", name: delegateTool, callId, itemId, input };
}

function wordOf(value: unknown, key: string): string {
  return isTable(value) && typeof value[key] === "string" ? value[key] : "";
}

function errorText({ error, message }: Table): string {
  if (isTable(error) && typeof error.message === "string") return error.message;
  return typeof message === "string" ? message : JSON.stringify(error ?? "unknown error");
}

function parse(text: string): Table {
  try {
    const value = parseJson(text);
    return isTable(value) ? value : {};
  } catch {
    return {};
  }
}
