import { type Dialect, message, type SessionSetup } from "./dialect.ts";
import { third } from "./voices.ts";

const content = (text: string): object => ({ content: [{ type: "input_text", text }] });
const tell = (text: string): object => ({ type: "session.context.append", ...content(text) });
const append = (itemId: string, text: string): object => ({
  type: "delegation.context.append",
  delegation_item_id: itemId,
  ...content(text),
});

/** Version 3: the vendor's, in which a voice delegates, and speaks by itself. */
export const dialectV3: Dialect = {
  version: "v3",
  defaultModel: "gpt-live-1-codex",
  defaultVoice: "cove",
  voices: third,
  headers: { "openai-alpha": "quicksilver=v2" },
  socket: (model) => `live?model=${encodeURIComponent(model)}`,
  calls: "live",
  join: (callId) => `live/${encodeURIComponent(callId)}`,
  beginsWithSocket: false,
  setsUpCalls: false,
  session,
  callSession: (setup, model) => ({ ...session(setup), model }),
  audio: (data) => ({ type: "input_audio.append", audio: data }),
  text: tell,
  speech: (text) => ({ ...tell(text), channel: "speakable" }),
  outcome: (callId, outcome) => {
    if (outcome.type === "failed") return [append(callId, `The agent cannot do this: ${outcome.why}`)];
    return outcome.type === "steered" || outcome.text === null ? [] : [append(callId, outcome.text)];
  },
  answer: null,
  speaksWhenAsked: false,
};

function session({ instructions, voice, initialItems }: SessionSetup): object {
  return {
    instructions,
    audio: { output: { voice } },
    delegation: { type: "client" },
    ...(initialItems.length > 0 && {
      initial_items: initialItems.map(({ role, text }) => message(role, text)),
    }),
  };
}
