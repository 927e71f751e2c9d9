import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codexErrorDetails, codexErrorHttpStatus, codexErrorKind, ErrorCodes, isOverloaded } from "@quire/protocol";

describe("CodexErrorInfo", () => {
  it("has a kind in either form", () => {
    assert.equal(codexErrorKind("unauthorized"), "unauthorized");
    assert.equal(codexErrorKind({ httpConnectionFailed: { httpStatusCode: 503 } }), "httpConnectionFailed");
    assert.equal(codexErrorKind("aKindOfTomorrow"), "aKindOfTomorrow");
    assert.equal(codexErrorKind(null), undefined);
    assert.equal(codexErrorKind(undefined), undefined);
  });

  it("may carry an HTTP status", () => {
    assert.equal(codexErrorHttpStatus({ responseStreamDisconnected: { httpStatusCode: 502 } }), 502);
    assert.equal(codexErrorHttpStatus({ responseStreamDisconnected: { httpStatusCode: null } }), undefined);
    assert.equal(codexErrorHttpStatus("unauthorized"), undefined);
    assert.equal(codexErrorHttpStatus(null), undefined);
  });

  it("may carry other details", () => {
    const info = { activeTurnNotSteerable: { turnKind: "review" } } as const;
    assert.deepEqual(codexErrorDetails(info), { turnKind: "review" });
    assert.equal(codexErrorDetails("other"), undefined);
  });
});

describe("ErrorCodes", () => {
  it("are those of JSON-RPC, and -32001 for a busy server", () => {
    assert.deepEqual(Object.values(ErrorCodes), [-32700, -32600, -32601, -32602, -32603, -32001]);
    assert.equal(isOverloaded({ code: -32001 }), true);
    assert.equal(isOverloaded({ code: -32600 }), false);
  });
});
