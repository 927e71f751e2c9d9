import type { LogFields, LogLevel } from "../events/events.ts";
import { escapeHidden } from "./escape-hidden.ts";

/** Longest value of one field; what is longer is cut, since logs are for reading. */
const maxValue = 1000;

/** A line of the log. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** The fields that come first, in this order, so that lines about one issue or session are found and compared easily. */
const first = ["issue_id", "issue_identifier", "session_id"];

/** Formats a log line as `key=value` pairs: time, level and message, then its fields. */
export function formatLog({ at, level, message, fields }: LogLine): string {
  const known = first.filter((key) => key in fields);
  const rest = Object.keys(fields).filter((key) => !first.includes(key));
  const pairs = [...known, ...rest].flatMap((key) => {
    const value = fields[key];
    return value === undefined ? [] : [`${keyOf(key)}=${bareOrQuoted(value)}`];
  });
  return [`time=${new Date(at).toISOString()}`, `level=${level}`, `msg=${bareOrQuoted(message)}`, ...pairs].join(" ");
}

const keyOf = (key: string) => key.replace(/[^A-Za-z0-9_.-]/g, "_");

/** Bare where that is not ambiguous; otherwise a JSON string, which has no line breaks and no control characters. */
function bareOrQuoted(value: string | number | boolean | null): string {
  if (typeof value !== "string") return String(value);
  const short = value.length > maxValue ? `${value.slice(0, maxValue)}…` : value;
  return /^[^\s"=\\\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+$/u.test(short)
    ? short
    : escapeHidden(JSON.stringify(short));
}
