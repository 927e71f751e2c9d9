import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { type MockResponses, mockResponses, type RealCodex, realCodex } from "@quire/testkit";
import { root } from "../../scripts/lib/workspace.ts";

/** An example that runs. */
interface RunningExample {
  /** Resolves when it has printed this, with all that it has printed. */
  printed(text: string): Promise<string>;
  /** Interrupts it, as a user does. */
  interrupt(): void;
  /** Exit code and output. */
  readonly ended: Promise<{ readonly code: number; readonly output: string }>;
}

/** Options of an example. */
export interface StartOptions {
  readonly args?: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Surroundings of the client's examples: `codex` on PATH is the real one, its model is scripted, and the current folder
 * is empty. The examples themselves know nothing of it.
 */
export interface ExampleStage extends AsyncDisposable {
  readonly model: MockResponses;
  readonly codex: RealCodex;
  /** The environment in which `codex` is found. */
  readonly env: Readonly<Record<string, string>>;
  start(file: string, options?: StartOptions): RunningExample;
}

/** Longest run of one example: it starts a real server on a busy machine. */
const timeoutMs = 50_000;

/** Log of recorded traffic; the examples write to it when the tests do. */
const log = process.env.QUIRE_COVERAGE_LOG;
const tap = log === undefined ? [] : ["--preload", join(root, "scripts", "coverage-tap.ts")];
const tapEnv: Readonly<Record<string, string>> = log === undefined ? {} : { QUIRE_COVERAGE_LOG: log };

/** @param modelName A model of Codex's own catalogue, where the tools that it is offered matter. */
export async function exampleStage(modelName = "mock-model"): Promise<ExampleStage> {
  const model = await mockResponses();
  const codex = await realCodex(codexVersion, { model, modelName });
  const env = { ...codex.env, PATH: [dirname(codex.command), codex.env.PATH ?? ""].join(delimiter) };
  return {
    model,
    codex,
    env,
    start: (file, { args = [], input = "", env: more } = {}) =>
      run([...tap, join(root, file), ...args], input, { env: { ...env, ...tapEnv, ...more }, cwd: codex.cwd }),
    async [Symbol.asyncDispose]() {
      await codex[Symbol.asyncDispose]();
      await model.close();
    },
  };
}

function run(args: readonly string[], input: string, options: { env: Record<string, string>; cwd: string }) {
  const child = spawn(process.execPath, args, { ...options, timeout: timeoutMs, killSignal: "SIGKILL" });
  child.stdin.end(input);
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<{ code: number; output: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 128, output }));
  });
  const printed = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (output.includes(text)) resolve(output);
      };
      child.stdout.on("data", look);
      void ended.then(() => reject(new Error(`It ended without printing "${text}": ${output}`)));
      look();
    });
  return { printed, ended, interrupt: () => void child.kill("SIGINT") };
}
