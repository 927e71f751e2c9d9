import { connect } from "node:net";

/** An open port and the loopback address it is open on. */
export interface OpenPort {
  readonly port: number;
  readonly host: "127.0.0.1" | "::1";
}

const maxPorts = 20;
const timeoutMs = 500;

/** `4500,4501` as ports: what is none is left out, and so is what comes after the twentieth. */
export function readPorts(text: string | null): number[] {
  const ports = (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => /^\d{1,5}$/.test(part))
    .map(Number)
    .filter((port) => port >= 1 && port <= 65_535);
  return [...new Set(ports)].slice(0, maxPorts);
}

/** Finds the open ports of this machine. No byte is sent. */
export async function probe(ports: readonly number[]): Promise<OpenPort[]> {
  const found = await Promise.all(
    ports.map(async (port): Promise<OpenPort | undefined> => {
      const [four, six] = await Promise.all([isOpen("127.0.0.1", port), isOpen("::1", port)]);
      if (four) return { port, host: "127.0.0.1" };
      return six ? { port, host: "::1" } : undefined;
    }),
  );
  return found.filter((each) => each !== undefined);
}

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (open: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(open);
    };
    const timer = setTimeout(() => settle(false), timeoutMs);
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
