/** Heights of a sound from 0 to 1, kept as numbers from 0 to 31 with commas between: `4,31,12`. */
const LEVELS = 31
const BARS = 64

/** Draws many measured levels together into few bars, the loudest as high as can be. */
export function encodeWaveform(levels: readonly number[]): string {
  const count = Math.min(BARS, Math.max(1, levels.length))
  const size = levels.length / count
  const bars = Array.from({ length: count }, (_, index) =>
    Math.max(0, ...levels.slice(Math.floor(index * size), Math.max(1, Math.floor((index + 1) * size)))),
  )
  const top = Math.max(...bars, 0.001)
  return bars.map((bar) => Math.round((bar / top) * LEVELS)).join(',')
}

/** Other clients may write other texts: what cannot be read gives even bars. */
export function decodeWaveform(text: string): number[] {
  const bars = text.split(',').map(Number)
  if (bars.length < 2 || bars.some((bar) => !Number.isFinite(bar) || bar < 0))
    return Array(BARS / 2).fill(0.3)
  const top = Math.max(...bars, 1)
  return bars.slice(0, BARS * 2).map((bar) => bar / top)
}
