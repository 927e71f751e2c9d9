import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentError, Deadline } from "@quire/agent";
import { fakeClock } from "@quire/testkit";

test("9.9: a deadline tells what is left and what has passed, by the clock that it was given", () => {
  const clock = fakeClock();
  const deadline = Deadline.in(60_000, { clock });
  assert.equal(deadline.startedAt.getTime(), clock.now());
  assert.equal(deadline.expiresAt.getTime(), clock.now() + 60_000);
  clock.advance(20_000);
  assert.deepEqual([deadline.remainingMs, deadline.elapsedMs, deadline.expired], [40_000, 20_000, false]);
  clock.advance(50_000);
  assert.deepEqual([deadline.remainingMs, deadline.elapsedMs, deadline.expired], [-10_000, 70_000, true]);
});

test("9.9: the time zone in which it was written does not matter", () => {
  const clock = fakeClock({ now: Date.UTC(2030, 0, 1) });
  const inZurich = Deadline.at(new Date("2030-01-01T02:00:00+01:00"), { clock });
  assert.equal(inZurich.remainingMs, 3_600_000);
});

test("9.9: a deadline lies ahead, however little", () => {
  const clock = fakeClock();
  for (const ms of [1000, 250, 1]) assert.equal(Deadline.in(ms, { clock }).remainingMs, ms);
  for (const ms of [0, -5, Number.NaN]) assert.throws(() => Deadline.in(ms, { clock }), AgentError);
  assert.throws(() => Deadline.at(new Date("nonsense"), { clock }), AgentError);
});

test("9.9: without a clock it goes by the machine's", () => {
  const deadline = Deadline.in(3_600_000);
  assert.ok(!deadline.expired && deadline.remainingMs <= 3_600_000);
});
