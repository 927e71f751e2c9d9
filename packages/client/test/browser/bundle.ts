import { gzipSync } from "node:zlib";

/** The part of Bun that is used here; these files are type-checked without Bun's types, which change Node's. */
interface Bundler {
  build(options: {
    readonly entrypoints: readonly string[];
    readonly target: "browser";
    readonly conditions: readonly string[];
    readonly minify: boolean;
    readonly splitting?: boolean;
    readonly plugins?: readonly BundlerPlugin[];
  }): Promise<{ readonly outputs: readonly { readonly path: string; text(): Promise<string> }[] }>;
}

interface BundlerPlugin {
  readonly name: string;
  setup(build: {
    onResolve(
      options: { filter: RegExp },
      resolve: (args: { path: string; kind: string }) => { path: string; external: boolean } | undefined,
    ): void;
  }): void;
}

const { Bun } = globalThis as unknown as { Bun: Bundler };
// The sources, not the compiled output, so that the verdict is about the code at hand.
const options = { target: "browser", conditions: ["bun"], minify: true } as const;

/** Bundles an entry for a page, with what it loads on demand as files of their own. */
export async function bundleFiles(entry: string): Promise<ReadonlyMap<string, string>> {
  const { outputs } = await Bun.build({ ...options, entrypoints: [entry], splitting: true });
  const files = outputs.map(async (output) => [output.path.replace(/^\.?\/?/, "/"), await output.text()] as const);
  return new Map(await Promise.all(files));
}

/** Bytes of an entry, minified and gzipped: without what it loads on demand, and with all of it. */
export async function gzippedSizes(entry: string): Promise<{ readonly entry: number; readonly all: number }> {
  const leaveOut: BundlerPlugin = {
    name: "without what is loaded on demand",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, kind }) =>
        kind === "dynamic-import" ? { path, external: true } : undefined,
      );
    },
  };
  const sizeWith = async (...plugins: BundlerPlugin[]) => {
    const { outputs } = await Bun.build({ ...options, entrypoints: [entry], plugins });
    const texts = await Promise.all(outputs.map((output) => output.text()));
    return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  };
  return { entry: await sizeWith(leaveOut), all: await sizeWith() };
}
