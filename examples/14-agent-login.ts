/**
 * An agent that logs in by itself: with a key, or with ChatGPT tokens that your program manages and renews.
 * Run it: OPENAI_API_KEY=sk-… npx bun examples/14-agent-login.ts
 */
import process from "node:process";
import { type Auth, CodexAgent, definePrompt, markdown, PromptEvaluationError } from "@quire/agent";

const {
  OPENAI_API_KEY: apiKey,
  CHATGPT_ACCESS_TOKEN: accessToken = "",
  CHATGPT_ACCOUNT_ID: chatgptAccountId,
} = process.env;

/** Your program's source of new tokens. */
async function renew(): Promise<{ accessToken: string; chatgptAccountId: string | undefined }> {
  return { accessToken, chatgptAccountId };
}

const auth: Auth = apiKey ? { apiKey } : { accessToken, chatgptAccountId, refresh: renew };
const prompt = definePrompt({
  ns: "demo",
  key: "login",
  sections: [markdown({ key: "task", title: "Task", template: "Say hello." })],
}).bind();

try {
  const agent = new CodexAgent({ client: { auth, cwd: process.cwd() } });
  console.log((await agent.evaluate(prompt)).text);
} catch (error) {
  if (!(error instanceof PromptEvaluationError)) throw error;
  // Keys and tokens are in no error, event, transcript or log.
  console.error(`It failed (${error.phase}): ${error.message}`);
  process.exitCode = 1;
}
