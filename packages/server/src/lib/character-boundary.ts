/** An index at which a text can be cut: not within a pair of surrogates, of which half is no text to many clients. */
export function characterBoundary(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
