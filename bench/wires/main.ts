/** The same turns with a model behind each API: the work that a wire costs the server beyond that of Responses. */
import { join } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { realCodex } from "@quire/testkit";
import { startModel } from "../against-codex.ts";
import { type Comparison, report } from "../figures.ts";
import { inRounds, medians } from "../rounds.ts";
import { timed } from "../server/measure.ts";
import { deltas, warmTurns } from "../server/sizes.ts";
import { Subject } from "../server/subject.ts";
import { median } from "../stats.ts";

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5);
const command = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "quire");
/** By the model that they are asked for: some packages know models by name. */
const apis = {
  responses: "mock",
  plain: "mock",
  chat: "mock",
  anthropic: "claude-sonnet-4-5",
  gemini: "gemini-3-pro",
} as const;
type Api = keyof typeof apis;

/** `plain` is Responses in the dialect of providers that are not OpenAI's, which are metered, too. */
const dialects: Partial<Record<Api, string>> = { responses: "openai", plain: "plain" };
const mockOf = (api: Api): string => (dialects[api] === undefined ? api : "responses");

/** Pieces that come one by one, as those of real models do. */
const paced = 2000;

interface Sample {
  readonly turnMs: number;
  readonly deltasMs: number;
  readonly cpuMs: number;
  readonly pacedCpuMs: number;
}

const names = Object.keys(apis) as Api[];
const programs = await Promise.all(
  names.map(async (api) => [api, await startModel(join(import.meta.dirname, "model-server.ts"), mockOf(api))] as const),
);
const addresses = new Map<string, string>(programs);

// Named as contestants of our own, which take part in every round.
const samples = await inRounds(
  names.map((api) => `quire ${api}`),
  rounds,
  async (name): Promise<Sample> => {
    const api = name.slice("quire ".length) as Api;
    const dialect = dialects[api];
    const row = { wire_api: mockOf(api), experimental_bearer_token: "key", ...(dialect !== undefined && { dialect }) };
    const config = Object.fromEntries(
      Object.entries(row).map(([key, value]) => [`model_providers.mock.${key}`, value]),
    );
    await using codex = await realCodex(codexVersion, {
      model: addresses.get(api) ?? "",
      modelName: apis[api],
      config,
    });
    await using subject = await Subject.spawn({ ...codex, command });
    const thread = await subject.startThread();
    for (let n = 0; n < warmTurns; n++) await subject.turn(thread, "warm up");
    const turns: number[] = [];
    for (let n = 0; n < 2 * warmTurns; n++) turns.push(await timed(() => subject.turn(thread, "hello")));
    const before = subject.cpuMs;
    const deltasMs = await timed(() => subject.turn(thread, `deltas ${deltas}`));
    const cpuMs = subject.cpuMs - before;
    await subject.turn(thread, `paced ${paced}`);
    return { turnMs: median(turns), deltasMs, cpuMs, pacedCpuMs: subject.cpuMs - before - cpuMs };
  },
);

const most = 2;

function comparison(title: string, figure: (sample: Sample) => number, count = 1): Comparison {
  const times = medians(samples, figure);
  const ratio = (times["quire chat"] ?? 0) / (times["quire responses"] ?? 1);
  const goal = `chat at most ${most} × responses; it is ${ratio.toFixed(2)} ×`;
  return { title, count, times, goal, met: ratio <= most };
}

const many = deltas.toLocaleString("en");
report({
  name: "wires",
  about:
    "A turn of quire app-server with a model behind each API, from a mock in a process of its own that answers at once.",
  comparisons: [
    comparison("A warm turn", ({ turnMs }) => turnMs),
    comparison(`A turn of ${many} deltas, wall`, ({ deltasMs }) => deltasMs, deltas),
    comparison(`A turn of ${many} deltas, CPU of the server`, ({ cpuMs }) => cpuMs, deltas),
    comparison(
      `A turn of ${paced.toLocaleString("en")} deltas that come one by one, CPU of the server`,
      ({ pacedCpuMs }) => pacedCpuMs,
      paced,
    ),
  ],
});
