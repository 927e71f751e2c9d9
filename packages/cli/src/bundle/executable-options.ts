import type { BuildConfig } from "bun";

/** Options of every executable that Quire makes of its sources. */
export function executableOptions(outfile: string): Partial<BuildConfig> {
  return {
    conditions: ["bun"],
    minify: { syntax: true, whitespace: true },
    // Parsed beforehand, and in pieces, so that a start loads only what it needs.
    format: "esm",
    splitting: true,
    bytecode: true,
    compile: {
      outfile,
      // The folder that it is started in is the user's, not its own.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      // Manifests are read only where a package is looked for: a user's own, by its name.
      autoloadPackageJson: true,
    },
  };
}
