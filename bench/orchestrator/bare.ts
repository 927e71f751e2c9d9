import { tempDir } from "@quire/testkit";
import { bareEnv } from "./stage.ts";

/** Processes to start. */
export interface BareOptions {
  readonly command: string;
  readonly count: number;
  readonly atOnce: number;
}

const lines = [
  { id: 1, method: "initialize", params: {} },
  { method: "initialized" },
  { id: 2, method: "thread/start", params: {} },
  { id: 3, method: "turn/start", params: {} },
];
const conversation = lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Starts the agents as the orchestrator does, asks each for a turn, and ends it. */
export async function runBare({ command, count, atOnce }: BareOptions): Promise<void> {
  await using dir = await tempDir("quire-bench-bare-");
  const env = bareEnv(dir);
  let begun = 0;
  const lane = async () => {
    while (begun++ < count) {
      const child = Bun.spawn(["bash", "-lc", command], { cwd: dir.path, env, stdin: "pipe", stdout: "pipe" });
      void child.stdin.write(conversation);
      await child.stdin.flush();
      const decoder = new TextDecoder();
      let said = "";
      for await (const chunk of child.stdout) {
        said += decoder.decode(chunk, { stream: true });
        if (said.includes("turn/completed")) break;
      }
      void child.stdin.end();
      await child.exited;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
