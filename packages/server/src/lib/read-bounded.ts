/** Services answer with a few kilobytes. Counts unpacked bytes. */
const maxAnswerBytes = 1 << 20;

/** The text of a service's response. Throws when it is too long: a packed one can hold a thousand times its size. */
export async function readBounded(response: Response, most: number = maxAnswerBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > most) throw new Error(`the answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
