import assert from "node:assert/strict";
import { test } from "node:test";
import { defineSlice, record, Session, SessionSnapshot } from "@quire/agent";
import { append, type RecordType, replaceLatestBy } from "@quire/agent/sessions";
import { random } from "@quire/testkit";
import { z } from "zod";

/** Kept as they come. */
const Ledger = record("prop.ledger", z.object({ n: z.number() }));
/** Kept by key. */
const Keyed = record("prop.keyed", z.object({ key: z.string(), n: z.number() }));
/** A sum over the ledger. */
const Sum = record("prop.sum", z.object({ total: z.number() }));
const Log: RecordType<{ n: number }> = record("prop.log", z.object({ n: z.number() }), { policy: "log" });

type Content = Record<"ledger" | "keyed" | "sum" | "log", readonly object[]>;

/** The same in the plainest way: whole copies of everything. */
class Model {
  now: Content = { ledger: [], keyed: [], sum: [], log: [] };

  add(n: number): void {
    const { ledger, sum, log } = this.now;
    const total = ((sum[0] as { total: number } | undefined)?.total ?? 0) + n;
    this.now = { ...this.now, ledger: [...ledger, { n }], sum: [{ total }], log: [...log, { n }] };
  }

  put(key: string, n: number): void {
    const others = this.now.keyed.filter((each) => (each as { key: string }).key !== key);
    this.now = { ...this.now, keyed: [...others, { key, n }] };
  }

  restore(to: Content, withLogs: boolean): void {
    this.now = { ...to, log: withLogs ? to.log : this.now.log };
  }
}

function subject(): Session {
  const session = new Session();
  session.slice(Ledger).register(Ledger, (_, event) => append(event));
  session.slice(Log).register(Ledger, (_, { n }) => append({ n }));
  session.install(
    defineSlice(Sum, { initial: () => ({ total: 0 }) }).on(Ledger, ({ total }, { n }) => ({ total: total + n })),
  );
  session.slice(Keyed).register(
    Keyed,
    replaceLatestBy(({ key }) => key),
  );
  return session;
}

const contentOf = (session: Session): Content => ({
  ledger: session.slice(Ledger).all(),
  keyed: session.slice(Keyed).all(),
  sum: session.slice(Sum).all(),
  log: session.slice(Log).all(),
});

test("3.15: any interleaving of events, snapshots and roll-backs leaves what whole copies would have left", () => {
  const { seed: first } = random();
  for (let run = 0; run < 60; run++) {
    const { int, pick, chance, seed: used } = random(first + run);
    let session = subject();
    const model = new Model();
    const taken: { snapshot: SessionSnapshot; content: Content; withLogs: boolean }[] = [];
    const say = (step: number, what: string) => `QUIRE_SEED=${used}, step ${step}: ${what}`;
    for (let step = 0; step < 60; step++) {
      const action = pick([
        "add",
        "add",
        "add",
        "put",
        "put",
        "seed",
        "clear",
        "take",
        "back",
        "json",
        "clone",
        "reset",
      ]);
      const n = int(-9, 9);
      const key = pick(["a", "b", "c"]);
      if (action === "add") {
        session.dispatch(Ledger({ n }));
        model.add(n);
      } else if (action === "put") {
        session.slice(Keyed).append({ key, n });
        model.put(key, n);
      } else if (action === "seed") {
        session.seed([Ledger({ n }), Ledger({ n: n + 1 })]);
        model.now = { ...model.now, ledger: [{ n }, { n: n + 1 }] };
      } else if (action === "clear") {
        session.slice(Ledger).clear((each) => each.n < n);
        const ledger = model.now.ledger.filter((each) => (each as { n: number }).n >= n);
        model.now = { ...model.now, ledger };
      } else if (action === "take") {
        const withLogs = chance(0.3);
        taken.push({ snapshot: session.snapshot({ all: withLogs }), content: model.now, withLogs });
      } else if ((action === "back" || action === "json") && taken.length > 0) {
        const { snapshot, content, withLogs } = pick(taken);
        const includeLogs = withLogs && chance();
        const used = action === "json" ? SessionSnapshot.parse(JSON.stringify(snapshot)) : snapshot;
        session.restore(used, { includeLogs });
        model.restore(content, includeLogs);
      } else if (action === "clone") {
        const old = session;
        session = old.clone();
        old.dispatch(Ledger({ n: 100 }));
      } else if (action === "reset" && chance(0.1)) {
        session.reset();
        model.now = { ledger: [], keyed: [], sum: [], log: [] };
      }
      assert.deepEqual(contentOf(session), model.now, say(step, action));
    }
    for (const { snapshot, content } of taken) {
      const ledger = snapshot.slices.find(({ type }) => type === "prop.ledger")?.items ?? [];
      assert.deepEqual(ledger, content.ledger, say(60, "a snapshot has changed"));
    }
  }
});
