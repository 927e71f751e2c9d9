import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { ApprovalRequest, QuestionHandlers } from "@quire/client";
import type { QuestionHandler } from "@quire/client/questions";
import type { RealCodexOptions } from "@quire/testkit";
import { type Fixture, spawned } from "./support.ts";

/**
 * One server for all tests of a `describe`, for those that need nothing but a thread of their own and take all the
 * replies that they scripted.
 */
export function sharedServer(...options: Parameters<typeof spawned>): () => Fixture {
  let fixture: Fixture | undefined;
  before(async () => {
    fixture = await spawned(...options);
  });
  after(() => fixture?.[Symbol.asyncDispose]());
  return () => {
    assert.ok(fixture, "it was not started");
    return fixture;
  };
}

/**
 * A {@link sharedServer} whose questions go to the handlers of the test that took it last. Not for a question that
 * nobody answers: a client without the handler is another one.
 */
export function sharedAsker(
  version: string,
  setup?: Omit<RealCodexOptions, "model">,
): (handlers: QuestionHandlers) => Fixture {
  let current: QuestionHandlers = {};
  const nobody = () => assert.fail("the test has no handler for this question");
  const onApproval = (request: ApprovalRequest) => {
    const { onApproval: decide = nobody } = current;
    const handler = typeof decide === "function" ? decide : (decide[request.kind] ?? nobody);
    return (handler as QuestionHandler<ApprovalRequest, "accept">)(request);
  };
  const server = sharedServer(
    version,
    {
      onApproval,
      onUserInput: (request) => (current.onUserInput ?? nobody)(request),
      onElicitation: (request) => (current.onElicitation ?? nobody)(request),
    },
    setup,
  );
  return (handlers) => {
    current = handlers;
    return server();
  };
}
