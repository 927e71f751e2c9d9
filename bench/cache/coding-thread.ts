import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "@quire/protocol";
import { gate, type MockResponses, type RealCodex, type Reply, reply } from "@quire/testkit";
import { Subject } from "../server/subject.ts";
import { lines, models } from "./sizes.ts";

interface Started {
  readonly thread: { readonly id: string };
}

interface Ended {
  readonly threadId: string;
  readonly turn: Turn;
}

/** A coding thread of twelve turns in which everything changes once that a server tells the model about. */
export class CodingThread {
  readonly #codex: RealCodex;
  readonly #model: MockResponses;
  /** Bytes of most answers. */
  readonly #answerBytes: number;
  /** A name for each request to the model, in order. */
  readonly names: string[] = [];
  #calls = 0;

  constructor(codex: RealCodex, model: MockResponses, answerBytes: number) {
    this.#codex = codex;
    this.#model = model;
    this.#answerBytes = answerBytes;
  }

  /** Runs all turns. */
  async run(): Promise<void> {
    const { cwd } = this.#codex;
    const folder = join(cwd, "packages");
    mkdirSync(folder);
    mkdirSync(join(cwd, ".git"));
    writeFileSync(join(cwd, "output.txt"), lines(2000));
    writeFileSync(join(cwd, "AGENTS.md"), lines(2000));
    this.#addSkill("first");
    const threadId = await this.#before(folder);
    await this.#after(threadId);
  }

  async #before(folder: string): Promise<string> {
    await using subject = await Subject.spawn(this.#codex);
    const sandbox = { sandbox: "workspace-write", approvalPolicy: "on-request" };
    const { thread } = await subject.request<Started>("thread/start", { model: models[0], ...sandbox });
    const turn = (step: string, params: object = {}, replies?: readonly Reply[]) =>
      this.#turn(subject, thread.id, { step, params, replies });
    await turn("start");
    await turn("patch", {}, [this.#patch(), reply().text("The file is there.")]);
    await turn("model", { model: models[1] });
    await turn("cwd", { cwd: folder });
    await turn("policy", { sandboxPolicy: { type: "dangerFullAccess" }, approvalPolicy: "never" });
    writeFileSync(join(this.#codex.cwd, "AGENTS.md"), lines(2100));
    await turn("AGENTS.md");
    this.#addSkill("second");
    await turn("skill");
    const settings = { model: models[1], reasoning_effort: null, developer_instructions: null };
    await turn("plan mode", { collaborationMode: { mode: "plan", settings } });
    await this.#steered(subject, thread.id);
    await this.#interrupted(subject, thread.id);
    return thread.id;
  }

  async #after(threadId: string): Promise<void> {
    {
      await using subject = await Subject.spawn(this.#codex);
      await subject.request("thread/resume", { threadId });
      await this.#turn(subject, threadId, { step: "restart" });
    }
    const env = { ...this.#codex.env, TZ: "Pacific/Auckland" };
    await using subject = await Subject.spawn({ ...this.#codex, env });
    await subject.request("thread/resume", { threadId });
    await this.#turn(subject, threadId, { step: "time zone" });
    const { thread } = await subject.request<Started>("thread/fork", { threadId });
    await this.#turn(subject, thread.id, { step: "fork" });
    await this.#compacted(subject, thread.id);
    await this.#turn(subject, thread.id, { step: "after compaction" });
  }

  async #steered(subject: Subject, threadId: string): Promise<void> {
    const held = gate();
    const first = reply().text(["Working ", held, "on it."]);
    const running = this.#turn(subject, threadId, { step: "steer", replies: [first, reply().text("Done that, too.")] });
    const { turnId } = await this.#begun(subject, threadId);
    await subject.request("turn/steer", { threadId, expectedTurnId: turnId, input: [text("Also the other one.")] });
    held.open();
    await running;
  }

  async #interrupted(subject: Subject, threadId: string): Promise<void> {
    const running = this.#turn(subject, threadId, {
      step: "interrupt",
      replies: [reply().text(["Going ", gate(), "on."])],
    });
    const { turnId } = await this.#begun(subject, threadId);
    await subject.request("turn/interrupt", { threadId, turnId });
    await running;
  }

  #begun(subject: Subject, threadId: string): Promise<{ readonly turnId: string }> {
    return subject.nextNotification<{ threadId: string; turnId: string }>(
      "item/agentMessage/delta",
      (params) => params.threadId === threadId,
    );
  }

  async #compacted(subject: Subject, threadId: string): Promise<void> {
    this.#model.script(reply().text(lines(1500)));
    this.names.push("compaction");
    const ended = this.#ended(subject, threadId);
    await subject.request("thread/compact/start", { threadId });
    await ended;
  }

  async #turn(
    subject: Subject,
    threadId: string,
    {
      step,
      params = {},
      replies = [this.#command(), reply().text(lines(this.#answerBytes))],
    }: { step: string; params?: object; replies?: readonly Reply[] | undefined },
  ): Promise<void> {
    this.#model.script(...replies);
    this.names.push(step, ...replies.slice(1).map((_, at) => `${step}, request ${at + 2}`));
    const ended = this.#ended(subject, threadId);
    await subject.request("turn/start", { threadId, input: [text(`Please see to ${step}. ${lines(300)}`)], ...params });
    const { turn } = await ended;
    if (turn.status === "failed") throw new Error(`The turn "${step}" failed: ${turn.error?.message}`);
  }

  #ended(subject: Subject, threadId: string): Promise<Ended> {
    return subject.nextNotification<Ended>("turn/completed", (params) => params.threadId === threadId);
  }

  #command(): Reply {
    const cmd = `cat ${join(this.#codex.cwd, "output.txt")}`;
    return this.#call({ cmd });
  }

  #patch(): Reply {
    const patch = "*** Begin Patch\n*** Add File: new.txt\n+A line.\n*** End Patch";
    return this.#call({ cmd: `apply_patch <<'END'\n${patch}\nEND` });
  }

  #call(args: object): Reply {
    return reply().functionCall("exec_command", args, { callId: `call_${++this.#calls}` });
  }

  #addSkill(name: string): void {
    const folder = join(this.#codex.home, "skills", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), `---\nname: ${name}\ndescription: ${lines(75)}\n---\n\n${lines(500)}\n`);
  }
}

const text = (words: string) => ({ type: "text", text: words, text_elements: [] });
