import { createHmac, randomBytes } from "node:crypto";
import type { StateFile } from "../state/state-file.ts";
import { same } from "./same.ts";

/** A browser that is signed in. */
export interface Device {
  readonly id: string;
  /** Browser and system, as far as the browser names them. */
  readonly name: string;
  readonly createdMs: number;
  readonly seenMs: number;
}

/** Devices at once, of which the one seen longest ago is signed out, and signed-out ones that are remembered. */
const limits = { devices: 50, revoked: 1000 } as const;
/** Age of the kept time of a visit at which it is renewed. */
const seenStepMs = 3_600_000;

/**
 * The browsers that are signed in. A cookie is a name with the token's signature, so that it holds over restarts for as
 * long as the token does; one that was revoked never holds again.
 */
export class Devices {
  readonly #token: string;
  readonly #state: StateFile;
  readonly #devices = new Map<string, Device>();
  readonly #revoked: Set<string>;

  constructor(token: string, state: StateFile) {
    this.#token = token;
    this.#state = state;
    for (const device of listOf(state.get("devices")).filter(isDevice)) this.#devices.set(device.id, device);
    this.#revoked = new Set(listOf(state.get("revoked")).filter((id) => typeof id === "string"));
  }

  /** Signed-in browsers, the one seen last first. */
  get list(): readonly Device[] {
    return [...this.#devices.values()].toSorted((a, b) => b.seenMs - a.seenMs);
  }

  /** Signs a browser in and gives the value of its cookie. */
  add(userAgent: string): string {
    const id = randomBytes(16).toString("base64url");
    const now = Date.now();
    this.#devices.set(id, { id, name: deviceName(userAgent), createdMs: now, seenMs: now });
    for (const { id: oldest } of this.list.slice(limits.devices)) this.#revoke(oldest);
    this.#keep();
    return `${id}.${this.#signature(id)}`;
  }

  /** The id of the device with this cookie; undefined for none that is signed in. */
  seen(cookie: string, userAgent: string): string | undefined {
    const [id = "", signature = ""] = cookie.split(".");
    if (id.length > 100 || !same(signature, this.#signature(id)) || this.#revoked.has(id)) return undefined;
    const known = this.#devices.get(id);
    const now = Date.now();
    if (known === undefined || now - known.seenMs > seenStepMs) {
      this.#devices.set(id, { id, name: deviceName(userAgent), createdMs: known?.createdMs ?? now, seenMs: now });
      this.#keep();
    }
    return id;
  }

  /** Signs a device out for good; false where there is none. */
  revoke(id: string): boolean {
    if (!this.#devices.has(id)) return false;
    this.#revoke(id);
    this.#keep();
    return true;
  }

  #revoke(id: string): void {
    this.#devices.delete(id);
    this.#revoked.add(id);
    for (const oldest of [...this.#revoked].slice(0, Math.max(0, this.#revoked.size - limits.revoked))) {
      this.#revoked.delete(oldest);
    }
  }

  #signature(id: string): string {
    return createHmac("sha256", this.#token).update(`quire device ${id}`).digest("base64url");
  }

  #keep(): void {
    this.#state.set("devices", this.list);
    this.#state.set("revoked", [...this.#revoked]);
  }
}

/** `Chrome on Android`. A user agent is a claim: it names a device in a list, nothing more. */
export function deviceName(userAgent: string): string {
  const browsers = {
    Edg: "Edge",
    OPR: "Opera",
    Firefox: "Firefox",
    FxiOS: "Firefox",
    CriOS: "Chrome",
    Chrome: "Chrome",
  };
  const browser = Object.entries(browsers).find(([mark]) => userAgent.includes(`${mark}/`))?.[1];
  const systems = {
    iPhone: "iPhone",
    iPad: "iPad",
    Android: "Android",
    Windows: "Windows",
    "Mac OS": "macOS",
    Linux: "Linux",
  };
  const system = Object.entries(systems).find(([mark]) => userAgent.includes(mark))?.[1];
  const named = browser ?? (userAgent.includes("Safari/") ? "Safari" : "Browser");
  return system === undefined ? named : `${named} on ${system}`;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isDevice(value: unknown): value is Device {
  const { id, name, createdMs, seenMs } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof id === "string" && typeof name === "string" && [createdMs, seenMs].every((each) => typeof each === "number")
  );
}
