export { type CodexConfig, codexConfigToml, type TomlValue } from "./codex/config-toml.ts";
export { codexAvailable, installCodex } from "./codex/install.ts";
export { type ListeningServer, listen } from "./codex/listen.ts";
export { codexCacheDir, locateCodex } from "./codex/locate.ts";
export { type RealCodex, type RealCodexOptions, realCodex } from "./codex/real-codex.ts";
export { skipWithoutCodex } from "./codex/skip-without-codex.ts";
export { isWithin, testedVersions, type VersionRange } from "./codex/tested-versions.ts";
export { waitUntilStored } from "./codex/wait-until-stored.ts";
export { type ByteFaults, faultyBytes } from "./fault/byte-faults.ts";
export { type BytePairOptions, bytePair } from "./fault/byte-pair.ts";
export { type CutOptions, cutting, type KillOptions, killing } from "./fault/cut.ts";
export { type DelayOptions, delayed } from "./fault/delay.ts";
export { type JunkOptions, junkLine, junky } from "./fault/junk.ts";
export type { Direction } from "./fault/lane-transport.ts";
export { type StallingTransport, type StallOptions, stalling } from "./fault/stall.ts";
export { type EventuallyOptions, eventually } from "./lib/eventually.ts";
export { type FakeClock, type FakeClockOptions, fakeClock } from "./lib/fake-clock.ts";
export { chromiumPath, findChromium } from "./lib/find-chromium.ts";
export { type Gate, gate } from "./lib/gate.ts";
export {
  assertNoChildren,
  assertNoProcesses,
  descendants,
  type ProcessInfo,
  type ProcessQuery,
  taggedProcesses,
} from "./lib/processes.ts";
export { type Random, random } from "./lib/random.ts";
export { type TempDir, tempDir } from "./lib/temp-dir.ts";
export { mockAnthropic } from "./mock/anthropic/mock-anthropic.ts";
export { mockChat } from "./mock/chat/mock-chat.ts";
export type { OutputItem } from "./mock/event-stream.ts";
export { mockGemini } from "./mock/gemini/mock-gemini.ts";
export { type HttpErrorReply, httpError } from "./mock/http-error.ts";
export { MockResponses, type MockResponsesOptions, mockResponses } from "./mock/mock-responses.ts";
export { ModelMock, type ModelMockOptions, type WhenClause } from "./mock/model-mock.ts";
export type { CallOptions, ReasoningOptions, TextOptions } from "./mock/parts.ts";
export type { RateLimits, RateLimitWindow } from "./mock/rate-limits.ts";
export {
  type InputItem,
  type ModelRequestBody,
  RecordedRequest,
  type RequestEnd,
  type RequestHeaders,
  type ToolSpec,
} from "./mock/recorded-request.ts";
export { Reply, reply } from "./mock/reply.ts";
export type { RequestMatcher, ScriptedReply } from "./mock/script.ts";
export { type Chunks, splitText } from "./mock/split-text.ts";
export type { Ending, ReplyScript, ReplyUsage, Step } from "./mock/steps.ts";
export { type RecordingTransport, type RecordOptions, record } from "./record/record.ts";
export { loadRecording, type Recording, type RecordingEntry, type Side } from "./record/recording.ts";
export { type ReplayTransport, replay } from "./record/replay.ts";
export { type Answer, type ReceivedMessage, ScriptedServer, scriptedServer } from "./scripted/scripted-server.ts";
export type { ScriptedFileChange, TurnScript, TurnStep } from "./scripted/turn-script.ts";
