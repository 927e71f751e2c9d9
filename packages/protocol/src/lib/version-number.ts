/** Compares two versions by semver precedence: negative when `a` is older, positive when it is newer, 0 when equal. */
export function compareVersions(a: string, b: string): number {
  const [one, two] = [parseVersion(a), parseVersion(b)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (one.numbers[index] ?? 0) - (two.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.preRelease === two.preRelease) return 0;
  // A pre-release comes before its release.
  if (one.preRelease === "") return 1;
  if (two.preRelease === "") return -1;
  return comparePreReleases(one.preRelease.split("."), two.preRelease.split("."));
}

function parseVersion(version: string): { numbers: number[]; preRelease: string } {
  const [core = "", ...rest] = version.replace(/^v/, "").replace(/\+.*$/, "").split("-");
  return { numbers: core.split(".").map((part) => Number.parseInt(part, 10) || 0), preRelease: rest.join("-") };
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [one = "", two = ""] = [a[index], b[index]];
    if (one === two) continue;
    const [x, y] = [one, two].map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN)) as [number, number];
    if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
    return one < two ? -1 : 1;
  }
  return a.length - b.length;
}

/** Reads the server's version out of the `userAgent` of its `initialize` reply, such as `my_app/0.166.0 (Debian …)`. */
export function parseUserAgent(userAgent: string): string | undefined {
  return /\/v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?=[\s+]|$)/.exec(userAgent)?.[1];
}
