/** What components asked for, for a test to read. */
declare global {
  interface Window {
    calls: { readonly name: string; readonly args: readonly unknown[] }[];
  }
}

window.calls = [];

/** A function that notes its calls and gives what `answer` gives. */
export function noted<Args extends readonly unknown[], Result>(
  name: string,
  answer: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    window.calls.push({ name, args: JSON.parse(JSON.stringify(args)) as unknown[] });
    return answer(...args);
  };
}

/** A word of the address, as in `#composer?working`. */
export const flag = (word: string): boolean => new URLSearchParams(location.hash.split("?")[1] ?? "").has(word);
