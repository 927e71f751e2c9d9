import type { ThreadResumeParams, ThreadStartParams } from "@quire/protocol";
import { type ApprovalPolicy, type Sandbox, toApprovalPolicy, toSandboxMode } from "../port/spelling.ts";
import type { Tool } from "../tools/tool.ts";
import { toolSpecs } from "../tools/tool-spec.ts";

/** Defaults for threads. */
export interface ThreadDefaults {
  readonly model?: string | undefined;
  readonly cwd?: string | undefined;
  readonly approvalPolicy?: ApprovalPolicy | undefined;
  readonly sandbox?: Sandbox | undefined;
}

/** Options of a new thread. */
export interface StartOptions extends Omit<ThreadStartParams, "approvalPolicy" | "sandbox" | "dynamicTools"> {
  readonly approvalPolicy?: ApprovalPolicy | undefined;
  readonly sandbox?: Sandbox | undefined;
  /** Tools of this program that the agent may call. */
  readonly tools?: readonly Tool[] | undefined;
}

/** Options for resuming a thread. */
export interface ResumeOptions extends Omit<ThreadResumeParams, "threadId" | "approvalPolicy" | "sandbox"> {
  readonly approvalPolicy?: ApprovalPolicy | undefined;
  readonly sandbox?: Sandbox | undefined;
  /** Tools that this program serves on the thread; they were declared when it was started. */
  readonly tools?: readonly Tool[] | undefined;
}

/** The wire's form of a start, in the words of the server at hand. */
export async function toStartParams(
  { tools, ...options }: StartOptions,
  defaults: ThreadDefaults,
  serverVersion: string | undefined,
): Promise<ThreadStartParams> {
  const { approvalPolicy, sandbox, ...rest } = { ...defaults, ...defined(options) };
  return {
    ...rest,
    ...spelled({ approvalPolicy, sandbox }, serverVersion),
    ...(tools !== undefined && tools.length !== 0 && { dynamicTools: await toolSpecs(tools, serverVersion) }),
  };
}

/** The wire's form of a resume. The defaults for new threads do not apply: the thread has its own settings. */
export function toResumeParams(
  threadId: string,
  { tools: _tools, approvalPolicy, sandbox, ...rest }: ResumeOptions,
  serverVersion: string | undefined,
): ThreadResumeParams {
  return { ...rest, threadId, ...spelled({ approvalPolicy, sandbox }, serverVersion) };
}

function spelled(
  { approvalPolicy, sandbox }: Pick<ThreadDefaults, "approvalPolicy" | "sandbox">,
  serverVersion: string | undefined,
): Pick<ThreadStartParams, "approvalPolicy" | "sandbox"> {
  return {
    ...(approvalPolicy !== undefined && { approvalPolicy: toApprovalPolicy(approvalPolicy, serverVersion) }),
    ...(sandbox !== undefined && { sandbox: toSandboxMode(sandbox) }),
  };
}

/** Leaves out what is undefined, so that it does not hide a default. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
