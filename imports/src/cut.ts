/** The beginning of a text, counted as `length` does; no character is cut in two, which no JSON column takes. */
export function cut(text: string, length: number): string {
  const whole = (text.codePointAt(length - 1) ?? 0) <= 0xffff
  return text.slice(0, whole ? length : length - 1)
}
