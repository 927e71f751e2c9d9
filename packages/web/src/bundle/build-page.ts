import { join } from "node:path";
import type { PageFile } from "./page-file.ts";

const appEntry = join(import.meta.dir, "..", "app", "index.html");
const serviceEntry = join(import.meta.dir, "..", "app", "sw.ts");
const workerEntry = join(import.meta.dir, "..", "items", "code", "highlight-worker.ts");

/**
 * Bundles the page from its sources: `/` and, under `/assets/`, files whose names hold the hash of their content.
 * Workers are bundled apart, for they must not share a file with what needs a document; the page gets their addresses.
 */
export async function buildPage(entry: string = appEntry): Promise<readonly PageFile[]> {
  const worker = await bundle(workerEntry, "assets/[name]-[hash].[ext]", {});
  const page = await bundle(entry, "[name].[ext]", { HIGHLIGHT_WORKER: JSON.stringify(worker.entry) });
  if (entry !== appEntry) return [...page.files, ...worker.files];
  const service = await bundle(serviceEntry, "sw.js", {});
  return [...page.files.map(withHead), ...worker.files, ...service.files, ...(await installFiles())];
}

/** Tags that make the page an app. Added here, for the bundler would give these files names of its own. */
const head =
  '<link rel="manifest" href="/manifest.webmanifest"><link rel="apple-touch-icon" href="/icon-192.png">' +
  '<meta name="theme-color" content="#141518">';

function withHead(file: PageFile): PageFile {
  if (file.path !== "/") return file;
  const text = new TextDecoder().decode(file.body).replace("</head>", `${head}</head>`);
  return { ...file, body: new TextEncoder().encode(text) };
}

/** The manifest and the icons that it names. */
async function installFiles(): Promise<readonly PageFile[]> {
  const folder = join(import.meta.dir, "..", "app");
  const read = async (name: string, path: string, type: string): Promise<PageFile> => ({
    ...{ path, type },
    body: await Bun.file(join(folder, name)).bytes(),
  });
  const icons = ["icon-192.png", "icon-512.png", "icon-maskable.png"].map((name) =>
    read(name, `/${name}`, "image/png"),
  );
  return Promise.all([read("manifest.json", "/manifest.webmanifest", "application/manifest+json"), ...icons]);
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
