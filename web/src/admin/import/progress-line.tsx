import type { ImportOrder } from '@parley/contract'
import { formatLength } from '../../platform/format.js'
import { locale } from '../../platform/i18n.js'
import { importWords } from '../../words/imports.js'
import { nameOfKind } from './report.js'

/** How far an order is, how fast it goes, and how long its phase will take. */
export function ProgressLine({ progress }: { progress: ImportOrder['progress'] }) {
  const imports = importWords()
  if (!progress) return null
  const { phase, done, total, rate, seconds_left } = progress
  const numbers = new Intl.NumberFormat(locale())
  const name = phase === 'read' ? imports.reading : nameOfKind(phase)
  const facts = [
    total === null ? numbers.format(done) : imports.done(numbers.format(done), numbers.format(total)),
    ...(rate > 0 ? [imports.rate(rate)] : []),
    ...(seconds_left === null ? [] : [imports.left(formatLength(seconds_left * 1000))]),
  ]
  return (
    <>
      <p class="import-numbers">
        {name}: {facts.join(' · ')}
      </p>
      <progress
        class="import-progress"
        aria-label={name}
        {...(total === null ? {} : { max: Math.max(1, total), value: done })}
      />
    </>
  )
}
