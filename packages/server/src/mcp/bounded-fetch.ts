/** A longer message ends the request. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Fetches, but takes in no more than a message may be long: of a stream of events per line, of any other answer in all. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lastLine = isStream ? chunk.lastIndexOf(10) : -1;
      bytes = lastLine < 0 ? bytes + chunk.length : chunk.length - lastLine;
      if (bytes > maxMessageBytes) controller.error(new Error(`a message is longer than ${maxMessageBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
