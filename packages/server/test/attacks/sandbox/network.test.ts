/** Attacks: network, from within the sandbox. */

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { eventually } from "@quire/testkit";
import { type Attempt, testAttempts } from "../support/attempt.ts";
import { type Victim, victim } from "../support/victim.ts";
import type { World } from "../support/world.ts";

let server: Server;
let udp: Socket;
let listener: Victim;
let heard = 0;

/** Says who connects. A connection takes a moment to arrive; one that was refused never does. */
const arrived = async (_: World, output: string) => {
  if (output.includes("refused")) return heard > 0;
  await eventually(() => heard > 0);
  return true;
};

const listen = async (options: { port: number } | { path: string }) => {
  heard = 0;
  server = createServer((socket) => {
    heard += 1;
    socket.destroy();
  });
  await once(server.listen("port" in options ? { ...options, host: "127.0.0.1" } : options), "listening");
  const address = server.address() as AddressInfo | string;
  return { PORT: typeof address === "string" ? "" : String(address.port) };
};
const stop = async () => void (await new Promise((resolve) => server.close(resolve)));

const bindUdp = async (): Promise<number> => {
  heard = 0;
  udp = createSocket("udp4", () => {
    heard += 1;
  });
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  return udp.address().port;
};

const perl = (script: string) => `perl -MSocket -e '${script}' || echo refused`;
const connectUnix = (path: string) =>
  perl(`socket(S, AF_UNIX, SOCK_STREAM, 0) or exit 1; connect(S, pack_sockaddr_un(${path})) or exit 1`);

const attempts: readonly Attempt[] = [
  {
    name: "connects by TCP",
    prepare: () => listen({ port: 0 }),
    scripts: [
      perl(
        "socket(S, AF_INET, SOCK_STREAM, 0); connect(S, pack_sockaddr_in($ENV{PORT}, inet_aton(q(127.0.0.1)))) or exit 1",
      ),
    ],
    escaped: arrived,
    cleanUp: stop,
  },
  {
    name: "sends by UDP",
    prepare: async () => ({ PORT: String(await bindUdp()) }),
    scripts: [
      // Within, the datagram is taken by a machine that has nobody on that port: the second one is answered with that.
      perl(
        "socket(S, AF_INET, SOCK_DGRAM, 0); connect(S, pack_sockaddr_in($ENV{PORT}, inet_aton(q(127.0.0.1)))) or exit 1; send(S, q(x), 0); send(S, q(x), 0) or exit 1",
      ),
    ],
    escaped: arrived,
    cleanUp: () => void udp.close(),
  },
  {
    name: "tells a secret in a DNS query",
    prepare: async () => ({ PORT: String(await bindUdp()) }),
    scripts: [
      perl(
        'socket(S, AF_INET, SOCK_DGRAM, 0); connect(S, pack_sockaddr_in($ENV{PORT}, inet_aton(q(127.0.0.1)))) or exit 1; $q = pack("n6", 1, 256, 1, 0, 0, 0) . pack("C/a C/a C n n", "secret", "example", 0, 1, 1); send(S, $q, 0); send(S, $q, 0) or exit 1',
      ),
    ],
    escaped: arrived,
    cleanUp: () => void udp.close(),
  },
  {
    name: "connects to a unix socket",
    prepare: ({ outside }) => listen({ path: join(outside, "socket") }),
    scripts: [connectUnix('"$ENV{OUT}/socket"')],
    escaped: arrived,
    cleanUp: stop,
  },
  {
    name: "connects to a unix socket although it may use the network",
    policy: { networkAccess: true },
    prepare: ({ outside }) => listen({ path: join(outside, "socket") }),
    scripts: [connectUnix('"$ENV{OUT}/socket"')],
    escaped: arrived,
    cleanUp: stop,
  },
  {
    name: "connects to a unix socket that has no file, although it may use the network",
    policy: { networkAccess: true },
    prepare: ({ base }) => listen({ path: `\0${base}` }),
    scripts: [connectUnix('"\\0$ENV{BASE}"')],
    escaped: arrived,
    cleanUp: stop,
  },
  {
    name: "sends to a unix socket from one that was made as half of a pair",
    prepare: async ({ outside }) => {
      listener = await victim(
        'use Socket; socket(S, AF_UNIX, SOCK_DGRAM, 0); bind(S, pack_sockaddr_un("$ENV{AT}/socket")) or die; print "ready\\n"; recv(S, $m, 9, 0); open(F, ">", "$ENV{AT}/heard"); print F $m; close F; sleep 100',
        { AT: outside },
      );
      return {};
    },
    scripts: [
      perl(
        'socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0) or exit 1; send(A, q(evil), 0, pack_sockaddr_un("$ENV{OUT}/socket")) or exit 1',
      ),
    ],
    escaped: async ({ outside }, output) => {
      const file = join(outside, "heard");
      const isHeard = () => existsSync(file) && readFileSync(file, "utf8") === "evil";
      if (output.includes("refused")) return isHeard();
      await eventually(isHeard);
      return true;
    },
    cleanUp: () => listener[Symbol.dispose](),
  },
];

testAttempts(attempts);
