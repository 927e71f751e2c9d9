/** Runs in the browser: the test calls the functions that it puts on `globalThis`. */
import { CodexClient, ConnectionError, tool } from "@quire/client";

/** What a turn in the page came to, as far as it can travel to the test. */
interface PageReport {
  readonly version: string | undefined;
  readonly states: readonly string[];
  readonly deltas: readonly string[];
  readonly items: readonly string[];
  readonly agentMessage: string;
  readonly status: string;
}

/** The functions of the page. */
export interface Page {
  /** Connects, runs one turn and closes. The agent can ask for the page's address. */
  runTurn(url: string, prompt: string): Promise<PageReport>;
  /** Tries to connect; gives the error. */
  failToConnect(url: string): Promise<string>;
  /** Tries to start a process; gives the error. */
  failToSpawn(): Promise<string>;
  /** Deltas of the turn under way. */
  readonly heard: readonly string[];
}

const heard: string[] = [];

const whereAmI = tool({
  name: "where_am_i",
  description: "The address of the page",
  input: { type: "object", properties: {}, additionalProperties: false },
  run: () => (globalThis as unknown as { location: { href: string } }).location.href,
});

async function runTurn(url: string, prompt: string): Promise<PageReport> {
  heard.length = 0;
  const client = await CodexClient.connect(url, { clientName: "page", reconnect: { baseMs: 20 } });
  const states: string[] = [client.state];
  client.on("state", (state) => void states.push(state));
  const thread = await client.thread({ tools: [whereAmI] });
  const turn = thread.run(prompt);
  for await (const event of turn) if (event.type === "agentMessage.delta") heard.push(event.delta);
  const { agentMessage, items, status } = await turn;
  const version = client.serverVersion;
  await client.close();
  return { version, states, deltas: [...heard], items: items.map(({ type }) => type), agentMessage, status };
}

async function failureOf(attempt: () => Promise<CodexClient>): Promise<string> {
  try {
    await (await attempt()).close();
    return "";
  } catch (error) {
    return ConnectionError.is(error) ? `${error.code}: ${error.message}` : String(error);
  }
}

const page: Page = {
  runTurn,
  failToConnect: (url) => failureOf(() => CodexClient.connect(url)),
  failToSpawn: () => failureOf(() => CodexClient.spawn()),
  heard,
};
Object.assign(globalThis, { page });
