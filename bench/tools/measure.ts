import { timed } from "../server/measure.ts";
import type { Subject } from "../server/subject.ts";
import { commands, files, together } from "./sizes.ts";

/** Measurements of a server process under one policy. */
export interface Sample {
  readonly apartMs: number;
  readonly togetherMs: number;
  readonly patchMs: number;
}

/** Policies that are compared, as `thread/start` takes them. */
export const policies = ["danger-full-access", "workspace-write"] as const;

/** Takes every figure under one policy; `cwd` is a folder of the subject's own. */
export async function measure(subject: Subject, cwd: string, sandbox: (typeof policies)[number]): Promise<Sample> {
  const { thread } = await subject.request<{ thread: { id: string } }>("thread/start", {
    cwd,
    sandbox,
    approvalPolicy: "never",
  });
  await subject.turn(thread.id, "apart 2");
  const apartMs = await timed(() => subject.turn(thread.id, `apart ${commands}`));
  const togetherMs = await timed(() => subject.turn(thread.id, `together ${together}`));
  const patchMs = await timed(async () => {
    await subject.turn(thread.id, `add ${files}`);
    await subject.turn(thread.id, `update ${files}`);
  });
  return { apartMs, togetherMs, patchMs };
}
