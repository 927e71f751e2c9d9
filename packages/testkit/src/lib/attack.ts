import assert from "node:assert/strict";
import { test } from "node:test";

/**
 * Carries an attack out, with the protection (`guarded`) or without it.
 *
 * @returns Whether the attacker got what he wanted.
 */
export type AttackAttempt = (guarded: boolean) => boolean | Promise<boolean>;

/**
 * Defines a test that makes an attack twice: without the protection, where it must succeed (a control: an attack that
 * cannot work proves nothing), and with it, where it must fail.
 *
 * ```ts
 * attack("reads a key through a link", async (guarded) => (await readAs(guarded, "link"))?.includes("secret") ?? false);
 * ```
 */
export function attack(name: string, attempt: AttackAttempt): void {
  test(name, async () => {
    assert.ok(await attempt(false), "the control failed: the attack does not work without the protection either");
    assert.ok(!(await attempt(true)), "the attack succeeded");
  });
}
