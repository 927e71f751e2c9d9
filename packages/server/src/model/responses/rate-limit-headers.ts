import type { CreditsSnapshot, RateLimitSnapshot, RateLimitWindow } from "@quire/protocol";

const mainLimit = "codex";

/**
 * The quotas in a response's headers. `x-codex-primary-used-percent` and the like belong to the main limit, which is
 * always first (without windows when none are reported); `x-NAME-primary-used-percent` to a limit of that name.
 */
export function rateLimitSnapshots(headers: Headers): RateLimitSnapshot[] {
  return limitIds(headers).map((id) => snapshot(headers, id));
}

function limitIds(headers: Headers): string[] {
  const ids = new Set([mainLimit]);
  for (const name of headers.keys()) {
    const match = /^x-(.+)-(?:primary|secondary)-used-percent$/.exec(name);
    if (match?.[1]) ids.add(match[1]);
  }
  return [...ids];
}

function snapshot(headers: Headers, id: string): RateLimitSnapshot {
  return {
    // Headers have hyphens where the rest of the API has underscores.
    limitId: id.replaceAll("-", "_"),
    limitName: headers.get(`x-${id}-limit-name`),
    normalModelSlug: null,
    primary: window(headers, `x-${id}-primary`),
    secondary: window(headers, `x-${id}-secondary`),
    credits: credits(headers, `x-${id}-credits`),
    individualLimit: null,
    spendControlReached: null,
    planType: null,
    rateLimitReachedType: null,
  };
}

function window(headers: Headers, prefix: string): RateLimitWindow | null {
  const used = number(headers, `${prefix}-used-percent`);
  if (used === null) return null;
  const minutes = number(headers, `${prefix}-window-minutes`);
  const resetsAt = number(headers, `${prefix}-reset-at`);
  // A limit that does not apply is reported as nothing used of no window.
  if (used === 0 && !minutes && resetsAt === null) return null;
  return { usedPercent: Math.round(used), windowDurationMins: minutes, resetsAt };
}

function credits(headers: Headers, prefix: string): CreditsSnapshot | null {
  const hasCredits = flag(headers, `${prefix}-has-credits`);
  const unlimited = flag(headers, `${prefix}-unlimited`);
  if (hasCredits === null || unlimited === null) return null;
  return { hasCredits, unlimited, balance: headers.get(`${prefix}-balance`) };
}

function number(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  if (value === null || value.trim() === "") return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

function flag(headers: Headers, name: string): boolean | null {
  const value = headers.get(name)?.toLowerCase();
  if (value === undefined) return null;
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : null;
}
