import type { ApprovalRequest, QuestionHandlers, UserInputRequest } from "@quire/client";
import { ask, canAsk } from "./ask.ts";

/** Who answers the server's questions: whoever sits at the terminal; nobody, and so no, where there is none. */
export function questions(): QuestionHandlers {
  if (!canAsk())
    return {
      onApproval: (request) => request.decline(),
      onUserInput: (request) => request.decline(),
      onElicitation: (request) => request.decline(),
    };
  return {
    onApproval: approve,
    onUserInput: answerQuestions,
    onElicitation: async (request) => {
      const answer = await ask(`${request.serverName}: ${request.message} [y/n] `, request.signal);
      return isYes(answer) ? request.accept({}) : request.decline();
    },
  };
}

async function approve(request: ApprovalRequest) {
  const answer = await ask(
    `${describe(request)}\n[y]es, yes and do not [a]sk again, [n]o, [q]uit the turn: `,
    request.signal,
  );
  switch (answer.trim().toLowerCase()) {
    case "y":
    case "yes":
      return request.accept();
    case "a":
      return request.acceptForSession();
    case "q":
      return request.cancel();
    default:
      return request.decline();
  }
}

function describe(request: ApprovalRequest): string {
  const why = request.reason ? `\n  ${request.reason}` : "";
  switch (request.kind) {
    case "command":
      return `Run this command?\n  ${request.command ?? "(unknown)"}${request.cwd ? `\n  in ${request.cwd}` : ""}${why}`;
    case "fileChange":
      return `Make these changes?\n${request.changes.map(({ kind, path }) => `  ${kind.type} ${path}`).join("\n")}${why}`;
    case "permissions":
      return `Grant these permissions?\n  ${JSON.stringify(request.permissions)}${why}`;
  }
}

async function answerQuestions(request: UserInputRequest) {
  const answers: Record<string, string> = {};
  for (const { id, question, options } of request.questions) {
    const choices = options ?? [];
    const list = choices.map(({ label, description }, index) => `  ${index + 1}. ${label}: ${description}`).join("\n");
    const answer = (await ask(`${question}\n${list}${list ? "\n" : ""}> `, request.signal)).trim();
    answers[id] = choices[Number(answer) - 1]?.label ?? answer;
  }
  return request.answer(answers);
}

function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
