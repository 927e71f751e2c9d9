/** Questions that clients put to the user by themselves, outside of any item: meanwhile the time of commands stands still. */
export class Elicitations {
  #count = 0;
  #over: ReturnType<typeof Promise.withResolvers<void>> | undefined;

  get count(): number {
    return this.#count;
  }

  /** Settles when no question is open any more; `undefined` while none is. */
  get waiting(): Promise<void> | undefined {
    return this.#over?.promise;
  }

  begin(): void {
    this.#count++;
    this.#over ??= Promise.withResolvers();
  }

  /** False where none was open. */
  end(): boolean {
    if (this.#count === 0) return false;
    this.#count--;
    if (this.#count === 0) {
      this.#over?.resolve();
      this.#over = undefined;
    }
    return true;
  }
}
