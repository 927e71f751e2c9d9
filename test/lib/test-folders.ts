import { dirname } from "node:path";

/** Folders of tests that cut across the sources, and what they hold. */
export const crossCutting: Readonly<Record<string, string>> = {
  attacks: "what an adversary tries",
  browser: "the package in a browser",
  e2e: "all parts together, as a user meets them",
  faults: "connections, processes, disks and models that fail",
  fuzz: "random input",
  generator: "of protocol: the generator beside its sources",
  integration: "the client on every supported server",
  live: "real servers",
  stock: "unchanged clients of Codex on our server",
};

/** The paths of one package's files, from its `test` and its `src`. */
export interface PackageFiles {
  readonly name: string;
  readonly tests: readonly string[];
  readonly sources: readonly string[];
}

/**
 * Tests that are not where a reader looks for them. A test belongs into the folder named as that of the sources it tests,
 * into a {@link crossCutting} one, or, at the top, beside the name of an entry point: `gateway.test.ts` for `gateway.ts`.
 */
export function misplacedTests({ name, tests, sources }: PackageFiles): string[] {
  const folders = new Set(sources.map((file) => dirname(file)));
  return tests.flatMap((file) => {
    const folder = dirname(file);
    if (folder === ".")
      return sources.includes(file.replace(".test.", "."))
        ? []
        : [`packages/${name}/test/${file}: move it into a folder named as the one in src that it tests`];
    const [top = ""] = folder.split("/");
    const known =
      top in crossCutting || folders.has(folder) || [...folders].some((each) => each.startsWith(`${folder}/`));
    return known ? [] : [`packages/${name}/test/${file}: there is no packages/${name}/src/${folder}`];
  });
}
