import type { ApprovalDecision } from "../questions/answer.ts";
import type { ApprovalRequest, FileChangeApproval } from "../questions/approval-requests.ts";
import { Approvals } from "../questions/approvals.ts";
import { isEqual, isObject } from "../schema/json-value.ts";
import type { SessionStart } from "./harness-types.ts";

/** An approval that the host is to be asked for. */
export interface AskedApproval {
  readonly approvalId: string;
  /** The item that it is about. */
  readonly itemId: string;
  /** Exactly that which is to be approved, as a call of a tool. */
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** True if the input of the item's own call says the same. */
  isSaidBy(input: unknown): boolean;
}

/** The approvals of a session: some are decided by its permission mode, the others by the host. */
export class TurnApprovals {
  readonly #approvals = new Approvals();
  readonly #mode: SessionStart["permissionMode"];
  readonly #folder: string;
  /** Hears of each approval that the host decides. Set by the turn at hand. */
  onAsk: (asked: AskedApproval) => void = () => undefined;

  constructor(mode: SessionStart["permissionMode"], folder: string) {
    this.#mode = mode;
    this.#folder = folder;
  }

  /** The handler of the client. */
  readonly ask = (request: ApprovalRequest): Promise<ApprovalDecision> | ApprovalDecision => {
    if (this.#mode === "allow-edits" && request.kind === "fileChange" && this.#isInside(request)) return "accept";
    const before = new Set(this.#approvals.snapshot());
    const decision = this.#approvals.ask(request);
    const asked = this.#approvals.snapshot().find((approval) => !before.has(approval));
    if (asked) this.onAsk({ approvalId: asked.id, itemId: asked.itemId, ...callOf(request) });
    return decision;
  };

  /** Answers an approval. One that is not open any more is left alone. */
  answer(approvalId: string, isApproved: boolean): void {
    this.#approvals.answer(approvalId, isApproved ? "accept" : "decline");
  }

  #isInside({ changes, grantRoot }: FileChangeApproval): boolean {
    if (grantRoot != null || changes.length === 0) return false;
    return changes.every(({ path, kind }) => {
      const target = kind.type === "update" ? kind.move_path : undefined;
      return [path, target].every((each) => each == null || isBelow(each, this.#folder));
    });
  }
}

function isBelow(path: string, folder: string): boolean {
  if (path.split("/").includes("..")) return false;
  return !path.startsWith("/") || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function callOf(request: ApprovalRequest): Pick<AskedApproval, "toolName" | "input" | "isSaidBy"> {
  const { reason } = request;
  switch (request.kind) {
    case "command": {
      const { command, cwd, input, network, additionalPermissions } = request;
      const isPlain = !input && !network && !additionalPermissions;
      return {
        toolName: "commandExecution",
        input: { command, cwd, reason, typed: input?.text, network, additionalPermissions },
        isSaidBy: (said) => isPlain && isObject(said) && said.command === command,
      };
    }
    case "fileChange": {
      const { changes, grantRoot } = request;
      return {
        toolName: "fileChange",
        input: { changes, grantRoot, reason },
        isSaidBy: (said) => grantRoot == null && isObject(said) && isEqual(said.changes, changes),
      };
    }
    case "permissions":
      return { toolName: "permissions", input: { permissions: request.permissions, reason }, isSaidBy: () => false };
  }
}
