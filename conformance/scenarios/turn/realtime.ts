import { reply } from "@quire/testkit";
import { type RealtimeEndpoint, realtimeEndpoint } from "../../../packages/server/test/features/realtime/endpoint.ts";
import type { DeclaredDifference, Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { command, endOfTurn, requestEach, startThread } from "../../lib/steps.ts";

const delegated: DeclaredDifference = {
  at: "model input lacks: developer <instructions>",
  reason: "That work was delegated by a voice stands in the message itself, not in instructions beside it.",
};

const feature = { "features.realtime_conversation": true };
const audio = { data: "AAAA", sampleRate: 24000, numChannels: 1, samplesPerChannel: 2 };
const webrtc = { type: "webrtc", sdp: "v=0\r\ns=offer\r\n" };

/** Records the requests and messages of an endpoint for comparison. */
function observe(stage: Stage, { calls, sockets, messages }: RealtimeEndpoint): void {
  for (const call of calls) stage.observe("call", call);
  for (const socket of sockets) stage.observe("socket", socket);
  for (const message of messages) stage.observe("sent", message);
}

/** Connects to a server whose voices are at an endpoint. */
function connect(stage: Stage, { url }: RealtimeEndpoint): ReturnType<Stage["connect"]> {
  const calls = `experimental_realtime_webrtc_call_base_url="${url.replace(/^ws/, "http")}/v1"`;
  return stage.connect({ flags: ["-c", `experimental_realtime_ws_base_url="${url}"`, "-c", calls] });
}

/** A voice beside a thread, over a socket and over a call, in each version of its protocol. */
export const realtime: readonly Scenario[] = [
  {
    name: "realtime/none",
    covers: "`thread/realtime/*` without a voice and without a key; voices",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await peer.request("thread/realtime/listVoices", {});
      await peer.request("thread/realtime/stop", { threadId });
      await peer.request("thread/realtime/start", { threadId, outputModality: "text" });
      await peer.waitFor("thread/realtime/error");
      await peer.request("thread/realtime/appendText", { threadId, text: "x" });
      await peer.waitFor("error");
    },
  },
  {
    name: "realtime/socket",
    covers: "A voice over a Realtime WebSocket: audio, text and transcripts both ways, and work that it delegates",
    setup: { config: { ...feature, "realtime.version": "v2" } },
    run: async (stage) => {
      await using endpoint = realtimeEndpoint();
      const peer = await connect(stage, endpoint);
      await peer.request("account/login/start", { type: "apiKey", apiKey: "sk-test" });
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      await peer.request("thread/realtime/start", {
        threadId,
        outputModality: "audio",
        prompt: "be nice",
        voice: "marin",
      });
      await peer.waitFor("thread/realtime/started");
      await peer.request("thread/realtime/appendAudio", { threadId, audio });
      await requestEach(peer, "thread/realtime/appendText", [
        { threadId, text: "hello" },
        { threadId, text: "note", role: "developer" },
      ]);
      await peer.request("thread/realtime/appendSpeech", { threadId, text: "say it" });
      await endpoint.heard("response.create");
      const transcription = "conversation.item.input_audio_transcription";
      endpoint.say(
        { type: "response.created", response: { id: "r1" } },
        { type: "response.output_audio.delta", delta: "BBBB", item_id: "i1" },
        { type: `${transcription}.delta`, item_id: "u1", delta: "hel" },
        { type: `${transcription}.completed`, item_id: "u1", transcript: "hello you" },
        { type: "response.output_audio_transcript.delta", item_id: "i1", delta: "wor" },
        { type: "response.output_audio_transcript.done", item_id: "i1", transcript: "world" },
        { type: "input_audio_buffer.speech_started", item_id: "u2" },
        { type: "conversation.item.added", item: { id: "x1", type: "message", role: "assistant", content: [] } },
        { type: "response.done", response: { id: "r1" } },
        { type: "of.another.version" },
      );
      stage.model.script(command("true"), reply().text("did it"));
      const call = { id: "f1", type: "function_call", name: "background_agent", call_id: "call_1" };
      endpoint.say({ type: "conversation.item.done", item: { ...call, arguments: '{"prompt":"do it"}' } });
      await endOfTurn(peer);
      await endpoint.heard("response.create", 2);
      endpoint.say({ type: "error", error: { message: "something went wrong" } });
      await peer.waitFor("thread/realtime/closed");
      observe(stage, endpoint);
    },
    differences: [
      {
        at: /^seen: sent/,
        reason: "Tools of the voice and the answers to its calls are described in Quire's own words.",
      },
      delegated,
    ],
  },
  {
    name: "realtime/call",
    covers: "A voice over WebRTC, as clients have it by default: offer, answer, the socket beside it, delegated work",
    setup: { config: feature },
    run: async (stage) => {
      await using endpoint = realtimeEndpoint();
      const peer = await connect(stage, endpoint);
      const { id: threadId } = await startThread(peer);
      const start = { threadId, outputModality: "audio", prompt: "be nice", transport: webrtc };
      await peer.request("thread/realtime/start", start);
      await peer.waitFor("thread/realtime/sdp");
      await endpoint.heard("session.update");
      endpoint.say(
        { type: "conversation.output_audio.delta", delta: "BBBB", sample_rate: 24000, channels: 1 },
        { type: "conversation.input_transcript.delta", delta: "hel" },
        { type: "conversation.item.input_audio_transcription.completed", transcript: "hello you" },
        { type: "conversation.output_transcript.delta", delta: "wor" },
        { type: "response.output_audio_transcript.done", transcript: "world" },
        { type: "conversation.item.added", item: { id: "x1", type: "message", role: "assistant", content: [] } },
      );
      stage.model.script(command("true"), reply().text("did it"));
      const handoff = { handoff_id: "h1", item_id: "i1", input_transcript: "do it" };
      endpoint.say({ type: "conversation.handoff.requested", ...handoff });
      await endOfTurn(peer);
      await endpoint.heard("conversation.handoff.append");
      await peer.request("thread/realtime/appendAudio", { threadId, audio });
      await requestEach(peer, "thread/realtime/appendText", [
        { threadId, text: "hello" },
        { threadId, text: "note", role: "developer" },
        { threadId, text: "said", role: "assistant" },
      ]);
      await peer.request("thread/realtime/appendSpeech", { threadId, text: "say it" });
      await endpoint.heard("conversation.handoff.append", 2);
      await peer.request("thread/realtime/stop", { threadId });
      await peer.waitFor("thread/realtime/closed");
      observe(stage, endpoint);
    },
    differences: [delegated],
  },
  {
    name: "realtime/live-call",
    covers: "A voice of version 3 over WebRTC, with what was said before",
    setup: { config: feature },
    run: async (stage) => {
      await using endpoint = realtimeEndpoint();
      const peer = await connect(stage, endpoint);
      const { id: threadId } = await startThread(peer);
      await peer.request("thread/realtime/start", {
        threadId,
        outputModality: "audio",
        version: "v3",
        voice: "ember",
        model: "live-model",
        prompt: "be nice",
        initialItems: [{ role: "user", text: "before" }],
        transport: webrtc,
      });
      await peer.waitFor("thread/realtime/sdp");
      await peer.request("thread/realtime/appendAudio", { threadId, audio });
      await endpoint.heard("input_audio.append");
      endpoint.say(
        { type: "session.started", session: { id: "s1" } },
        { type: "output_audio.delta", audio: "CCCC", sample_rate: 24000, channels: 1 },
        { type: "input_transcript.added", item: { text: "hel" } },
        { type: "turn.done", turn: { role: "user", transcript: "hello you" } },
        { type: "output_transcript.added", item: { text: "wor" } },
        { type: "turn.done", turn: { role: "assistant", transcript: "world" } },
      );
      stage.model.script(reply().text("did it"));
      const item = { id: "d1", type: "delegation", target: "client" };
      const content = [{ type: "input_text", text: "do it" }];
      endpoint.say({ type: "delegation.created", item: { ...item, content } });
      await endOfTurn(peer);
      await endpoint.heard("delegation.context.append");
      await peer.request("thread/realtime/appendText", { threadId, text: "hello" });
      await peer.request("thread/realtime/appendSpeech", { threadId, text: "say it" });
      await endpoint.heard("session.context.append", 2);
      endpoint.say({ type: "error", error: { message: "something went wrong" } });
      await peer.waitFor("thread/realtime/closed");
      observe(stage, endpoint);
    },
    differences: [delegated],
  },
  {
    name: "realtime/existing-call",
    covers: "A call that a client has made by itself, and what cannot be asked of one or of a version",
    setup: { config: feature },
    run: async (stage) => {
      await using endpoint = realtimeEndpoint();
      const peer = await connect(stage, endpoint);
      const { id: threadId } = await startThread(peer);
      const transport = { type: "existingCall", callId: "rtc_9" };
      const join = { threadId, outputModality: "audio", transport };
      await requestEach(peer, "thread/realtime/start", [
        { ...join, prompt: null },
        { ...join, model: "m" },
        { ...join, voice: "cove" },
        { ...join, initialItems: [{ role: "user", text: "x" }] },
      ]);
      for (const wrong of [
        { voice: "marin", transport: webrtc },
        { outputModality: "text", transport: webrtc },
        { version: "v2", voice: "cove", transport: null },
        { initialItems: [{ role: "user", text: "x" }], transport: null },
      ]) {
        await peer.request("thread/realtime/start", { ...join, ...wrong });
        await peer.waitFor("thread/realtime/error");
      }
      await peer.request("thread/realtime/start", { ...join, realtimeSessionId: "mine" });
      await peer.waitFor("thread/realtime/started");
      await peer.request("thread/realtime/start", join);
      await peer.waitFor("thread/realtime/started");
      await peer.request("thread/realtime/appendText", { threadId, text: "hello" });
      await endpoint.heard("conversation.item.create");
      await peer.request("thread/realtime/stop", { threadId });
      await peer.waitFor("thread/realtime/closed");
      observe(stage, endpoint);
    },
  },
];
