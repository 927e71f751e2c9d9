import { type Dialect, message, type SessionSetup } from "./dialect.ts";
import { second } from "./voices.ts";

const sampleRate = 24_000;
const pcm = { type: "audio/pcm", rate: sampleRate };

/** The tool by which the voice hands work to the thread. */
export const delegateTool = "background_agent";
/** The tool by which the voice stays silent. */
export const silenceTool = "remain_silent";

const tools = [
  {
    type: "function",
    name: delegateTool,
    description:
      "Hands what the user wants to the agent that works in the background, in the user's own words. It starts the work, or changes its course when the agent is at work already. Take it whenever the user asks for something to be done, also when it is for later.",
    parameters: {
      type: "object",
      properties: { prompt: { type: "string", description: "What the user wants, in the user's words." } },
      required: ["prompt"],
      additionalProperties: false,
    },
  },
  {
    type: "function",
    name: silenceTool,
    description: "Says nothing. Take it when anything said aloud would only be in the way.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
  },
];

const create = (item: object): object => ({ type: "conversation.item.create", item });
const tell = (text: string): object => create(message("user", `[BACKEND] ${text}`));
const answer = (callId: string, output: string): object =>
  create({ type: "function_call_output", call_id: callId, output });

/** Version 2: OpenAI's public Realtime API, in which a voice calls tools. */
export const dialectV2: Dialect = {
  version: "v2",
  defaultModel: "gpt-realtime-1.5",
  defaultVoice: "marin",
  voices: second,
  headers: {},
  socket: (model) => `realtime?model=${encodeURIComponent(model)}`,
  calls: "realtime/calls",
  join: (callId) => `realtime?call_id=${encodeURIComponent(callId)}`,
  beginsWithSocket: true,
  setsUpCalls: true,
  session,
  callSession: (setup, model) => ({ ...session(setup), model }),
  audio: (data) => ({ type: "input_audio_buffer.append", audio: data }),
  text: (text, role) => create(message(role, role === "user" ? `[USER] ${text}` : text)),
  speech: tell,
  outcome: (callId, outcome) => {
    if (outcome.type === "steered") return [answer(callId, "The agent was at work; this was passed on to it.")];
    if (outcome.type === "failed") return [answer(callId, `The agent cannot do this now: ${outcome.why}`)];
    const said = outcome.text === null ? [] : [tell(outcome.text)];
    return [...said, answer(callId, "The agent is done. What it had to say stands before this, after [BACKEND].")];
  },
  answer,
  speaksWhenAsked: true,
};

function session({ instructions, modality, voice }: SessionSetup): object {
  return {
    type: "realtime",
    instructions,
    output_modalities: [modality],
    audio: {
      input: {
        format: pcm,
        noise_reduction: { type: "near_field" },
        transcription: { model: "gpt-4o-mini-transcribe" },
        turn_detection: {
          type: "server_vad",
          interrupt_response: true,
          create_response: true,
          silence_duration_ms: 500,
        },
      },
      output: { format: pcm, voice },
    },
    tools,
    tool_choice: "auto",
  };
}
