import { maskSecrets } from "./mask-secrets.ts";

/** The server's log. Must hold no secrets; anything that looks like one is masked. */
export interface Log {
  error(message: string, error?: unknown): void;
  warn(message: string, error?: unknown): void;
  info(message: string, error?: unknown): void;
  debug(message: string, error?: unknown): void;
}

/** Log levels, from silent to verbose. */
export const logLevels = ["off", "error", "warn", "info", "debug", "trace"] as const;

/** A level of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number];

/** Options of {@link createLog}. */
export interface LogOptions {
  /** Wins over the environment's `QUIRE_LOG` and `RUST_LOG`. */
  readonly level?: LogLevel | undefined;
  /** `LOG_FORMAT=json` writes one JSON object per line. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Replaces stderr. */
  readonly write?: ((line: string) => void) | undefined;
}

/** Writes to stderr, and to nothing else: stdout belongs to the protocol. Default level: `error`. */
export function createLog(options: LogOptions): Log {
  const { env } = options;
  const level = options.level ?? levelOf(env.QUIRE_LOG) ?? levelOf(env.RUST_LOG) ?? "error";
  const limit = logLevels.indexOf(level);
  const format = env.LOG_FORMAT === "json" ? jsonLine : textLine;
  let write = options.write;
  const at = (of: LogLevel) => {
    if (logLevels.indexOf(of) > limit) return () => undefined;
    return (message: string, error?: unknown) => {
      // Made by the first line that is written, since most servers write none.
      write ??= stderrWriter();
      write(format(of, maskSecrets(error === undefined ? message : `${message}: ${described(error)}`, "***")));
    };
  };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}

/** A log that drops everything. */
export const silentLog: Log = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** Reads `info`, or from a list such as `warn,quire=debug` our own level, else the one without a name. */
function levelOf(directives: string | undefined): LogLevel | undefined {
  let general: LogLevel | undefined;
  for (const directive of directives?.toLowerCase().split(",") ?? []) {
    const [target, level] = directive.includes("=") ? directive.split("=") : ["", directive];
    const found = logLevels.find((name) => name === level?.trim());
    if (target?.trim() === "quire" && found) return found;
    if (target === "") general = found ?? general;
  }
  return general;
}

function textLine(level: LogLevel, message: string): string {
  // Indents further lines, so that none of them passes for a log line.
  const lines = harmless(message).replaceAll("\n", "\n  ");
  return `${new Date().toISOString()} ${level.toUpperCase().padStart(5)} quire: ${lines}\n`;
}

/** Characters that terminals act on or that reorder text; the log quotes names and errors of others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const acted = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const harmless = (text: string): string =>
  text.replace(acted, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

function jsonLine(level: LogLevel, message: string): string {
  const timestamp = new Date().toISOString();
  const line = { timestamp, level: level.toUpperCase(), fields: { message }, target: "quire" };
  return `${harmless(JSON.stringify(line))}\n`;
}

function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}

/** Bytes kept for a slow reader of stderr. Later lines are dropped and counted: a log must not stall the server. */
const maxWaiting = 1024 * 1024;

function stderrWriter(): (line: string) => void {
  const sink = Bun.stderr.writer();
  let waiting = "";
  let dropped = 0;
  let busy = false;
  const flush = async () => {
    busy = true;
    try {
      while (waiting !== "") {
        const text = dropped > 0 ? `${waiting}(${dropped} lines of the log were dropped: nobody read them)\n` : waiting;
        waiting = "";
        dropped = 0;
        const taken = sink.write(text);
        const flushed = sink.flush();
        if (typeof taken !== "number" || typeof flushed !== "number") await Promise.all([taken, flushed]);
      }
      busy = false;
    } catch {
      // Nobody listens any more; `busy` stays set and all further lines are dropped.
    }
  };
  return (line) => {
    if (waiting.length + line.length > maxWaiting) dropped++;
    else waiting += line;
    if (!busy) void flush();
  };
}
