/** An estimate of a text's tokens, rather too many: three characters to one, and beyond ASCII less than one character. */
export function tokensIn(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) wide++;
  return (text.length - wide) / 3 + wide * 1.5;
}
