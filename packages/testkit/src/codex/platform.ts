/** Paths of a platform's binary in the packages of Codex. */
export interface CodexPlatform {
  /** Folder below `vendor/`. */
  readonly triple: string;
  /** The optional package that holds it, for versions that split the platforms. */
  readonly packageName: string;
  /** Name of the executable. */
  readonly executable: string;
}

const cpus: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };
const systems: Readonly<Record<string, string>> = {
  linux: "unknown-linux-musl",
  android: "unknown-linux-musl",
  darwin: "apple-darwin",
  win32: "pc-windows-msvc",
};

/** The platform of this machine, or `undefined` where Codex has no binary for it. */
export function codexPlatform(
  platform: string = process.platform,
  arch: string = process.arch,
): CodexPlatform | undefined {
  const cpu = cpus[arch];
  const system = systems[platform];
  if (!cpu || !system) return undefined;
  return {
    triple: `${cpu}-${system}`,
    packageName: `@openai/codex-${platform === "android" ? "linux" : platform}-${arch}`,
    executable: platform === "win32" ? "codex.exe" : "codex",
  };
}
