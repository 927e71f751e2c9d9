import { fingerprint } from "../schema/hash.ts";
import type { Scorer } from "./eval-case.ts";

/** Right when the output, or the text of a prompt without one, equals what is expected. The order of keys does not count. */
export function equalsExpected(): Scorer {
  return async ({ expected, output, text }) => {
    const answer = output ?? text;
    return (await fingerprint(answer)) === (await fingerprint(expected))
      ? true
      : { score: false, reason: `got ${JSON.stringify(answer)}` };
  };
}

/** Right when the text has all that is expected in it: a text, or several. Upper and lower case do not count. */
export function includesExpected(): Scorer<unknown, string | readonly string[]> {
  return ({ expected = [], text }) => {
    const wanted = typeof expected === "string" ? [expected] : expected;
    const missing = wanted.filter((each) => !(text ?? "").toLowerCase().includes(each.toLowerCase()));
    const score = wanted.length === 0 ? 1 : 1 - missing.length / wanted.length;
    return missing.length === 0 ? score : { score, reason: `missing: ${missing.join(", ")}` };
  };
}
