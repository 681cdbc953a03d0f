import type { DraftScheduleInput } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { formatDay, formatTime } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { scheduleFault } from './actions.js'

const ASK_AFTER_MS = 250

/** The next five times that a schedule sends; the server computes them. */
export function NextSends({ schedule }: { schedule: DraftScheduleInput | null }) {
  const [times, setTimes] = useState<readonly string[]>([])
  const [error, setError] = useState<string | null>(null)
  const { later } = words()
  const asked = JSON.stringify(schedule)
  useEffect(() => {
    if (!schedule) return setTimes([])
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { data } = await call('previewSchedule', { body: { schedule }, signal: abort.signal })
        setTimes(data)
        setError(null)
      } catch (failure) {
        if (abort.signal.aborted) return
        setTimes([])
        setError(scheduleFault(failure))
      }
    }, ASK_AFTER_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [asked])
  return (
    <div class="schedule-next" aria-live="polite">
      <p class="field-label">{later.next}</p>
      {error ? (
        <p class="field-error">{error}</p>
      ) : (
        <ol>
          {times.map((at) => (
            <li key={at}>
              <time dateTime={at}>
                {formatDay(at)}, {formatTime(at)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
