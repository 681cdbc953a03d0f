/** The id that a part of an address begins with, as links are copied with what stood behind them; null where there is none. */
export function idIn(text: string | undefined): number | null {
  const id = Number.parseInt(text ?? '', 10)
  return id > 0 && Number.isSafeInteger(id) ? id : null
}
