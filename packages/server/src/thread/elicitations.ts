/** Clients' own questions to the user, outside of any item: commands' time limits pause meanwhile. */
export class Elicitations {
  #count = 0;
  #over: ReturnType<typeof Promise.withResolvers<void>> | undefined;

  get count(): number {
    return this.#count;
  }

  /** Settles when no question is open; `undefined` while none is. */
  get waiting(): Promise<void> | undefined {
    return this.#over?.promise;
  }

  begin(): void {
    this.#count++;
    this.#over ??= Promise.withResolvers();
  }

  /** False when none was open. */
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
