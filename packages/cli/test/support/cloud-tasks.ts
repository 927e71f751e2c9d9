import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { place } from "./quire.ts";

/** Codex Cloud as far as a task's changes go. */
export function cloud(diff: string) {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      asked.push(`${new URL(request.url).pathname} ${request.headers.get("authorization")?.slice(0, 7)}`);
      return Response.json({ current_diff_task_turn: { output_items: [{ type: "pr", output_diff: { diff } }] } });
    },
  });
  return { asked, url: `${server.url}backend-api`, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** A repository with one file, and a home that is logged in with ChatGPT. */
export async function loggedIn(url: string) {
  const here = await place();
  const auth = { chatgpt_account_id: "account-1", chatgpt_plan_type: "plus" };
  const claims = { email: "ada@example.com", exp: 4_000_000_000, "https://api.openai.com/auth": auth };
  const token = [{ alg: "none" }, claims, "s"]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const tokens = { id_token: token, access_token: token, refresh_token: "r", account_id: "account-1" };
  const login = { auth_mode: "chatgpt", OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() };
  writeFileSync(join(here.home, "auth.json"), JSON.stringify(login));
  writeFileSync(join(here.home, "config.toml"), `chatgpt_base_url = ${JSON.stringify(url)}\n`);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: here.cwd });
  git("init", "-q");
  writeFileSync(join(here.cwd, "a.txt"), "1\n");
  git("add", ".");
  git("commit", "-qm", "one");
  return here;
}
