import type { ApprovalRequest, ElicitationRequest, QuestionHandlers, UserInputRequest } from "@quire/client";
import { terminalText } from "../lib/terminal-text.ts";
import { ask, canAsk } from "./ask.ts";
import { askInFull } from "./ask-in-full.ts";
import { describeApproval, describeElicitation } from "./describe-question.ts";
import { quoted } from "./quoted.ts";

/** Answers the server's questions through the terminal; without one, every answer is no. */
export function questions(): QuestionHandlers {
  if (!canAsk())
    return {
      onApproval: (request) => request.decline(),
      onUserInput: (request) => request.decline(),
      onElicitation: (request) => request.decline(),
    };
  return { onApproval: approve, onUserInput: answerQuestions, onElicitation: answerElicitation };
}

async function approve(request: ApprovalRequest) {
  const again = maySkipNext(request) ? "[a]lways in this session, " : "";
  const answer = await askInFull(describeApproval(request), `[y]es, ${again}[n]o, [q]uit the turn`, request.signal);
  switch (answer) {
    case "y":
    case "yes":
      return request.accept();
    case "a":
      return again === "" ? request.decline() : request.acceptForSession();
    case "q":
      return request.cancel();
    default:
      return request.decline();
  }
}

/** A server that lists what it takes may not accept an answer for the session. */
function maySkipNext({ availableDecisions }: ApprovalRequest): boolean {
  return availableDecisions === undefined || availableDecisions.some((decision) => decision === "acceptForSession");
}

async function answerElicitation(request: ElicitationRequest) {
  const wanted = request.form?.required ?? [];
  if (wanted.length > 0) {
    const text = [...describeElicitation(request), "Declined: the terminal cannot show this form."];
    process.stderr.write(`${text.join("\n")}\n`);
    return request.decline();
  }
  const answer = await askInFull(describeElicitation(request), "[y]es, [n]o", request.signal);
  return answer === "y" || answer === "yes" ? request.accept({}) : request.decline();
}

async function answerQuestions(request: UserInputRequest) {
  const answers: Record<string, string> = {};
  for (const { id, question, options } of request.questions) {
    const choices = options ?? [];
    const list = choices.map(({ label, description }, index) => {
      const about =
        description === "" || description === label ? "" : `: ${terminalText(description, { oneLine: true })}`;
      return `  ${index + 1}. ${terminalText(label, { oneLine: true })}${about}`;
    });
    const text = ["The agent asks:", ...quoted(question), ...list].join("\n");
    const answer = (await ask(`${text}\n> `, request.signal)).trim();
    answers[id] = choices[Number(answer) - 1]?.label ?? answer;
  }
  return request.answer(answers);
}
