import { connect } from "node:net";

/** The answer to a request made by hand. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
}

/** Sends a request as it is written, as no well-behaved program would let one. Gives status and headers. */
export function rawRequest(port: number, lines: readonly string[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    let text = "";
    const finish = () => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), head: text.split("\r\n\r\n")[0] ?? "" });
    };
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\r\n\r\n")) finish();
    });
    socket.on("end", finish);
    socket.on("error", reject);
  });
}
