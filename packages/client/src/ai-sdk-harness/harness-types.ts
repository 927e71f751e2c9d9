/** The parts of the interface of `@ai-sdk/harness` (its version 1) that are used, so that nothing has to be installed for it. */
import type {
  JSONValue,
  LanguageModelV3FinishReason,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResult,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";

/** A process in a sandbox. It has no stdin. */
export interface SandboxProcess {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  wait(): PromiseLike<{ exitCode: number }>;
  kill(): PromiseLike<void>;
}

/** A command for a sandbox. */
interface SandboxCommand {
  readonly command: string;
  readonly workingDirectory?: string;
  readonly env?: Record<string, string>;
  readonly abortSignal?: AbortSignal;
}

/** A sandbox that a harness runs in. Those without ports have only files and processes. */
export interface HarnessSandbox {
  readonly spawn: (command: SandboxCommand) => PromiseLike<SandboxProcess>;
  readonly ports?: readonly number[];
  readonly getPortEndpoint?: (options: { port: number; protocol?: "http" | "https" | "ws" }) => PromiseLike<{
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
  }>;
}

/** Data under the id of a harness. */
export type HarnessMetadata = Record<string, Record<string, JSONValue>>;

/** A warning of a turn. */
export interface HarnessWarning {
  readonly type: "other";
  readonly message: string;
}

interface TextPart {
  readonly id: string;
  harnessMetadata?: HarnessMetadata;
}

/** An event of a turn. */
export type HarnessPart =
  | { type: "stream-start"; warnings?: readonly HarnessWarning[]; modelId?: string }
  | ({ type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end" } & TextPart)
  | ({ type: "text-delta" | "reasoning-delta"; delta: string } & TextPart)
  | (LanguageModelV3ToolCall & { nativeName?: string; stepToolCallCount?: number })
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string }
  | LanguageModelV3ToolResult
  | { type: "compaction"; trigger: "manual" | "auto"; summary: string }
  | { type: "finish-step"; finishReason: LanguageModelV3FinishReason; usage: LanguageModelV3Usage }
  | {
      type: "finish";
      finishReason: LanguageModelV3FinishReason;
      totalUsage: LanguageModelV3Usage;
      harnessMetadata?: HarnessMetadata;
    };

/** A tool that the host runs. */
export interface HostToolSpec {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
}

/** Instructions that are loaded under a name. */
export interface HarnessSkill {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly files?: readonly { readonly path: string; readonly content: string }[];
}

/** The result of a tool that the host ran. */
export interface HostToolResult {
  readonly toolCallId: string;
  readonly output: unknown;
  readonly isError?: boolean;
  readonly toolResult?: { readonly output: unknown };
}

/** The host's way to answer a turn. */
export interface HarnessTurnControl {
  submitToolResult(result: HostToolResult): Promise<void>;
  submitToolApproval(answer: { approvalId: string; approved: boolean; reason?: string }): Promise<void>;
  submitUserMessage(text: string): Promise<void>;
  readonly done: Promise<void>;
}

/** Options of a turn that is continued. */
export interface ContinueOptions {
  readonly model?: string;
  readonly skills: readonly HarnessSkill[];
  readonly instructions?: string;
  readonly tools: readonly HostToolSpec[];
  readonly responseFormat?: { readonly type: "text" } | { readonly type: "json"; readonly schema?: object };
  readonly abortSignal?: AbortSignal;
  readonly emit: (part: HarnessPart) => void;
}

/** Options of a turn that begins. */
export interface PromptOptions extends ContinueOptions {
  readonly prompt: string | { readonly role: "user"; readonly content: unknown };
}

interface LifecycleState {
  readonly harnessId: string;
  readonly specificationVersion: "harness-v1";
  readonly data: JSONValue;
}

/** A session as it is resumed. */
export interface ResumeState extends LifecycleState {
  readonly type: "resume-session";
}

/** A turn as it is continued. */
export interface ContinueState extends LifecycleState {
  readonly type: "continue-turn";
}

/** Options of a session. */
export interface SessionStart {
  readonly sessionId: string;
  readonly sandboxSession: HarnessSandbox;
  readonly sessionWorkDir: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly resumeFrom?: { readonly harnessId: string; readonly data: unknown };
  readonly continueFrom?: { readonly harnessId: string; readonly data: unknown };
  readonly permissionMode?: "allow-reads" | "allow-edits" | "allow-all";
  readonly builtinToolFiltering?: { readonly mode: "allow" | "deny"; readonly toolNames: string[] };
  readonly abortSignal?: AbortSignal;
}

/** A session of a harness, as `HarnessAgent` drives it. */
export interface HarnessSession {
  readonly sessionId: string;
  readonly isResume: boolean;
  doPromptTurn(options: PromptOptions): Promise<HarnessTurnControl>;
  doContinueTurn(options: ContinueOptions): Promise<HarnessTurnControl>;
  doCompact(customInstructions?: string): Promise<void>;
  doSuspendTurn(): Promise<ContinueState>;
  doDetach(): Promise<ResumeState>;
  doStop(): Promise<ResumeState>;
  doDestroy(): Promise<void>;
}

/** A harness for `HarnessAgent` of `@ai-sdk/harness`. */
export interface CodexHarness {
  readonly specificationVersion: "harness-v1";
  readonly harnessId: string;
  /** Empty: the calls of Codex's own tools are sent as dynamic ones. */
  readonly builtinTools: Record<never, never>;
  readonly supportsBuiltinToolApprovals: true;
  doStart(options: SessionStart): Promise<HarnessSession>;
}
