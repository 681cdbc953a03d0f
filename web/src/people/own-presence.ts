import { call } from '../platform/api.js'

const AWAY_AFTER_MS = 5 * 60_000
const NOTED_EVERY_MS = 1000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const

/** Tells the server when the person leaves this device alone and when they are back; gives a way to stop. */
export function followOwnPresence(): () => void {
  let told: 'active' | 'away' = 'active'
  let timer: ReturnType<typeof setTimeout> | undefined
  function tell(presence: 'active' | 'away') {
    if (presence === told) return
    told = presence
    // The next sign of life says it again.
    void call('setOwnPresence', { body: { presence } }).catch(() => {})
  }
  let noted_at = Number.NEGATIVE_INFINITY
  function beHere({ timeStamp }: Pick<Event, 'timeStamp'>) {
    // Scrolling gives a sign with every frame.
    if (document.hidden || timeStamp - noted_at < NOTED_EVERY_MS) return
    noted_at = timeStamp
    clearTimeout(timer)
    timer = setTimeout(() => tell('away'), AWAY_AFTER_MS)
    tell('active')
  }
  const options = { capture: true, passive: true }
  for (const sign of SIGNS) addEventListener(sign, beHere, options)
  document.addEventListener('visibilitychange', beHere)
  beHere({ timeStamp: performance.now() })
  return () => {
    clearTimeout(timer)
    for (const sign of SIGNS) removeEventListener(sign, beHere, options)
    document.removeEventListener('visibilitychange', beHere)
  }
}
