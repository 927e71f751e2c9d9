import { join } from "node:path";
import type { PageFile } from "./page-file.ts";

const appEntry = join(import.meta.dir, "..", "app", "index.html");
const workerEntry = join(import.meta.dir, "..", "items", "code", "highlight-worker.ts");

/**
 * Bundles the page from its sources: `/` and, under `/assets/`, files whose names hold the hash of their content.
 * Workers are bundled apart, for they must not share a file with what needs a document; the page gets their addresses.
 */
export async function buildPage(entry: string = appEntry): Promise<readonly PageFile[]> {
  const worker = await bundle(workerEntry, "assets/[name]-[hash].[ext]", {});
  const page = await bundle(entry, "[name].[ext]", { HIGHLIGHT_WORKER: JSON.stringify(worker.entry) });
  return [...page.files, ...worker.files];
}

interface Bundle {
  readonly files: readonly PageFile[];
  /** Path of what the entry became. */
  readonly entry: string;
}

async function bundle(entry: string, naming: string, define: Record<string, string>): Promise<Bundle> {
  const { outputs } = await built(entry, {
    entrypoints: [entry],
    target: "browser",
    conditions: ["browser", "bun"],
    minify: true,
    splitting: true,
    // Absolute, so that the address of the page does not matter to what it loads.
    publicPath: "/",
    naming: { entry: naming, chunk: "assets/[name]-[hash].[ext]", asset: "assets/[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"', ...define },
  });
  const main = outputs.find((output) => output.kind === "entry-point");
  const files = outputs.map(async (output) => ({
    path: pathOf(output),
    type: output.type,
    body: new Uint8Array(await output.arrayBuffer()),
  }));
  return { files: await Promise.all(files), entry: main === undefined ? "" : pathOf(main) };
}

async function built(entry: string, options: Bun.BuildConfig): Promise<Bun.BuildOutput> {
  try {
    return await Bun.build(options);
  } catch (error) {
    // Bun only says that it failed; why is in the errors it gathered.
    const reasons = error instanceof AggregateError ? error.errors.map(reasonOf) : [String(error)];
    throw new Error(`${entry} could not be bundled:\n${reasons.join("\n")}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { message, position } = error as Partial<BuildMessage>;
  if (message === undefined) return String(error);
  return position == null ? message : `${position.file}:${position.line}:${position.column}: ${message}`;
}

function pathOf({ path }: { readonly path: string }): string {
  const name = path.replace(/^\.?\//, "");
  return name === "index.html" ? "/" : `/${name}`;
}
