import { ErrorCode, RpcError } from "@quire/jsonrpc";
import { median } from "../stats.ts";
import { calls, deltas, inFlight, threadsAtOnce, warmTurns } from "./sizes.ts";
import type { Subject } from "./subject.ts";

/** Measurements of a server. */
export interface Sample {
  readonly startMs: number;
  readonly startMb: number;
  readonly warmTurnMs: number;
  readonly deltasMs: number;
  readonly deltasCpuMs: number;
  readonly callsMs: number;
  readonly turnsAtOnceMs: number;
  readonly mbPerThread: number;
}

/** Takes every figure of the table but one from one fresh process. */
export async function measure(subject: Subject): Promise<Omit<Sample, "mbPerThread">> {
  const first = await subject.startThread();
  await subject.turn(first, "warm up");
  const warm: number[] = [];
  for (let n = 0; n < warmTurns; n++) warm.push(await timed(() => subject.turn(first, "hello")));
  const cpuBefore = subject.cpuMs;
  const deltasMs = await timed(() => subject.turn(first, `deltas ${deltas}`));
  const deltasCpuMs = subject.cpuMs - cpuBefore;
  const callsMs = await timed(() => manyCalls(subject));
  const threads = await startThreads(subject);
  const turnsAtOnceMs = await timed(() => Promise.all(threads.map((id) => subject.turn(id, "hello"))));
  const { startMs, startMb } = subject;
  return { startMs, startMb, warmTurnMs: median(warm), deltasMs, deltasCpuMs, callsMs, turnsAtOnceMs };
}

/** Memory of a loaded thread, in a fresh process: after other work, threads reuse memory that it freed. */
export async function mbPerThread(subject: Subject): Promise<number> {
  await subject.turn(await subject.startThread(), "warm up");
  const before = subject.residentMb;
  await startThreads(subject);
  return (subject.residentMb - before) / threadsAtOnce;
}

async function startThreads(subject: Subject): Promise<string[]> {
  const threads: string[] = [];
  for (let n = 0; n < threadsAtOnce; n++) threads.push(await subject.startThread());
  return threads;
}

async function manyCalls(subject: Subject): Promise<void> {
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left--;
      await subject.request("thread/loaded/list", {}).catch((error: unknown) => {
        // One that was turned away for overload is made again, as any client would.
        if (!RpcError.is(error) || error.code !== ErrorCode.overloaded) throw error;
        left++;
      });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** Duration of some work, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
