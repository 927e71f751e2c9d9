/** Attacks: answers to questions of a server. */
import { attack } from "@quire/testkit/attack";
import { scriptedGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

const method = "item/commandExecution/requestApproval";
const about = { threadId: "t1", turnId: "u1", itemId: "i1", command: "rm -rf /" };
const accept = { decision: "accept" };

/** Asks one question and has a page answer it under some id; whether the server was answered by that. */
async function isAnswered(idOf: (shown: string) => unknown, hubOf: (hub: string) => string = (hub) => hub) {
  await using stage = scriptedGateway();
  await using page = await openPage(stage.gateway);
  const { id: hub } = await page.hub();
  let answered = false;
  stage.server.request(method, about).then(
    () => {
      answered = true;
    },
    () => undefined,
  );
  const { id } = await page.hears(hub, method);
  page.rpc(hubOf(hub), { id: idOf(String(id)), result: accept });
  // Served in order, so the answer has been looked at by then.
  await page.call(hub, "thread/start");
  return answered;
}

attack("answers a question by the server's own number", (guarded) => isAnswered((shown) => (guarded ? 0 : shown)));
attack("answers a question by its number in a list", (guarded) => isAnswered((shown) => (guarded ? [shown] : shown)));
attack("answers a question by way of another hub", (guarded) =>
  isAnswered(
    (shown) => shown,
    (hub) => (guarded ? "h00000000000" : hub),
  ),
);
attack("answers a question by the name of a prototype", (guarded) =>
  isAnswered((shown) => (guarded ? "__proto__" : shown)),
);

attack("makes a page that was too late claim its answer", async (guarded) => {
  await using stage = scriptedGateway();
  await using first = await openPage(stage.gateway);
  await using second = await openPage(stage.gateway);
  const { id: hub } = await first.hub();
  const answered = stage.server.request(method, about);
  const { id } = await first.hears(hub, method);
  await second.hears(hub, method);
  first.rpc(hub, { id, result: accept });
  await answered;
  // What a page did before: what was clicked here is what is shown.
  const clicked = { decision: "decline" };
  second.rpc(hub, { id, result: clicked });
  const { params } = await second.hears(hub, "serverRequest/resolved");
  const told = params?.answeredBy === "you" ? clicked : (params?.answer as { result?: unknown } | undefined)?.result;
  return JSON.stringify(guarded ? told : clicked) !== JSON.stringify(accept);
});
