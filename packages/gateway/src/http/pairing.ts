import { randomInt } from "node:crypto";
import { same } from "./same.ts";

/** A code that signs one more device in. */
export interface PairCode {
  /** `4FKD-9TQX`. */
  readonly code: string;
  readonly expiresMs: number;
}

/** Letters that nobody takes for others. */
const letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 8;
const lifeMs = 5 * 60_000;
/** Wrong codes after which the right one is void too. */
const maxWrong = 10;

/** The one code that holds now: for one use, within five minutes. */
export class Pairing {
  #current: PairCode | undefined;
  #wrong = 0;

  /** Makes a code; the one before no longer holds. */
  start(): PairCode {
    const code = Array.from({ length: codeLength }, () => letters.charAt(randomInt(letters.length))).join("");
    this.#wrong = 0;
    this.#current = { code: `${code.slice(0, 4)}-${code.slice(4)}`, expiresMs: Date.now() + lifeMs };
    return this.#current;
  }

  /** True once for the code, however it is typed. */
  takes(text: string): boolean {
    const typed = text.toUpperCase().replace(/[\s-]/g, "");
    if (this.#current === undefined || typed.length !== codeLength) return false;
    if (this.#current.expiresMs > Date.now() && same(typed, this.#current.code.replace("-", ""))) {
      this.#current = undefined;
      return true;
    }
    this.#wrong += 1;
    if (this.#wrong >= maxWrong) this.#current = undefined;
    return false;
  }
}
