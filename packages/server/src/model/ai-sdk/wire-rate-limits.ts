import type { RateLimitSnapshot, RateLimitWindow } from "@quire/protocol";

/** The limits in the headers of other wires: tokens first, then requests. Empty where there are none. */
export function wireRateLimits(provider: string, headers: Headers): RateLimitSnapshot[] {
  const primary = limit(headers, "tokens") ?? limit(headers, "input-tokens");
  const secondary = limit(headers, "requests") ?? limit(headers, null);
  if (!primary && !secondary) return [];
  return [
    {
      limitId: provider,
      limitName: provider,
      normalModelSlug: null,
      primary,
      secondary,
      credits: null,
      individualLimit: null,
      spendControlReached: null,
      planType: null,
      rateLimitReachedType: null,
    },
  ];
}

/**
 * `x-ratelimit-remaining-tokens` and the like, or `anthropic-ratelimit-tokens-remaining`. `null`: the bare
 * `x-ratelimit-remaining`, which counts requests.
 */
function limit(headers: Headers, what: string | null): RateLimitWindow | null {
  const value = (field: string): string | null =>
    what === null
      ? headers.get(`x-ratelimit-${field}`)
      : (headers.get(`x-ratelimit-${field}-${what}`) ?? headers.get(`anthropic-ratelimit-${what}-${field}`));
  const max = Number(value("limit") ?? Number.NaN);
  const left = Number(value("remaining") ?? Number.NaN);
  if (!(max > 0) || !Number.isFinite(left)) return null;
  const usedPercent = Math.min(100, Math.max(0, Math.round(100 * (1 - left / max))));
  return { usedPercent, windowDurationMins: null, resetsAt: resetTime(value("reset")) };
}

/** Seconds of each unit. */
const units: ReadonlyMap<string, number> = new Map(Object.entries({ ms: 0.001, s: 1, m: 60, h: 3600 }));

/** A time, or a span such as `1m30s`. In seconds since 1970. */
function resetTime(text: string | null): number | null {
  if (text === null || text === "") return null;
  const bare = Number(text);
  if (Number.isFinite(bare)) return Math.round(sinceEpoch(bare));
  const spans = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (spans.map(([span]) => span).join("") === text) {
    const seconds = spans.reduce((sum, [, count, unit]) => sum + Number(count) * (units.get(unit ?? "") ?? 0), 0);
    return Math.round(Date.now() / 1000 + seconds);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.round(date / 1000);
}

/** A bare number is a time in milliseconds, one in seconds, or the seconds from now on. */
function sinceEpoch(value: number): number {
  if (value > 1e12) return value / 1000;
  return value > 1e9 ? value : Date.now() / 1000 + value;
}
