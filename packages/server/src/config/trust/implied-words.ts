/** Programs that find their own input, and the files in their start folder that define it. */
const implied: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    bun: ["package.json", "bunfig.toml"],
    bundle: ["Gemfile"],
    bunx: ["package.json", "bunfig.toml"],
    cargo: ["Cargo.toml", "build.rs", ".cargo/config.toml", ".cargo/config"],
    deno: ["deno.json", "deno.jsonc", "package.json"],
    direnv: [".envrc"],
    docker: ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "Dockerfile"],
    "docker-compose": ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "Dockerfile"],
    gradle: ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
    just: ["justfile", "Justfile", ".justfile"],
    make: ["GNUmakefile", "makefile", "Makefile"],
    mise: ["mise.toml", ".mise.toml"],
    mvn: ["pom.xml"],
    nix: ["flake.nix"],
    npm: ["package.json", ".npmrc"],
    npx: ["package.json", ".npmrc"],
    pdm: ["pyproject.toml"],
    pnpm: ["package.json", ".npmrc", ".pnpmfile.cjs"],
    poetry: ["pyproject.toml"],
    rake: ["Rakefile", "rakefile"],
    task: ["Taskfile.yml", "Taskfile.yaml"],
    uv: ["pyproject.toml", "uv.toml"],
    yarn: ["package.json", ".yarnrc.yml", ".yarnrc", ".pnp.cjs"],
  }),
);

/** All names of such files. */
export const impliedNames: ReadonlySet<string> = new Set([...implied.values()].flat());

/** The files behind a word that is the name of such a program. */
export function impliedBy(word: string): readonly string[] {
  const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd)$/, "");
  return implied.has(name) ? (implied.get(name) ?? []) : [];
}

/** Folders of a project where programs without a path are found: by a package manager, or because PATH names them. */
export const programFolders: readonly string[] = ["node_modules/.bin", ".venv/bin", "venv/bin"];
