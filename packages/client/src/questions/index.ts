/** Answers to a server's requests, for those who have a connection of their own. A client loads this when it is first asked. */
export { type AnswerContext, answerServerRequest } from "./answer-server-request.ts";
