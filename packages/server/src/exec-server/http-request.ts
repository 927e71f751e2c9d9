import { Base64Error, decodeBase64 } from "../lib/base64.ts";
import { internalError, invalidParams, invalidRequest } from "../lib/rpc-errors.ts";
import type { Call, Methods } from "./methods.ts";
import { choiceField, type Fields, fieldsOf, optionalCount, optionalFlag, textField } from "./params.ts";

/** A larger body has to be streamed. */
const maxBodyBytes = 32 * 1024 * 1024;

/** Bytes of one piece of a streamed body. */
const pieceBytes = 256 * 1024;

/** Bodies streamed to one client at once; one more is refused. */
const maxStreams = 64;

/** Longest request; more does not fit into a timer. */
const maxTimeoutMs = 0x7fffffff;

/** Requests of a client to servers that this machine can reach, such as MCP servers of its network. */
export const httpMethods: Methods = {
  "http/request": async (fields, call) => {
    const { url, options } = requestOf(fields);
    const requestId = textField(fields, "requestId");
    const timeoutMs = optionalCount(fields, "timeoutMs");
    if (call.session.streams >= maxStreams)
      throw invalidRequest(`${maxStreams} bodies are streamed already: read some of them to their end`);
    const signals = [call.ended, ...(timeoutMs === undefined ? [] : [timeout(timeoutMs)])];
    const response = await answered(url, { ...options, signal: AbortSignal.any(signals) });
    const head = { status: response.status, headers: headersOf(response) };
    if (!optionalFlag(fields, "streamResponse", false)) {
      return { ...head, bodyBase64: Buffer.from(await bodyOf(response)).toString("base64") };
    }
    call.session.streams += 1;
    // After the reply to this request.
    setImmediate(() => void stream(response, requestId, call).finally(() => (call.session.streams -= 1)));
    return { ...head, bodyBase64: "" };
  },
};

const timeout = (ms: number): AbortSignal => AbortSignal.timeout(Math.min(ms, maxTimeoutMs));

function requestOf(fields: Fields): { readonly url: string; readonly options: RequestInit } {
  const method = textField(fields, "method");
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(method)) throw invalidParams("http/request method is invalid: invalid HTTP method");
  const url = textField(fields, "url");
  const parsed = URL.parse(url);
  if (!parsed) throw invalidParams("http/request url is invalid: relative URL without a base");
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:")
    throw invalidParams(`http/request only supports http and https URLs, got ${parsed.protocol.slice(0, -1)}`);
  const redirect = choiceField(fields, "redirectPolicy", ["follow", "stop"]) === "stop" ? "manual" : "follow";
  const body = (fields.bodyBase64 ?? null) === null ? null : decoded(textField(fields, "bodyBase64"));
  // As it came: the headers say how it is encoded.
  return { url, options: { method, redirect, headers: givenHeaders(fields), body, decompress: false } as RequestInit };
}

function givenHeaders({ headers = [] }: Fields): Headers {
  if (!Array.isArray(headers)) throw invalidParams("invalid type of `headers`: expected a sequence");
  const all = new Headers();
  for (const header of headers.map(fieldsOf)) {
    const name = textField(header, "name");
    try {
      all.append(name, textField(header, "value"));
    } catch {
      throw invalidParams(`http/request header is invalid: ${name}`);
    }
  }
  return all;
}

async function answered(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch (error) {
    throw internalError(`http/request failed: ${(error as Error).message}`);
  }
}

function headersOf({ headers }: Response): { readonly name: string; readonly value: string }[] {
  return [...headers].map(([name, value]) => ({ name, value }));
}

async function bodyOf(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > maxBodyBytes)
        throw invalidRequest(`the body is larger than ${maxBodyBytes} bytes: ask for it with streamResponse`);
      parts.push(part);
    }
  } catch (error) {
    if (size > maxBodyBytes) throw error;
    throw internalError(`http/request failed: ${(error as Error).message}`);
  }
  return Buffer.concat(parts);
}

/** Sends the body in pieces, no faster than the client reads; the last says that it is the last. */
async function stream(response: Response, requestId: string, call: Call): Promise<void> {
  let seq = 0;
  const notify = (bytes: Uint8Array, done: boolean, error: string | null = null) =>
    call.notify("http/request/bodyDelta", {
      requestId,
      seq: ++seq,
      deltaBase64: Buffer.from(bytes).toString("base64"),
      done,
      error,
    });
  const nothing = new Uint8Array(0);
  try {
    for await (const part of response.body ?? []) {
      for (let at = 0; at < part.length; at += pieceBytes) await notify(part.subarray(at, at + pieceBytes), false);
    }
    await notify(nothing, true);
  } catch (error) {
    // A client that is gone hears nothing.
    await notify(nothing, true, (error as Error).message).catch(() => undefined);
  }
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(decodeBase64(text));
  } catch (error) {
    if (error instanceof Base64Error) throw invalidParams(error.message);
    throw error;
  }
}
