import { httpError } from "../http-error.ts";
import { ModelMock, type ModelMockOptions } from "../model-mock.ts";
import type { Wire } from "../wire.ts";
import { checkChat } from "./check-chat.ts";
import { playChat } from "./play-chat.ts";
import { readChat } from "./read-chat.ts";

/**
 * Starts a strict mock of the Chat Completions API: `POST /v1/chat/completions`. It refuses what servers of that API
 * refuse: unknown fields and roles, calls without outputs, tools that are no functions.
 */
export function mockChat(options?: ModelMockOptions): Promise<ModelMock> {
  return new ModelMock(chatWire(), options).listen();
}

function chatWire(): Wire {
  const body = (status: number, message: string, param: string | null) => ({
    error: { message, type: errorType(status), param, code: errorCode(status, message) },
  });
  return {
    handles: (path) => path === "/chat/completions",
    read: ({ body }) => readChat(body),
    check: ({ body: sent }) => {
      const refusal = checkChat(sent);
      return refusal && httpError(400, body(400, refusal.message, refusal.param));
    },
    play: playChat,
    error: (status, message, headers) => httpError(status, body(status, message, null), headers),
  };
}

function errorType(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

function errorCode(status: number, message: string): string | null {
  if (status === 401) return "invalid_api_key";
  if (status === 404) return "model_not_found";
  return /maximum context length/.test(message) ? "context_length_exceeded" : null;
}
