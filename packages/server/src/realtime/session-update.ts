import type { RealtimeOutputModality, RealtimeVoice } from "@quire/protocol";

/** What a Realtime session is set up with. */
export interface SessionSetup {
  readonly instructions: string;
  readonly modality: RealtimeOutputModality;
  readonly voice: RealtimeVoice;
}

const sampleRate = 24_000;
const pcm = { type: "audio/pcm", rate: sampleRate };

/** The tool by which the voice hands work to the thread. */
export const delegateTool = "background_agent";
/** The tool by which the voice says nothing. */
export const silenceTool = "remain_silent";

/** The message that sets a session up. */
export function sessionUpdate({ instructions, modality, voice }: SessionSetup): object {
  return {
    type: "session.update",
    session: {
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
      tools: [
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
      ],
      tool_choice: "auto",
    },
  };
}

/** What the voice is told of itself unless the client or the configuration says something else. */
export const defaultInstructions =
  "You are the voice of a coding agent. Talk with the user in short, plain sentences. The agent works in the background and knows the workspace; you do not. Hand it whatever the user wants done, and tell the user what comes back: messages that begin with [BACKEND] are from the agent.";
