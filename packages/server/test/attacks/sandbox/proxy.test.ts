/** Attacks: the proxy that tells hosts apart. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { eventually } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { hostMatches } from "../../../src/approval/network-settings.ts";
import { isLocalAddress } from "../../../src/run/sandbox/network/addresses.ts";
import { NetworkProxy, type Verdict } from "../../../src/run/sandbox/network/proxy.ts";
import { readHead } from "../../../src/run/sandbox/network/request-head.ts";
import { readSocks } from "../../../src/run/sandbox/network/socks.ts";
import { isNaivelyLocal, naiveForward, naiveHost } from "../support/naive-proxy.ts";
import { world } from "../support/world.ts";

/** As bytes come from a socket. */
const onTheWire = (text: string) => Buffer.from(text, "utf8").toString("latin1");

/** Whether a request to a host that is denied gets past the rule. */
function passes(guarded: boolean, denied: string, place: string, form: "CONNECT" | "GET" = "CONNECT"): boolean {
  const target = form === "CONNECT" ? `${place}:443` : `http://${place}/`;
  const head = onTheWire(`${form} ${target} HTTP/1.1\r\nHost: x`);
  if (!guarded) return naiveHost(head) !== denied;
  const host = readHead(head)?.host;
  return host !== undefined && !hostMatches(denied, host);
}

/** The same by SOCKS 5, where a host comes as a name (3) or as the bytes of an address. */
function passesSocks(guarded: boolean, denied: string, kind: 1 | 3 | 4, address: readonly number[]): boolean {
  const bytes = Uint8Array.of(5, 1, 0, kind, ...(kind === 3 ? [address.length] : []), ...address, 0, 80);
  if (!guarded) return (kind === 3 ? String.fromCharCode(...address) : address.join(".")) !== denied;
  const host = readSocks(bytes)?.to?.host;
  return host !== undefined && !hostMatches(denied, host);
}

const bytesOf = (text: string) => [...Buffer.from(text, "utf8")];

attack("passes a deny rule by a dot at the end", (on) => passes(on, "evil.example", "evil.example."));
attack("passes a deny rule by two dots at the end", (on) => passes(on, "evil.example", "evil.example.."));
attack("passes a deny rule by an empty label", (on) => passes(on, "evil.example", "evil..example"));
attack("passes a deny rule by upper case", (on) => passes(on, "evil.example", "EVIL.Example"));
attack("passes a deny rule by a percent-encoded letter", (on) => passes(on, "evil.example", "e%76il.example"));
attack("passes a deny rule by a soft hyphen", (on) => passes(on, "evil.example", "ev\u00adil.example"));
attack("passes a deny rule by letters of full width", (on) => passes(on, "evil.example", "ｅvil.example"));
attack("passes a deny rule by an ideographic full stop", (on) => passes(on, "evil.example", "evil。example"));
attack("passes a deny rule for a name by its form in ASCII", (on) =>
  passes(on, "bücher.example", "xn--bcher-kva.example"),
);
attack("passes a deny rule for a name in ASCII by the name itself", (on) =>
  passes(on, "xn--bcher-kva.example", "bücher.example"),
);
attack("passes a deny rule by a user's name before the host", (on) =>
  passes(on, "evil.example", "good.example@evil.example", "GET"),
);
attack("passes a deny rule by a backslash that other parsers take for a slash", (on) =>
  passes(on, "evil.example", "evil.example\\.good.example", "GET"),
);
attack("passes a deny rule for an address by leaving parts out", (on) => passes(on, "127.0.0.1", "127.1"));
attack("passes a deny rule for an address in octal", (on) => passes(on, "127.0.0.1", "0177.0.0.01"));
attack("passes a deny rule for an address in hexadecimal", (on) => passes(on, "127.0.0.1", "0x7f.0.0.1"));
attack("passes a deny rule for an address as one number", (on) => passes(on, "127.0.0.1", "2130706433"));
attack("passes a deny rule for an address in digits of another script", (on) =>
  passes(on, "127.0.0.1", "１２７.0.0.1"),
);
attack("passes a deny rule for an address by a dot at the end", (on) => passes(on, "127.0.0.1", "127.0.0.1."));
attack("passes a deny rule for an address mapped into IPv6", (on) => passes(on, "127.0.0.1", "[::ffff:7f00:1]"));
attack("passes a deny rule for an address mapped into IPv6 with dots", (on) =>
  passes(on, "127.0.0.1", "[::ffff:127.0.0.1]"),
);
attack("passes a deny rule for an address by the form that is compatible with IPv4", (on) =>
  passes(on, "127.0.0.1", "[::7f00:1]"),
);
attack("passes a deny rule for an address by NAT64", (on) => passes(on, "192.0.2.1", "[64:ff9b::c000:201]"));
attack("passes a deny rule for an address by 6to4", (on) => passes(on, "192.0.2.1", "[2002:c000:201::1]"));
attack("passes a deny rule for an IPv6 address by a zone", (on) => passes(on, "fe80::1", "[fe80::1%eth0]"));
attack("passes a deny rule for an IPv6 address by writing its zeros", (on) =>
  passes(on, "2001:db8::1", "[2001:db8:0:0:0:0:0:1]"),
);
attack("passes a deny rule by SOCKS with a name that is a number", (on) =>
  passesSocks(on, "127.0.0.1", 3, bytesOf("0x7f000001")),
);
attack("passes a deny rule by SOCKS with a dot at the end", (on) =>
  passesSocks(on, "evil.example", 3, bytesOf("evil.example.")),
);
attack("passes a deny rule by SOCKS with a NUL in the name", (on) =>
  passesSocks(on, "evil.example", 3, bytesOf("evil.example\0.good.example")),
);
attack("passes a deny rule by SOCKS with the bytes of a mapped address", (on) =>
  passesSocks(on, "127.0.0.1", 4, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1]),
);

/** Whether something in a head gets to the destination, where two servers may read it in two ways. */
function smuggles(guarded: boolean, headers: string, sign: RegExp): boolean {
  const head = `POST http://good.example/ HTTP/1.1\r\n${headers}`;
  const request = readHead(head);
  const sent = !guarded ? naiveForward(head) : request?.kind === "forward" ? request.head : "";
  return sign.test(sent);
}

attack("smuggles a request by two lengths", (on) => smuggles(on, "Content-Length: 5\r\nContent-Length: 50", /50/));
attack("smuggles a request by a length and chunks", (on) =>
  smuggles(on, "Content-Length: 5\r\nTransfer-Encoding: chunked", /chunked/),
);
attack("smuggles a request by a coding that only some know", (on) =>
  smuggles(on, "Transfer-Encoding: xchunked", /xchunked/),
);
attack("smuggles a request by a signed length", (on) => smuggles(on, "Content-Length: +5", /\+5/));
attack("smuggles a header by a line that goes on with the one before", (on) =>
  smuggles(on, "X: a\r\n Transfer-Encoding: chunked", /chunked/),
);
attack("smuggles a header by a bare line feed", (on) => smuggles(on, "X: a\nHost: evil.example", /evil/));
attack("smuggles a header by a bare carriage return", (on) => smuggles(on, "X: a\rHost: evil.example", /evil/));
attack("smuggles a header by a space before the colon", (on) => smuggles(on, "Transfer-Encoding : chunked", /chunked/));
attack("names another host in the header than in the target", (on) => smuggles(on, "Host: evil.example", /evil/));
attack("names two hosts in headers", (on) => smuggles(on, "Host: good.example\r\nHost: evil.example", /evil/));

/** What a server hears from a client of the proxy, or directly where nothing guards it. */
async function heard(guarded: boolean, request: (port: number) => string): Promise<string> {
  await using place = await world();
  let bytes = "";
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      bytes += data.toString("latin1");
      if (bytes.includes("LAST") || bytes.includes("first")) socket.end("HTTP/1.1 200 OK\r\n\r\ndone");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const proxy = new NetworkProxy(place.home, async () => ({ local: true }));
  const client = connect(guarded ? { path: proxy.socket } : { port, host: "127.0.0.1" });
  try {
    client.on("error", () => undefined).resume();
    client.write(request(port));
    await once(client, "close");
    return bytes;
  } finally {
    client.destroy();
    proxy.close();
    server.close();
  }
}

const second = "GET http://evil.example/LAST HTTP/1.1\r\nHost: evil.example\r\n\r\n";

attack("sends a second request, to another host, behind the first", async (on) => {
  const first = (port: number) => `GET http://127.0.0.1:${port}/first HTTP/1.1\r\n\r\n`;
  return (await heard(on, (port) => first(port) + second)).includes("LAST");
});
attack("sends a second request behind a body with a length", async (on) => {
  const first = (port: number) => `POST http://127.0.0.1:${port}/first HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody`;
  return (await heard(on, (port) => first(port) + second)).includes("LAST");
});
attack("sends a second request behind the last chunk of a body", async (on) => {
  const first = (port: number) =>
    `POST http://127.0.0.1:${port}/first HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`;
  return (await heard(on, (port) => first(port) + second)).includes("LAST");
});

/** Whether an address that a name was found to have is taken for one of others. */
const reaches = (guarded: boolean, address: string) => (guarded ? !isLocalAddress(address) : !isNaivelyLocal(address));

attack("reaches this machine by a name whose address is mapped into IPv6", (on) => reaches(on, "::ffff:127.0.0.1"));
attack("reaches this machine by a name whose mapped address is in hexadecimal", (on) => reaches(on, "::ffff:7f00:1"));
attack("reaches this machine by a name whose address is compatible with IPv4", (on) => reaches(on, "::7f00:1"));
attack("reaches this machine by a name whose address is behind NAT64", (on) => reaches(on, "64:ff9b::7f00:1"));
attack("reaches a private network by a name whose address is one of 6to4", (on) => reaches(on, "2002:c0a8:1::1"));
attack("reaches this machine by a name whose address is 0.0.0.0", (on) => reaches(on, "0.0.0.0"));

attack("reaches this machine by the address that it has in its network", (on) =>
  on ? !isLocalAddress("203.0.113.7", ["203.0.113.7"]) : !isNaivelyLocal("203.0.113.7"),
);
attack("reaches this machine by its own address, mapped into IPv6", (on) =>
  on ? !isLocalAddress("::ffff:203.0.113.7", ["203.0.113.7"]) : !isNaivelyLocal("::ffff:203.0.113.7"),
);

/** Whether a connection to a name is let through to a server of ours, by what is done about its addresses. */
async function connects(host: string, verdict: Verdict): Promise<boolean> {
  await using place = await world();
  const server = createServer((socket) => void socket.on("error", () => undefined).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const proxy = new NetworkProxy(place.home, async () => verdict);
  const client = connect({ path: proxy.socket });
  try {
    client.write(`CONNECT ${host}:${(server.address() as AddressInfo).port} HTTP/1.1\r\n\r\n`);
    const [answer] = await once(client, "data");
    return String(answer).startsWith("HTTP/1.1 200");
  } finally {
    client.destroy();
    proxy.close();
    server.close();
  }
}

attack("reaches an address that a rule denies by a name that leads there", (on) =>
  connects("localhost", {
    local: true,
    ...(on && { denies: (address: string) => /^(127\.0\.0\.1|::1)$/.test(address) }),
  }),
);
attack("reaches this machine by a name that leads there, although local addresses are closed", (on) =>
  connects("localhost", { local: !on }),
);
attack("takes more connections than one command may have", async (on) => {
  await using place = await world();
  const plain = createServer((socket) => void socket.on("error", () => undefined));
  const proxy = on ? new NetworkProxy(place.home, async () => ({ local: false })) : undefined;
  const path = proxy?.socket ?? join(place.home, "plain");
  if (!proxy) await once(plain.listen(path), "listening");
  const refused = new Set<Socket>();
  const clients = Array.from({ length: 300 }, () => {
    const client = connect({ path });
    return client
      .on("error", () => refused.add(client))
      .on("close", () => refused.add(client))
      .resume();
  });
  try {
    if (on) await eventually(() => refused.size >= 300 - 256);
    else await eventually(() => clients.every((client) => !client.connecting));
    return refused.size === 0;
  } finally {
    for (const client of clients) client.destroy();
    proxy?.close();
    plain.close();
  }
});
