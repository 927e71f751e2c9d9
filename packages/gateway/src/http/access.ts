import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { Devices } from "./devices.ts";
import { Pairing } from "./pairing.ts";
import { same } from "./same.ts";

/** Options of the access check. */
export interface AccessOptions {
  readonly token: string;
  readonly devices: Devices;
  /** Names besides this machine's own under which it is reached, as behind a proxy. */
  readonly hosts: readonly string[];
  /** Distinguishes the cookies of gateways on one machine, which browsers do not keep apart by port. */
  readonly cookieName: string;
}

const ticketMs = 60_000;
/** A browser stays signed in for this long after its last sign-in, as long as the token is the same. */
const cookieSeconds = 90 * 24 * 3600;

/**
 * Decides about requests. Two questions are asked: does the browser mean this gateway (its `Host` and `Origin`), and does
 * it know the token. The first protects this machine from web pages elsewhere.
 */
export class Access {
  readonly #options: AccessOptions;
  readonly #names: ReadonlySet<string>;
  /** Tickets and when they expire. */
  readonly #tickets = new Map<string, number>();
  /** The code by which a device is paired. */
  readonly pairing: Pairing = new Pairing();

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#names = new Set(["localhost", hostname(), ...options.hosts].map((name) => name.toLowerCase()));
  }

  /** Why a request is not meant for this gateway, or nothing. */
  refusal({ headers }: Request): string | undefined {
    const host = headers.get("host");
    if (host === null || !this.#isOwn(host)) {
      return "This name does not belong to the gateway. Open the URL that quire printed, or start it with --allow-host.";
    }
    const origin = headers.get("origin");
    if (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`) {
      return "Other web pages may not use the gateway.";
    }
    const site = headers.get("sec-fetch-site");
    const isNavigation = headers.get("sec-fetch-mode") === "navigate";
    if (site !== null && site !== "same-origin" && site !== "none" && !isNavigation) {
      return "Other web pages may not use the gateway.";
    }
    return undefined;
  }

  /** True for a request that carries the token or the cookie of a device. */
  isSignedIn(request: Request): boolean {
    const bearer = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (bearer !== undefined) return same(bearer, this.#options.token);
    return this.deviceOf(request) !== undefined;
  }

  /** The device whose cookie a request carries. */
  deviceOf({ headers }: Request): string | undefined {
    const { cookieName, devices } = this.#options;
    const cookie = new Bun.CookieMap(headers.get("cookie") ?? "").get(cookieName);
    return cookie === null ? undefined : devices.seen(cookie, headers.get("user-agent") ?? "");
  }

  /** True for the token, and once for a ticket or the code of a pairing. */
  knows(token: string): boolean {
    const expires = this.#tickets.get(token);
    this.#tickets.delete(token);
    return (
      (expires !== undefined && expires > Date.now()) || same(token, this.#options.token) || this.pairing.takes(token)
    );
  }

  /** Stands for the token once, within a minute: for the command line of a browser, which every user here can read. */
  ticket(): string {
    const ticket = randomBytes(32).toString("base64url");
    this.#tickets.clear();
    this.#tickets.set(ticket, Date.now() + ticketMs);
    return ticket;
  }

  /** Signs a browser in that has shown the token: gives its `Set-Cookie` header. */
  cookieFor({ headers }: Request): string {
    const secure = headers.get("origin")?.startsWith("https:") ? "; Secure" : "";
    const { cookieName, devices } = this.#options;
    const cookie = devices.add(headers.get("user-agent") ?? "");
    return `${cookieName}=${cookie}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** Accepts IP addresses and names of this machine: any other name could be made to resolve here by its owner. */
  #isOwn(host: string): boolean {
    const name = host.replace(/:\d+$/, "").toLowerCase();
    if (name.startsWith("[")) return isIP(name.slice(1, -1)) === 6;
    return isIP(name) === 4 || this.#names.has(name);
  }
}
