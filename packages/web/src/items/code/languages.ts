/** Other names of the languages that can be highlighted, and the endings of their files. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    astro: "html",
    bash: "shellscript",
    bzl: "python",
    c: "c",
    "c#": "csharp",
    "c++": "cpp",
    cc: "cpp",
    cjs: "javascript",
    clj: "clojure",
    console: "shellscript",
    cs: "csharp",
    cts: "typescript",
    cxx: "cpp",
    dockerfile: "docker",
    ex: "elixir",
    exs: "elixir",
    fish: "shellscript",
    gql: "graphql",
    gradle: "groovy",
    h: "c",
    hcl: "hcl",
    hh: "cpp",
    hpp: "cpp",
    hs: "haskell",
    htm: "html",
    js: "javascript",
    json5: "jsonc",
    jsonl: "json",
    kt: "kotlin",
    kts: "kotlin",
    less: "css",
    makefile: "make",
    markdown: "markdown",
    md: "markdown",
    mdx: "markdown",
    mjs: "javascript",
    mk: "make",
    mts: "typescript",
    patch: "diff",
    pl: "perl",
    ps1: "powershell",
    py: "python",
    pyi: "python",
    rb: "ruby",
    rs: "rust",
    scss: "scss",
    sh: "shellscript",
    shell: "shellscript",
    svg: "xml",
    tf: "hcl",
    ts: "typescript",
    yml: "yaml",
    zsh: "shellscript",
  }),
);

const known = new Set([
  ...["c", "clojure", "cpp", "csharp", "css", "dart", "diff", "docker", "elixir", "go", "graphql", "groovy", "haskell"],
  ...["hcl", "html", "ini", "java", "javascript", "json", "jsonc", "jsx", "kotlin", "lua", "make", "markdown", "nix"],
  ...["perl", "php", "powershell", "proto", "python", "r", "ruby", "rust", "scala", "scss", "shellscript", "sql"],
  ...["svelte", "swift", "toml", "tsx", "typescript", "vue", "xml", "yaml", "zig"],
]);

/** The language of a code fence's info string (`ts`, `python title="x"`), where it can be highlighted. */
export function languageOf(info: string | undefined): string | null {
  const name =
    info
      ?.trim()
      .split(/[\s,{:]/, 1)[0]
      ?.toLowerCase() ?? "";
  const language = aliases.has(name) ? aliases.get(name) : name;
  return language !== undefined && known.has(language) ? language : null;
}

/** The language of a file by its name. */
export function languageOfPath(path: string): string | null {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? "";
  if (name.startsWith("dockerfile")) return "docker";
  if (name === "makefile") return "make";
  const dot = name.lastIndexOf(".");
  return dot === -1 ? null : languageOf(name.slice(dot + 1));
}
