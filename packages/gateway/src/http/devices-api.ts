import { networkInterfaces } from "node:os";
import type { DeviceInfo, PairAnswer } from "@quire/protocol/gateway";
import type { PageSet } from "../page/page-set.ts";
import type { PushSet } from "../push/push-set.ts";
import type { Access } from "./access.ts";
import type { Devices } from "./devices.ts";
import { emptyAnswer, jsonAnswer, textAnswer } from "./headers.ts";

/** Parts that the API works on. */
export interface DevicesApiOptions {
  readonly access: Access;
  readonly devices: Devices;
  readonly push: PushSet;
  readonly pages: PageSet;
  /** The address that the gateway listens on. */
  readonly host: string;
  readonly port: number;
}

const maxBody = 8192;

/**
 * Devices of the user: `POST /api/pair` gives a code for one more, `GET /api/devices` lists them,
 * `DELETE /api/devices/ID` signs one out, and `/api/push` says which of them is told of news.
 */
export class DevicesApi {
  readonly #options: DevicesApiOptions;

  constructor(options: DevicesApiOptions) {
    this.#options = options;
  }

  /** The answer to a signed-in request; undefined for a path of others. */
  async answer(request: Request, path: string): Promise<Response | undefined> {
    const { access, devices, push, pages } = this.#options;
    const { method } = request;
    const current = access.deviceOf(request);
    if (path === "/api/devices" && method === "GET") return jsonAnswer({ devices: this.#list(current) });
    if (path.startsWith("/api/devices/") && method === "DELETE") {
      const id = path.slice("/api/devices/".length);
      if (!devices.revoke(id)) return textAnswer(404, "There is no such device any more.");
      push.remove(id);
      pages.closeDevice(id);
      return emptyAnswer(204);
    }
    if (path === "/api/pair" && method === "POST") return jsonAnswer(this.#pair());
    if (path !== "/api/push") return undefined;
    if (method === "GET")
      return jsonAnswer({ publicKey: push.publicKey, on: current !== undefined && push.has(current) });
    if (current === undefined) return textAnswer(403, "Only a signed-in browser can be told of news.");
    if (method === "DELETE") push.remove(current);
    else if (method !== "POST") return textAnswer(405, "Only GET, POST and DELETE are served here.");
    else if (!push.add(current, await readJson(request))) return textAnswer(400, "Expected a push subscription.");
    return emptyAnswer(204);
  }

  #list(current: string | undefined): readonly DeviceInfo[] {
    const { devices, push } = this.#options;
    return devices.list.map((device) => ({ ...device, current: device.id === current, push: push.has(device.id) }));
  }

  #pair(): PairAnswer {
    const { access, host, port } = this.#options;
    const { code, expiresMs } = access.pairing.start();
    const names = host === "0.0.0.0" || host === "::" ? localAddresses() : [host];
    const shown = names.map((name) => `http://${name.includes(":") ? `[${name}]` : name}:${port}`);
    return { code, expiresMs, addresses: shown.filter((address) => !/\/\/(127\.|localhost|\[::1\])/.test(address)) };
  }
}

/** Addresses of this machine that others may reach. */
function localAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);
}

/** The JSON of a body; undefined where it is none, or too much. */
export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) return undefined;
  try {
    const text = await request.text();
    return text.length > maxBody ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
