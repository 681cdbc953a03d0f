import type { MigrateOptions } from '@parley/server'
import { Presets, SingleBar } from 'cli-progress'
import type { Terminal } from './terminal.js'

interface Step {
  table: string
  share: number
}

export interface Bar {
  /** Names what is done now, before its amount is known. */
  phase(title: string): void
  onProgress(step: Step): void
  done(): void
}

/** A bar on a terminal from the first moment on, with the time it took so far; nothing elsewhere. */
export function progressBar(terminal: Terminal, title: string, quiet: boolean | undefined): Bar {
  if (quiet || !terminal.progress) return { phase() {}, onProgress() {}, done() {} }
  const bar = new SingleBar(
    {
      format: '{title} {bar} {percentage}% {duration_formatted} {table}',
      stream: terminal.progress,
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  )
  const shown = { title, table: '' }
  bar.start(100, 0, shown)
  return {
    phase(next) {
      shown.title = next
      bar.update(0, { ...shown, table: '' })
    },
    onProgress: ({ table, share }) => bar.update(Math.round(share * 100), { ...shown, table }),
    done: () => bar.stop(),
  }
}

/** Shows on the bar which migration is applied. */
export function showMigrations(bar: Bar): MigrateOptions {
  return {
    onMigration: (name, { number, of }) => bar.onProgress({ table: name, share: (number - 1) / of }),
    onWait: () => bar.phase('Waiting for another process, which migrates'),
  }
}
