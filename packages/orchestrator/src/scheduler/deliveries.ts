import { visibleText } from "@quire/protocol";
import type { Delivery } from "../deliver/delivery.ts";
import { look, sendBack } from "../deliver/look.ts";
import { Outbox } from "../deliver/outbox.ts";
import { type Carrier, ship } from "../deliver/ship.ts";
import type { EventBus } from "../events/event-bus.ts";
import { toRunError } from "../events/run-error.ts";
import type { Executor } from "../executor/executor.ts";
import type { ClaimStore } from "../state/claims.ts";
import type { Issue } from "../tracker/issue.ts";
import type { Workflow } from "../workflow/load-workflow.ts";
import { workspaceKey } from "../workspace/workspace-key.ts";
import { isTerminal } from "./eligibility.ts";
import { issueFields } from "./run-listener.ts";

/** Options of {@link Deliveries}. */
export interface DeliveriesOptions {
  readonly store: ClaimStore;
  readonly bus: EventBus;
  /** Folder of repositories through which commits go to remotes. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The machine of this name. */
  executor(host: string | null): Executor;
}

/** The result of a run, as far as it is delivered. */
export interface Yield extends Pick<Delivery, "summary" | "runs" | "turns" | "tokens" | "usd"> {
  readonly issue: Issue;
  readonly workspace: string;
  readonly host: string | null;
  /** True if the issue is not active any more. */
  readonly isHandedOver: boolean;
}

/** Delivers what agents made, and follows it until it is merged. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #busy = new Map<string, Promise<unknown>>();
  #outbox: { readonly remote: string; readonly outbox: Outbox } | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  of(issueId: string): Delivery | undefined {
    return this.#options.store.deliveries.get(issueId);
  }

  /** True if an issue was handed over and its work is not at the forge yet: nothing more is to be done for it before. */
  isPending(issueId: string): boolean {
    const delivery = this.of(issueId);
    return delivery?.state === "pending" && delivery.isHandedOver;
  }

  /** Words for an agent that goes on with an issue whose pull request needs changes; null where none does. */
  feedbackFor(issueId: string): string | null {
    const { feedback, pull, branch } = this.of(issueId) ?? { feedback: null };
    if (feedback == null) return null;
    const text = [
      `Your pull request ${pull?.url ?? branch} needs changes:`,
      feedback,
      "Make them on what is there, check what you did, and hand the issue over again.",
    ].join("\n\n");
    return visibleText(text, { prose: true });
  }

  /** Delivers what a run left. A failure is noted, and tried again with the next look. */
  async ship(workflow: Workflow, { issue, ...given }: Yield): Promise<void> {
    if (!workflow.config.deliver) return;
    await this.#alone(issue.id, () => this.#shipAnew(workflow, { issue, ...given }));
  }

  async #shipAnew(workflow: Workflow, { issue, ...given }: Yield): Promise<void> {
    const before = this.of(issue.id);
    const goesOn = before !== undefined && before.state !== "merged" && before.state !== "closed";
    await this.#ship(workflow, {
      branch: `quire/${workspaceKey(issue.identifier)}`,
      sha: null,
      pull: null,
      checks: "none",
      review: "none",
      note: before?.note ?? null,
      seen: [],
      ...(goesOn && before),
      ...given,
      issue,
      feedback: null,
      state: "pending",
      error: null,
    });
  }

  /** Those that something may still happen to. */
  open(): readonly Delivery[] {
    return this.#options.store.deliveries.open();
  }

  /** Notes that a person approved what is pushed now; says why not where nothing is. */
  approve(issueId: string): Promise<string | undefined> {
    return this.#alone(issueId, async () => {
      const delivery = this.of(issueId);
      if (delivery?.state !== "open" || delivery.pull === null) return "It has no open pull request.";
      this.#put({ ...delivery, approved: delivery.sha });
      return undefined;
    });
  }

  /** Sends a pull request back to its agent; says why not where that cannot be. */
  sendBack(workflow: Workflow, issueId: string, text: string): Promise<string | undefined> {
    return this.#alone(issueId, async () => {
      const delivery = this.of(issueId);
      if (!workflow.config.deliver || delivery?.state !== "open" || delivery.pull === null) {
        return "It has no open pull request.";
      }
      const after = await sendBack(delivery, text, this.#carrier(workflow));
      if (typeof after === "string") return after;
      this.#put(after);
      return undefined;
    });
  }

  /** Changes of an issue's branch as it was pushed last; null where nothing was. */
  async diff(workflow: Workflow, issueId: string): Promise<string | null> {
    const { from, sha } = this.of(issueId) ?? {};
    if (!workflow.config.deliver || from == null || sha == null) return null;
    return this.#carrier(workflow).outbox.diff(from, sha);
  }

  /** Has a new workspace go on after what was pushed of its issue's work. */
  async restore(
    workflow: Workflow,
    issueId: string,
    { workspace, host }: Pick<Yield, "workspace" | "host">,
  ): Promise<void> {
    const delivery = this.of(issueId);
    if (!workflow.config.deliver || !delivery || delivery.state === "merged" || delivery.state === "closed") return;
    const { branch, sha: known } = delivery;
    const executor = this.#options.executor(host);
    await this.#carrier(workflow).outbox.restore({ workspace, branch, known, executor });
  }

  /** Looks at all that is under way; says whether issues were changed. @param isBusy True for issues that are worked on. */
  async look(workflow: Workflow, isBusy: (issueId: string) => boolean): Promise<readonly Delivery[]> {
    if (!workflow.config.deliver) return [];
    const changed: Delivery[] = [];
    const { config, tracker } = workflow;
    const open = this.#options.store.deliveries.open().filter(
      // Of a branch that is only pushed there is nothing to look at.
      ({ issue, state, pull }) => (state === "pending" || pull !== null) && !isBusy(issue.id),
    );
    if (open.length === 0) return [];
    const { signal } = this.#options;
    const ids = open.map(({ issue }) => issue.id);
    const found = await tracker.fetchIssuesByIds(ids, { signal });
    const byId = new Map(found.map((issue) => [issue.id, issue]));
    for (const delivery of open) {
      const issue = byId.get(delivery.issue.id);
      // Nothing is done in the name of an issue that is gone, or that somebody ended.
      if (!issue) continue;
      await this.#alone(issue.id, async () => {
        // As it is now: a person may have acted on it meanwhile.
        const before = this.of(issue.id);
        if (!before || signal.aborted || isBusy(issue.id)) return;
        const current = { ...before, issue };
        if (before.state === "pending") await this.#ship(workflow, current);
        else if (before.state === "open" && before.feedback === null && before.pull !== null) {
          const after = await this.#look(workflow, current, !isTerminal(issue, config.tracker));
          if (after.state !== before.state || after.feedback !== before.feedback) changed.push(after);
        }
      });
    }
    return changed;
  }

  /** Does one thing at a time with the delivery of an issue. */
  async #alone<T>(issueId: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#busy.get(issueId) ?? Promise.resolve()).then(work, work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#busy.set(issueId, settled);
    try {
      return await mine;
    } finally {
      if (this.#busy.get(issueId) === settled) this.#busy.delete(issueId);
    }
  }

  async #ship(workflow: Workflow, pending: Delivery): Promise<void> {
    const { bus } = this.#options;
    const fields = issueFields(pending.issue);
    let last = pending;
    const save = (delivery: Delivery) => {
      last = delivery;
      this.#put(delivery);
    };
    try {
      save(pending);
      const after = await ship(pending, this.#carrier(workflow), save);
      save(after);
      const url = after.pull?.url;
      if (after.sha === null) bus.log("info", "nothing to deliver", fields);
      else bus.log("info", "delivered", { ...fields, branch: after.branch, commit: after.sha, pull_request: url });
      if (after.pull) this.#tell(after);
    } catch (error) {
      this.#failed(last, error);
    }
  }

  async #look(workflow: Workflow, delivery: Delivery, canAct: boolean): Promise<Delivery> {
    try {
      const after = await look(delivery, this.#carrier(workflow), canAct);
      this.#put(after);
      if (after.state !== delivery.state || after.feedback !== delivery.feedback) {
        const what = after.feedback === null ? `pull request ${after.state}` : "pull request sent back to its agent";
        this.#options.bus.log("info", what, { ...issueFields(after.issue), pull_request: after.pull?.url });
        this.#tell(after);
      }
      return after;
    } catch (error) {
      this.#failed(delivery, error);
      return delivery;
    }
  }

  #tell({ issue, pull, branch, state }: Delivery): void {
    const { id: issueId, identifier, title, url } = issue;
    const about = { issueId, identifier, title, url };
    this.#options.bus.emit({ type: "issue.delivered", ...about, branch, pullUrl: pull?.url ?? null, state });
  }

  #failed(delivery: Delivery, thrown: unknown): void {
    if (this.#options.signal.aborted) return;
    const { code, message } = toRunError(thrown);
    const isNew = delivery.error?.message !== message;
    this.#put({ ...delivery, error: { code, message } });
    const what = `could not deliver, and will retry: ${message}`;
    if (isNew) this.#options.bus.log("warn", what, { ...issueFields(delivery.issue), code });
  }

  #put(delivery: Delivery): void {
    const { store, bus } = this.#options;
    store.together(() => store.deliveries.put(bus.redacted(delivery)));
    bus.changed();
  }

  #carrier({ config, tracker }: Workflow): Carrier {
    const { deliver } = config;
    if (!deliver) throw new Error("The workflow delivers nothing");
    const { remote, base, author, forge } = deliver;
    const key = JSON.stringify([remote, base, author]);
    if (this.#outbox?.remote !== key) {
      const { folder, signal } = this.#options;
      const credential = forge.credential && remote.startsWith(`${forge.credential.origin}/`) ? forge.credential : null;
      this.#outbox = { remote: key, outbox: new Outbox({ folder, remote, credential, base, author, signal }) };
    }
    const { signal, executor } = this.#options;
    return { config: deliver, outbox: this.#outbox.outbox, writer: tracker.writer, signal, executor };
  }
}
