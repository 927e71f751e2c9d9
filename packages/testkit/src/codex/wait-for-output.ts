import type { ChildProcess } from "node:child_process";

/** Timeout of waiting for a server's message. */
const timeoutMs = 60_000;

/**
 * Waits until a server has written this on stderr, and returns what matched.
 *
 * @param sign What it is a sign of, as "it listened", for the error.
 */
export function waitForOutput(child: ChildProcess, pattern: RegExp, sign: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = "";
    const fail = (what: string) => reject(new Error(`${what} before ${sign}: ${all}`));
    const timer = setTimeout(() => fail(`${timeoutMs / 1000} s went by`), timeoutMs);
    const settle = (act: () => void) => {
      clearTimeout(timer);
      act();
    };
    child.stderr?.on("data", (chunk: Buffer) => {
      all += chunk;
      const match = pattern.exec(all)?.[0];
      if (match) settle(() => resolve(match));
    });
    child.once("error", (error) => settle(() => reject(error)));
    child.once("exit", () => settle(() => fail("The server ended")));
  });
}
