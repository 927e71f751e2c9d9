import type {
  AdditionalPermissionProfile,
  ApplyPatchApprovalParams,
  CommandAction,
  CommandExecutionApprovalDecision,
  CommandExecutionRequestApprovalParams,
  ExecCommandApprovalParams,
  FileChangeRequestApprovalParams,
  FileUpdateChange,
  GrantedPermissionProfile,
  NetworkApprovalContext,
  NetworkPolicyAmendment,
  PermissionGrantScope,
  PermissionsRequestApprovalParams,
  RequestPermissionProfile,
} from "@quire/protocol";
import type { Answer } from "./answer.ts";

/** The common part of approval requests. A handler returns the result of one of the methods. */
export interface ApprovalRequestBase {
  readonly threadId: string;
  /** Undefined in requests of the oldest kind. */
  readonly turnId: string | undefined;
  /** The item that waits for the answer. */
  readonly itemId: string;
  /** Why the server asks. */
  readonly reason: string | undefined;
  /** Aborted when the question has been withdrawn: another client answered it, or the turn ended. */
  readonly signal: AbortSignal;
  /** Lets it happen, this time. */
  accept(): Answer;
  /** Lets it happen, and the like of it, as long as the thread is loaded. */
  acceptForSession(): Answer;
  /** Refuses; the model learns of it and the turn continues. */
  decline(): Answer;
  /** Refuses and ends the turn. */
  cancel(): Answer;
  /** Replies with whatever the wire allows. */
  respond(result: unknown): Answer;
}

/** Input for a command that runs. */
export interface CommandInput {
  /** Exactly what is typed, control characters and all; undefined where the server does not say. */
  readonly text: string | undefined;
  /** The command line of the program that gets it, where it is known. */
  readonly program: string | undefined;
}

/** The server asks whether a command may run, or whether something may be typed into one that runs. */
export interface CommandApproval extends ApprovalRequestBase {
  readonly kind: "command";
  readonly method: "item/commandExecution/requestApproval" | "execCommandApproval";
  /** The request as it came. */
  readonly params: CommandExecutionRequestApprovalParams | ExecCommandApprovalParams;
  /** The command line as it runs, such as `/bin/bash -lc 'git status'`. */
  readonly command: string | undefined;
  /** The script in it as the model wrote it, such as `git status`. Undefined for input to a command that runs. */
  readonly script: string | undefined;
  /**
   * Program and arguments of every command in the script, in order: `[["git", "status"]]`. Undefined where there is more
   * to it than that: redirections, variables, patterns, substitutions, control flow.
   */
  readonly programs: readonly (readonly string[])[] | undefined;
  /** The input that the question is about, if the command runs already: `command` then only stands for it. */
  readonly input: CommandInput | undefined;
  readonly cwd: string | undefined;
  /** The likely actions of the command. */
  readonly actions: readonly CommandAction[];
  /** The host that it wants to reach, where the question is about the network. */
  readonly network: NetworkApprovalContext | undefined;
  /** The permissions that it wants beyond the sandbox. */
  readonly additionalPermissions: AdditionalPermissionProfile | undefined;
  /** The rule that the server proposes for commands like this one. */
  readonly proposedAmendment: readonly string[] | undefined;
  /** The rules that the server proposes for hosts. */
  readonly proposedNetworkAmendments: readonly NetworkPolicyAmendment[];
  /** The decisions that the server offers, where it says so. */
  readonly availableDecisions: readonly CommandExecutionApprovalDecision[] | undefined;
  /**
   * Lets it run and keeps a rule: a command prefix (default: the proposed one), or a rule for a host, whose `action`
   * says whether that is allowed or denied. Throws where none is given and none is proposed.
   */
  acceptWithAmendment(amendment?: readonly string[] | NetworkPolicyAmendment): Answer;
}

/** The server asks whether files may be changed. */
export interface FileChangeApproval extends ApprovalRequestBase {
  readonly kind: "fileChange";
  readonly method: "item/fileChange/requestApproval" | "applyPatchApproval";
  /** The request as it came. */
  readonly params: FileChangeRequestApprovalParams | ApplyPatchApprovalParams;
  /** The changes, as far as they are known. */
  readonly changes: readonly FileUpdateChange[];
  /** The folder for which the server wants to be let in from now on. */
  readonly grantRoot: string | undefined;
  /** The decisions that there are. */
  readonly availableDecisions: readonly ("accept" | "acceptForSession" | "decline" | "cancel")[];
}

/** Options of a grant. */
export interface GrantOptions {
  /** Default `turn`. */
  readonly scope?: PermissionGrantScope | undefined;
  /** Reviews actions under the grant automatically. */
  readonly strictAutoReview?: boolean | undefined;
}

/** The server asks for more permissions. Declining and cancelling both grant nothing. */
export interface PermissionsApproval extends ApprovalRequestBase {
  readonly kind: "permissions";
  readonly method: "item/permissions/requestApproval";
  /** The request as it came. */
  readonly params: PermissionsRequestApprovalParams;
  /** Undefined before Codex 0.166. */
  readonly cwd: string | undefined;
  /** The permissions that are asked for. */
  readonly permissions: RequestPermissionProfile;
  /** The decisions that there are. */
  readonly availableDecisions: readonly ("accept" | "acceptForSession" | "decline" | "cancel")[];
  /** Grants a part of what is asked for. */
  grant(permissions: GrantedPermissionProfile, options?: GrantOptions): Answer;
}

/** Any approval request; `kind` tells which. */
export type ApprovalRequest = CommandApproval | FileChangeApproval | PermissionsApproval;
