import { randomBytes } from "node:crypto";
import { request } from "node:http";

/** The status of a plain request to a server that listens on `ws://…`. */
export async function httpStatus(url: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { status } = await fetch(`${url.replace("ws:", "http:")}${path}`, { headers });
  return status;
}

/** The status with which a WebSocket handshake is answered; 101 means that it was accepted. */
export function handshakeStatus(url: string, headers: Record<string, string> = {}): Promise<number> {
  const handshake = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
  };
  return new Promise((resolve, reject) => {
    const asking = request(url.replace("ws:", "http:"), { headers: { ...handshake, ...headers } });
    asking.once("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    asking.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asking.once("error", reject);
    asking.end();
  });
}
