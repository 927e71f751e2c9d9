/** The nearest index at which text can be cut without splitting a surrogate pair, half of which many clients reject. */
export function characterBoundary(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
