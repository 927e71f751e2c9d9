import { readBounded } from "../../lib/read-bounded.ts";

/** An SDP offer, and where to. */
export interface CallOffer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly offer: string;
  readonly session: object;
  readonly signal: AbortSignal;
}

const answerMs = 15_000;
/** Length of an endpoint's refusal in errors. */
const maxWords = 500;

/** Makes a call: sends the browser's offer to the endpoint and returns its answer. */
export async function offerCall(call: CallOffer): Promise<{ readonly callId: string; readonly sdp: string }> {
  const boundary = crypto.randomUUID();
  const response = await fetch(call.url, {
    method: "POST",
    headers: { ...call.headers, "content-type": `multipart/form-data; boundary=${boundary}` },
    body: [
      part(boundary, "sdp", "application/sdp", call.offer),
      part(boundary, "session", "application/json", JSON.stringify(call.session)),
      `--${boundary}--\r\n`,
    ].join(""),
    signal: AbortSignal.any([call.signal, AbortSignal.timeout(answerMs)]),
  });
  const text = await readBounded(response);
  if (!response.ok) throw new Error(`the call was refused with status ${response.status}: ${text.slice(0, maxWords)}`);
  return { callId: callIdOf(response.headers.get("location")), sdp: text };
}

function part(boundary: string, name: string, type: string, content: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
}

/** Calls are named `rtc_…`, as the last part of an address. */
function callIdOf(location: string | null): string {
  if (location === null) throw new Error("realtime call response missing Location");
  const id = location
    .split(/[?#]/)[0]
    ?.split("/")
    .findLast((word) => word.startsWith("rtc_"));
  if (id === undefined) throw new Error(`realtime call Location does not contain a call id: ${location}`);
  return id;
}
