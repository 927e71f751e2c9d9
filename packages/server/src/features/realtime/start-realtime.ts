import type { RealtimeVoice, ThreadRealtimeStartParams } from "@quire/protocol";
import type { Thread } from "../../thread/thread.ts";
import type { Dialect } from "./dialect.ts";
import { dialectV1 } from "./dialect-v1.ts";
import { dialectV2 } from "./dialect-v2.ts";
import { dialectV3 } from "./dialect-v3.ts";
import {
  configuredText,
  configuredVersion,
  type Opening,
  type Reached,
  reachCall,
  reachNewCall,
  reachSocket,
} from "./endpoint.ts";
import { voiceOf } from "./index.ts";
import { defaultInstructions } from "./instructions.ts";
import { RealtimeSession } from "./realtime-session.ts";

const dialects: ReadonlyMap<string, Dialect> = new Map(
  [dialectV1, dialectV2, dialectV3].map((dialect) => [dialect.version, dialect]),
);

/** Gives a thread a voice, replacing its present one. Throws when that is impossible. */
export function startRealtime(thread: Thread, params: ThreadRealtimeStartParams): void {
  const transport = params.transport ?? { type: "websocket" };
  const dialect = dialectFor(thread, params);
  const opening: Opening = {
    dialect,
    model: params.model ?? configuredText(thread, "experimental_realtime_ws_model") ?? dialect.defaultModel,
    setup: {
      instructions:
        params.prompt ?? configuredText(thread, "experimental_realtime_ws_backend_prompt") ?? defaultInstructions,
      modality: params.outputModality,
      voice: voiceFor(dialect, params.voice ?? null),
      initialItems: params.initialItems ?? [],
    },
  };
  const reach = (signal: AbortSignal): Promise<Reached> => {
    if (transport.type === "webrtc") return reachNewCall(thread, opening, { offer: transport.sdp, signal });
    if (transport.type === "existingCall") return reachCall(thread, dialect, transport.callId);
    return reachSocket(thread, opening);
  };
  const named = params.realtimeSessionId ?? (transport.type === "existingCall" ? null : thread.id);
  const voice = voiceOf(thread);
  voice.session?.close();
  voice.session = new RealtimeSession(thread, {
    dialect,
    named,
    transport: transport.type,
    setup: opening.setup,
    reach,
  });
}

/** The default version: the first for a call, as OpenAI's are, and the configured one for a socket. */
function dialectFor(thread: Thread, params: ThreadRealtimeStartParams): Dialect {
  const isCall = params.transport != null && params.transport.type !== "websocket";
  const version = params.version ?? (isCall ? "v1" : (configuredVersion(thread) ?? "v2"));
  const dialect = dialects.get(version);
  if (!dialect) throw new Error(`realtime ${version} is not supported; use ${[...dialects.keys()].join(", ")}`);
  if ((params.initialItems ?? []).length > 0 && version !== "v3")
    throw new Error("initial realtime items require realtime v3");
  if (params.outputModality === "text" && version !== "v2")
    throw new Error("text realtime output modality requires realtime v2");
  return dialect;
}

function voiceFor({ version, voices, defaultVoice }: Dialect, asked: RealtimeVoice | null): RealtimeVoice {
  if (asked === null || voices.includes(asked)) return asked ?? defaultVoice;
  const supported = voices.join(", ");
  throw new Error(`realtime voice \`${asked}\` is not supported for ${version}; supported voices: ${supported}`);
}
