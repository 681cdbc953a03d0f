import { Presets, SingleBar } from 'cli-progress'

interface Step {
  table: string
  share: number
}

/** A bar on a terminal, nothing elsewhere. */
export function progressBar(title: string, quiet: boolean | undefined) {
  if (quiet || !process.stderr.isTTY) return { onProgress: undefined, done() {} }
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage}% {table}`, stream: process.stderr, hideCursor: true },
    Presets.shades_classic,
  )
  bar.start(100, 0, { table: '' })
  return {
    onProgress: ({ table, share }: Step) => bar.update(Math.round(share * 100), { table }),
    done: () => bar.stop(),
  }
}
