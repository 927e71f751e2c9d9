/**
 * A model without latency behind the API that is named as argument: `deltas N` in the last user message is answered with N
 * pieces of text, anything else with one. Prints its base URL.
 */
import process from "node:process";
import { mockAnthropic, mockChat, mockGemini, mockResponses, type RecordedRequest, reply } from "@quire/testkit";

const apis = { responses: mockResponses, chat: mockChat, anthropic: mockAnthropic, gemini: mockGemini } as const;
const start = apis[process.argv[2] as keyof typeof apis];

const fallback = ({ lastUserText }: RecordedRequest) => {
  const count = Number(/deltas (\d+)/.exec(lastUserText)?.[1] ?? 1);
  return reply().text(Array.from({ length: count }, (_, n) => `word ${n} `));
};

const mock = await start({ fallback });
console.log(mock.url);
