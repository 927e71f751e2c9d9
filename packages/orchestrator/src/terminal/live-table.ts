import { writeSync } from "node:fs";
import type { OrchestratorControl } from "../events/control.ts";
import { fit } from "./clean-text.ts";
import { noteLine, renderTable, type Screen } from "./render-table.ts";

/** A terminal that can be drawn on. `process.stdout` is one. */
export interface TerminalOutput {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  readonly fd?: number | undefined;
  write(text: string): unknown;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Options of {@link showLiveTable}. */
export interface LiveTableOptions {
  /** Address of the dashboard, for the head of the table. */
  readonly url?: string | null | undefined;
  /** Least time between two drawings, in milliseconds. */
  readonly pauseMs?: number | undefined;
}

/** A display of the orchestrator's state. */
export interface Display {
  /** Gives the terminal back as it was. Idempotent. */
  stop(): void;
}

// Another screen without cursor and line wrapping, so that what was there before comes back as it was.
const enter = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const leave = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/** Times change without events: the table is drawn again at least this often, in milliseconds. */
const tickMs = 1000;

/**
 * A table of the state that renews itself. The terminal is given back by {@link Display.stop}, and also when the process
 * ends without it, by `process.exit` or an error.
 */
export function showLiveTable(
  control: OrchestratorControl,
  output: TerminalOutput,
  options: LiveTableOptions = {},
): Display {
  const { url = null, pauseMs = 100 } = options;
  const notes: string[] = [];
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const draw = () => {
    timer = undefined;
    if (stopped) return;
    const screen: Screen = { columns: output.columns || 80, rows: output.rows || 24 };
    // Each line is overwritten and cleared to its end: no flicker, and nothing left of a longer one.
    const lines = linesOf(control, screen, { url, notes });
    output.write(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join("\r\n")}\x1b[J`);
  };
  const soon = () => {
    timer ??= setTimeout(draw, pauseMs);
  };
  const unsubscribe = control.subscribe((event) => {
    if (event.type === "log" && (event.level === "warn" || event.level === "error")) {
      notes.push(noteLine(event));
      if (notes.length > 3) notes.shift();
    }
    soon();
  });
  const resized = () => {
    clearTimeout(timer);
    output.write("\x1b[2J");
    draw();
  };
  const ticks = setInterval(soon, tickMs);
  const restore = () => {
    // The process is about to end: what is written in the usual way might not arrive.
    if (!stopped && output.fd !== undefined) writeSync(output.fd, leave);
    stopped = true;
  };

  output.on("resize", resized);
  process.on("exit", restore);
  output.write(enter);
  draw();
  return {
    stop() {
      if (stopped) return;
      stopped = true;
      unsubscribe();
      clearTimeout(timer);
      clearInterval(ticks);
      output.off("resize", resized);
      process.off("exit", restore);
      output.write(leave);
    },
  };
}

function linesOf(control: OrchestratorControl, screen: Screen, notes: Parameters<typeof renderTable>[2]): string[] {
  try {
    return renderTable(control.snapshot(), screen, notes);
  } catch (error) {
    return [fit(error instanceof Error ? error.message : String(error), screen.columns)];
  }
}
