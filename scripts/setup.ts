/**
 * Gets what the tests need beyond `npm ci`. Run by `npm test`; each step is idempotent and takes no time once done.
 * A step that fails says so and does not stop the rest: the tests that need it tell the story.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { hasAiSdkHarness, installAiSdkHarness } from "./lib/ai-sdk-harness.ts";
import { aptInstall } from "./lib/apt.ts";
import { hasBubblewrap, installBubblewrap } from "./lib/bubblewrap.ts";
import { hasChromium, installChromium } from "./lib/chromium.ts";
import { hasConsumerTools, installConsumerTools } from "./lib/consumer-tools.ts";
import { isOnPath } from "./lib/on-path.ts";
import { hasPostgres, installPostgres } from "./lib/postgres.ts";
import { hasStockClients, installStockClients } from "./lib/stock-clients.ts";
import { root } from "./lib/workspace.ts";

/** A prerequisite on this machine. */
interface SetupStep {
  readonly name: string;
  /** Steps of one lane run one after the other: Debian's packages have one lock. Without one, a step runs by itself. */
  readonly lane?: "apt";
  /** True if it is there already. Must be quick. */
  isDone(): Promise<boolean>;
  run(): Promise<void>;
}

/** Old Codex versions that the client must work with; the newest comes by `npm ci`. */
const olderCodexVersions = ["0.98.0", "0.118.0", "0.166.0"];

const steps: readonly SetupStep[] = [
  ...olderCodexVersions.map(codexStep),
  { name: "Chromium", lane: "apt", isDone: hasChromium, run: installChromium },
  {
    name: "tmux",
    lane: "apt",
    isDone: async () => isOnPath("tmux"),
    run: () => aptInstall("tmux", "Install tmux (Debian: apt-get install tmux)"),
  },
  {
    name: "sshd",
    lane: "apt",
    isDone: async () => existsSync("/usr/sbin/sshd"),
    run: () => aptInstall("openssh-server", "Install OpenSSH's server (Debian: apt-get install openssh-server)"),
  },
  { name: "PostgreSQL", lane: "apt", isDone: hasPostgres, run: installPostgres },
  { name: "Node 20.0 to 24, TypeScript 5.4, Vite and esbuild", isDone: hasConsumerTools, run: installConsumerTools },
  { name: "clients of others", isDone: hasStockClients, run: installStockClients },
  { name: "HarnessAgent of the AI SDK", isDone: hasAiSdkHarness, run: installAiSdkHarness },
  { name: "bubblewrap", lane: "apt", isDone: hasBubblewrap, run: installBubblewrap },
];

function codexStep(version: string): SetupStep {
  // Imported late: a broken testkit must fail its own tests, not the whole run.
  const testkit = () => import("@quire/testkit");
  return {
    name: `Codex ${version}`,
    isDone: async () => (await testkit()).codexAvailable(version),
    run: async () => {
      await (await testkit()).installCodex(version);
    },
  };
}

/** Takes all steps and returns the names of those that failed. Sets `QUIRE_CACHE` for this process and its children. */
export async function setUp(): Promise<string[]> {
  process.env.QUIRE_CACHE ??= join(root, ".cache");
  const packages = steps.filter(({ lane }) => lane === "apt");
  const others = steps.filter(({ lane }) => lane === undefined).map((step) => [step]);
  const failed = await Promise.all([packages, ...others].map(takeInTurn));
  return failed.flat();
}

async function takeInTurn(lane: readonly SetupStep[]): Promise<string[]> {
  const failed: string[] = [];
  for (const step of lane) {
    try {
      if (await step.isDone()) continue;
      console.log(`Set-up: getting ${step.name} ...`);
      await step.run();
    } catch (error) {
      failed.push(step.name);
      const bar = "!".repeat(80);
      console.log(`${bar}\n${step.name} could not be set up; tests that need it will fail or be skipped.`);
      console.log(`${(error as Error).message.trim()}\n${bar}`);
    }
  }
  return failed;
}

if (import.meta.main) {
  const failed = await setUp();
  console.log(failed.length === 0 ? "Everything is set up." : `Missing: ${failed.join(", ")}`);
  process.exit(failed.length === 0 ? 0 : 1);
}
