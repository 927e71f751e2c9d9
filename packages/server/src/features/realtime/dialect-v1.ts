import { type Dialect, message, type SessionSetup } from "./dialect.ts";
import { first } from "./voices.ts";

const append = (handoffId: string, text: string): object => ({
  type: "conversation.handoff.append",
  handoff_id: handoffId,
  output_text: text,
});

/** Version 1: the vendor's, in which a voice hands work over by an event of its own. */
export const dialectV1: Dialect = {
  version: "v1",
  defaultModel: "gpt-realtime-1.5",
  defaultVoice: "cove",
  voices: first,
  headers: { "openai-alpha": "quicksilver=v1" },
  socket: (model) => `realtime?intent=quicksilver&model=${encodeURIComponent(model)}`,
  calls: "realtime/calls?intent=quicksilver&architecture=avas",
  join: (callId) => `realtime?intent=quicksilver&call_id=${encodeURIComponent(callId)}`,
  beginsWithSocket: true,
  setsUpCalls: true,
  session,
  callSession: (setup, model) => ({ ...session(setup), model }),
  audio: (data) => ({ type: "input_audio_buffer.append", audio: data }),
  text: (text, role) => ({ type: "conversation.item.create", item: message(role, text) }),
  speech: (text) => append("codex", text),
  outcome: (callId, outcome) => {
    if (outcome.type === "failed") return [append(callId, `The agent cannot do this: ${outcome.why}`)];
    if (outcome.type === "steered" || outcome.text === null) return [];
    return [append(callId, `"Agent Final Message":\n\n${outcome.text}`)];
  },
  answer: null,
  speaksWhenAsked: false,
};

function session({ instructions, voice }: SessionSetup): object {
  return {
    type: "quicksilver",
    instructions,
    audio: { input: { format: { type: "audio/pcm", rate: 24_000 } }, output: { voice } },
  };
}
