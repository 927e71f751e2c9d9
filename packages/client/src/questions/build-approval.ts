import {
  type CommandExecutionRequestApprovalParams,
  type FileChange,
  type FileUpdateChange,
  type NetworkPolicyAmendment,
  type ServerRequests,
  shellScript,
  typedInput,
} from "@quire/protocol";
import { parseScript, plainCommands, quoteCommand } from "@quire/protocol/shell";
import { Answer } from "./answer.ts";
import type {
  ApprovalRequest,
  ApprovalRequestBase,
  CommandApproval,
  CommandInput,
  GrantOptions,
} from "./approval-requests.ts";
import { type Decision, legacyResult, modernResult } from "./decisions.ts";

/** The methods by which a server asks for an approval. */
export type ApprovalMethod = ApprovalRequest["method"];

/** An approval request with the method that it came by. */
export type IncomingApproval = {
  [M in ApprovalMethod]: { readonly method: M; readonly params: ServerRequests[M]["params"] };
}[ApprovalMethod];

/** The parts of a request object. */
export interface ApprovalContext {
  readonly signal: AbortSignal;
  /** The changes of a file change item that has begun: the request itself does not carry them. */
  readonly changesOf?: ((threadId: string, itemId: string) => readonly FileUpdateChange[] | undefined) | undefined;
  /** The command line of a command that runs. */
  readonly commandOf?: ((itemId: string) => string | undefined) | undefined;
}

const decisions = ["accept", "acceptForSession", "decline", "cancel"] as const;

/** Makes the request object of an approval. */
export function buildApproval(incoming: IncomingApproval, context: ApprovalContext): ApprovalRequest {
  const { signal } = context;
  switch (incoming.method) {
    case "item/commandExecution/requestApproval": {
      const { method, params } = incoming;
      return {
        ...base(params, signal, modernResult),
        ...amending(modernResult, params.proposedExecpolicyAmendment),
        kind: "command",
        method,
        params,
        command: params.command ?? undefined,
        ...scriptOf(params.kind === "writeStdin" ? undefined : params.command),
        input: inputOf(params, context),
        cwd: params.cwd ?? undefined,
        actions: params.commandActions ?? [],
        network: params.networkApprovalContext ?? undefined,
        additionalPermissions: params.additionalPermissions ?? undefined,
        proposedNetworkAmendments: params.proposedNetworkPolicyAmendments ?? [],
        availableDecisions: params.availableDecisions ?? undefined,
      };
    }
    case "execCommandApproval": {
      const { method, params } = incoming;
      return {
        ...base(modernIds(params), signal, legacyResult),
        ...amending(legacyResult),
        kind: "command",
        method,
        params,
        command: params.command.join(" "),
        ...scriptOf(quoteCommand(params.command)),
        input: undefined,
        cwd: params.cwd,
        actions: [],
        network: undefined,
        additionalPermissions: undefined,
        proposedNetworkAmendments: [],
        availableDecisions: decisions,
      };
    }
    case "item/fileChange/requestApproval": {
      const { method, params } = incoming;
      return {
        ...base(params, signal, modernResult),
        kind: "fileChange",
        method,
        params,
        changes: context.changesOf?.(params.threadId, params.itemId) ?? [],
        grantRoot: params.grantRoot ?? undefined,
        availableDecisions: decisions,
      };
    }
    case "applyPatchApproval": {
      const { method, params } = incoming;
      return {
        ...base(modernIds(params), signal, legacyResult),
        kind: "fileChange",
        method,
        params,
        changes: Object.entries(params.fileChanges).map(([path, change]) => modernChange(path, change)),
        grantRoot: params.grantRoot ?? undefined,
        availableDecisions: decisions,
      };
    }
    case "item/permissions/requestApproval": {
      const { method, params } = incoming;
      const { permissions } = params;
      const grant = (granted: object, { scope = "turn", ...options }: GrantOptions = {}) =>
        new Answer({ permissions: granted, scope, ...options });
      const toResult = (decision: Decision) => {
        const isAccepted = decision === "accept" || decision === "acceptForSession";
        const scope = decision === "acceptForSession" ? "session" : "turn";
        return grant(isAccepted ? permissions : {}, { scope }).result;
      };
      return {
        ...base(params, signal, toResult),
        kind: "permissions",
        method,
        params,
        cwd: params.cwd,
        permissions,
        availableDecisions: decisions,
        grant,
      };
    }
  }
}

function scriptOf(command: string | null | undefined): Pick<CommandApproval, "script" | "programs"> {
  const script = command == null ? undefined : shellScript(command);
  const programs = script === undefined ? undefined : plainCommands(parseScript(script) ?? [])?.flat();
  return { script, programs: programs?.length ? programs : undefined };
}

function inputOf(
  { kind, command, itemId }: CommandExecutionRequestApprovalParams,
  { commandOf }: ApprovalContext,
): CommandInput | undefined {
  if (kind !== "writeStdin") return undefined;
  return { text: command ? (typedInput(command)?.text ?? command) : undefined, program: commandOf?.(itemId) };
}

interface Ids {
  readonly threadId: string;
  readonly turnId?: string;
  readonly itemId: string;
  readonly reason?: string | null | undefined;
}

function base(ids: Ids, signal: AbortSignal, toResult: (decision: Decision) => unknown): ApprovalRequestBase {
  return {
    threadId: ids.threadId,
    turnId: ids.turnId,
    itemId: ids.itemId,
    reason: ids.reason ?? undefined,
    signal,
    accept: () => new Answer(toResult("accept")),
    acceptForSession: () => new Answer(toResult("acceptForSession")),
    decline: () => new Answer(toResult("decline")),
    cancel: () => new Answer(toResult("cancel")),
    respond: (result) => new Answer(result),
  };
}

function amending(
  toResult: (decision: Decision) => unknown,
  proposed?: readonly string[] | null,
): Pick<CommandApproval, "proposedAmendment" | "acceptWithAmendment"> {
  const proposedAmendment = proposed ?? undefined;
  return {
    proposedAmendment,
    acceptWithAmendment(amendment: readonly string[] | NetworkPolicyAmendment | undefined = proposedAmendment) {
      if (amendment === undefined) throw new TypeError("The server proposed no amendment: pass one");
      return new Answer(toResult(amendment));
    },
  };
}

function modernIds(params: {
  readonly conversationId: string;
  readonly callId: string;
  readonly reason?: string | null | undefined;
}): Ids {
  return { threadId: params.conversationId, itemId: params.callId, reason: params.reason };
}

function modernChange(path: string, change: FileChange): FileUpdateChange {
  if (change.type !== "update") return { path, kind: { type: change.type }, diff: change.content };
  return { path, kind: { type: "update", move_path: change.move_path ?? null }, diff: change.unified_diff };
}
