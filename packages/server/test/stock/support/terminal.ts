import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually, type TempDir, tempDir } from "@quire/testkit";
import { stepMs } from "./stage.ts";

const run = promisify(execFile);

/** A program on a terminal that a test types into and looks at. Disposing ends it. */
export interface Terminal extends AsyncDisposable {
  /** What is on the screen, without the blanks at the ends of lines. */
  screen(): Promise<string>;
  /** Waits until the screen shows it. The error of one who waited in vain shows the screen. */
  shows(wanted: RegExp): Promise<string>;
  /** Types text, waits until the screen shows it, and presses Enter. */
  enter(text: string): Promise<void>;
  /** Presses a key, in tmux's words: `Enter`, `Escape`, `Down`, `y`. */
  press(key: string): Promise<void>;
  /**
   * Presses a key until what is on the screen is gone. A program may leave out keys that come right after it has asked
   * something, as nobody can have read it yet.
   */
  answer(question: RegExp, key: string): Promise<void>;
}

/** What runs on it. */
export interface TerminalOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Pause before a key is pressed again. On a busy machine the first may still be on its way, and the second go elsewhere. */
const againMs = 5000;

/** Why there can be no terminal; `false` where there can. Never silent, and an error where nothing may be skipped. */
export function skipWithoutTmux(): string | false {
  if (Bun.which("tmux")) return false;
  const reason = "tmux is missing: install it (Debian: apt-get install tmux)";
  if (process.env.CI && process.env.CI !== "false") throw new Error(reason);
  process.stderr.write(`\n*** SKIPPED: ${reason}\n\n`);
  return reason;
}

/** Starts a program in a tmux of its own. */
export async function terminal({ command, env, cwd }: TerminalOptions): Promise<Terminal> {
  const folder: TempDir = await tempDir("quire-tmux-");
  const tmux = (...args: string[]) =>
    run("tmux", ["-S", join(folder.path, "socket"), "-f", "/dev/null", ...args], {
      env: { ...env, TERM: "xterm-256color", LANG: "C.UTF-8" },
      cwd,
    });
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  // What it said last stays to be read when it has ended.
  await tmux("new-session", "-d", "-x", "110", "-y", "60", `${words}; echo ended with $?; exec cat`);
  const screen = async () => (await tmux("capture-pane", "-p")).stdout.trimEnd();
  const shows = async (wanted: RegExp): Promise<string> => {
    let last = "";
    try {
      return await eventually(
        async () => {
          last = await screen();
          return wanted.test(last) ? last : undefined;
        },
        { timeoutMs: stepMs, intervalMs: 30 },
      );
    } catch {
      throw new Error(`Waited in vain for ${wanted} on the screen:\n${last}`);
    }
  };
  const press = async (key: string) => void (await tmux("send-keys", key));
  return {
    screen,
    shows,
    press,
    async answer(question, key) {
      await shows(question);
      const gone = async () => !question.test(await screen());
      const pressed = async () => {
        if (await gone()) return true;
        await press(key);
        return eventually(gone, { timeoutMs: againMs, intervalMs: 30 });
      };
      await eventually(pressed, { timeoutMs: stepMs, what: `the end of ${question}` });
    },
    async enter(text) {
      await tmux("send-keys", "-l", text);
      await shows(new RegExp(text.replaceAll(/[^\w ]/g, "\\$&")));
      await tmux("send-keys", "Enter");
    },
    async [Symbol.asyncDispose]() {
      await tmux("kill-server").catch(() => undefined);
      await folder.remove();
    },
  };
}
