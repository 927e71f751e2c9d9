import assert from "node:assert/strict";
import type { ProviderConfig } from "../../src/config/effective-config.ts";
import { ModelError } from "../../src/model/model-provider.ts";
import { type ResponsesOptions, responsesProvider } from "../../src/model/responses/responses-provider.ts";
import { modelRequest, providerRow, RecordingSink } from "./recording-sink.ts";

/** How a provider is asked. */
export interface Ask {
  readonly row?: Partial<ProviderConfig>;
  readonly options?: Partial<ResponsesOptions>;
  readonly request?: Parameters<typeof modelRequest>[1];
  readonly signal?: AbortSignal;
  readonly sink?: RecordingSink;
}

/** Asks a provider once, and gives what came. */
export async function ask(url: string, { row, options, request, signal, sink = new RecordingSink() }: Ask = {}) {
  const provider = responsesProvider(providerRow(url, row), { env: {}, ...options });
  const result = await provider.stream(modelRequest("hi", request), sink, signal ?? new AbortController().signal);
  return { result, sink };
}

/** Asks one that is to fail, and gives the failure. */
export async function failure(url: string, how: Ask = {}): Promise<ModelError> {
  const error = await ask(url, how).then(
    () => assert.fail("the request should have failed"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof ModelError, String(error));
  return error;
}
