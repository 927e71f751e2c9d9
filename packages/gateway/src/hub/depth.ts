import { ConnectionError, type Transport } from "@quire/jsonrpc";

/** Lists and objects within each other that a message may have. Codex reads 128; written down again, many more take for ever. */
const maxDepth = 1000;

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** True for JSON whose lists and objects are nested deeper than any real message. Strings are skipped. */
export function isTooDeep(text: string): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = stringEnd(text, at + 1);
      if (at === -1) return false;
    } else if (code === openList || code === openObject) {
      if (++depth > maxDepth) return true;
    } else if (code === closeList || code === closeObject) depth--;
  }
  return false;
}

/** Index of the quote that ends a string; -1 for a string without an end. */
function stringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}

/** A transport that ends with an error where its peer sends a message that is too deep. */
export function shallow(inner: Transport): Transport {
  let ended = false;
  return {
    start: (sink) => {
      const end = (error?: ConnectionError) => {
        if (!ended) sink.closed(error);
        ended = true;
      };
      inner.start({
        message(text) {
          if (ended) return;
          if (!isTooDeep(text)) return sink.message(text);
          end(new ConnectionError("closed", "The server sent lists within lists by the thousand"));
          void inner.close();
        },
        closed: end,
      });
    },
    send: (text) => inner.send(text),
    get buffered() {
      return inner.buffered;
    },
    drain: () => inner.drain(),
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
  };
}
