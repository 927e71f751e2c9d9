/**
 * A model without latency behind the API that is named as argument: `deltas N` in the last user message is answered with N
 * pieces of text, `paced N` with as many that come a millisecond apart, anything else with one. Prints its base URL.
 */
import process from "node:process";
import { mockAnthropic, mockChat, mockGemini, mockResponses, type RecordedRequest, reply } from "@quire/testkit";

const apis = { responses: mockResponses, chat: mockChat, anthropic: mockAnthropic, gemini: mockGemini } as const;
const start = apis[process.argv[2] as keyof typeof apis];

const fallback = ({ lastUserText }: RecordedRequest) => {
  const [, kind, count = 1] = /(deltas|paced) (\d+)/.exec(lastUserText) ?? [];
  const pieces = Array.from({ length: Number(count) }, (_, n) => `word ${n} `);
  return reply().text(pieces, { delayMs: kind === "paced" ? 1 : 0 });
};

const mock = await start({ fallback });
console.log(mock.url);
