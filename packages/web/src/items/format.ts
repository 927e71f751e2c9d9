import { visibleText } from "@quire/protocol";
import { itemWords } from "../words/words.ts";

/** `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "";
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return itemWords.min(minutes, String(seconds % 60).padStart(2, "0"));
  return itemWords.hMin(Math.floor(minutes / 60), minutes % 60);
}

/** `950`, `12.3k`, `1.2M`: for tokens, where the order of magnitude is what one reads. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${trimmed(count / 1000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
}

const trimmed = (value: number): string =>
  value < 100 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));

const numbers = new Intl.NumberFormat("en-US");

/** `1,204`: for what is counted exactly. */
export const formatNumber = (value: number): string => numbers.format(value);

/** `1 file`, `1,204 lines`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** A path from the thread's folder where it lies below it, as it is elsewhere. */
export function relativePath(path: string, cwd: string | null): string {
  if (cwd === null || cwd === "") return path;
  const base = cwd.endsWith("/") || cwd.endsWith("\\") ? cwd : `${cwd}${cwd.includes("\\") ? "\\" : "/"}`;
  return path.startsWith(base) && path.length > base.length ? path.slice(base.length) : path;
}

/** The last part of a path. */
export const baseName = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== "") ?? path;

/** `toolCall` and `tool_call` as `Tool call`. */
export function humanName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Shows hidden characters as marks: with them a command or a path can look like another one than it is. */
export const revealed = (text: string): string => visibleText(text);

/** Cuts a text for a place where only its beginning can be shown. Never within a surrogate pair. */
export function clipped(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}…`;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
