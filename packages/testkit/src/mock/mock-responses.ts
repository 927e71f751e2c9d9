import { httpError } from "./http-error.ts";
import { ModelMock, type ModelMockOptions } from "./model-mock.ts";
import { playResponses } from "./play-responses.ts";
import { openaiVocabulary, openVocabulary, type ResponsesVocabulary } from "./responses-vocabulary.ts";
import { checkResponses } from "./strict-responses.ts";
import type { Wire } from "./wire.ts";

/** Options of {@link mockResponses}. */
export interface MockResponsesOptions extends ModelMockOptions {
  /**
   * True for an endpoint of open models, as LM Studio, llama.cpp and vLLM are: it knows functions only, no `developer`
   * role and none of OpenAI's newer fields, and refuses any other request with status 400. `"openai"` for OpenAI's own
   * endpoint: it refuses what OpenAI does not know. Default: any request is answered.
   */
  readonly strict?: boolean | "openai";
}

/** A {@link ModelMock} of the Responses API: `POST /v1/responses`. Made by {@link mockResponses}. */
export class MockResponses extends ModelMock {
  constructor({ strict = false, ...options }: MockResponsesOptions = {}) {
    super(responsesWire(vocabularyOf(strict)), options);
  }
}

/** Starts a {@link MockResponses}: `await using mock = await mockResponses()`. */
export function mockResponses(options?: MockResponsesOptions): Promise<MockResponses> {
  return new MockResponses(options).listen();
}

function vocabularyOf(strict: boolean | "openai"): ResponsesVocabulary | undefined {
  if (strict === "openai") return openaiVocabulary;
  return strict ? openVocabulary : undefined;
}

function responsesWire(words: ResponsesVocabulary | undefined): Wire {
  const error: Wire["error"] = (status, message, headers) =>
    httpError(status, { error: { message, type: errorType(status), param: null, code: null } }, headers);
  return {
    handles: (path) => path === "/responses",
    read: ({ body }) => ({ model: "", input: [], ...body }),
    check: ({ body }) => {
      const refusal = words && checkResponses(body, words);
      return refusal && httpError(400, { error: { type: "invalid_request_error", code: null, ...refusal } });
    },
    play: (script, { id, model }) => playResponses(script, id, model),
    error,
  };
}

function errorType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}
