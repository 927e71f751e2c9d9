import type { RecordedRequest } from "@quire/testkit";

/** A request beside the one before it. */
export interface Step {
  readonly name: string;
  /** Share of the request before that is an unchanged prefix of this one. */
  readonly kept: number;
  readonly bytes: number;
  /** Bytes that no cache can hold. */
  readonly newBytes: number;
}

/** Compares each request with the one before, in the order in which providers cache: tools, instructions, input. */
export function steps(requests: readonly RecordedRequest[], names: readonly string[]): Step[] {
  const written = requests.map(serialized);
  return written.map((request, at) => {
    const before = written[at - 1] ?? "";
    const common = commonLength(before, request);
    const kept = before === "" ? 1 : common / before.length;
    return { name: names[at] ?? "", kept, bytes: request.length, newBytes: request.length - common };
  });
}

/** Ends with the last input, not with a bracket, so that a longer list begins with a shorter one. */
function serialized({ body }: RecordedRequest): string {
  const parts = [...(body.tools ?? []), body.instructions ?? "", ...body.input];
  return parts.map((part) => `${JSON.stringify(part)}\n`).join("");
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}
