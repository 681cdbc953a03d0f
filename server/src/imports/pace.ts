import type { Progress } from './stage.js'

/** Progress with the speed of its phase. */
export interface PacedProgress extends Progress {
  /** Records a second. */
  rate: number
  /** Null while the total is not known. */
  seconds_left: number | null
}

/** Measures how fast each phase goes, from its first progress on: a run that goes on begins with what was done before. */
export function pace(now: () => number = () => performance.now()): (progress: Progress) => PacedProgress {
  let first = { phase: '', at: 0, done: 0 }
  return (progress) => {
    const { phase, done, total } = progress
    if (first.phase !== phase) first = { phase, at: now(), done }
    const seconds = (now() - first.at) / 1000
    const rate = seconds > 0 ? (done - first.done) / seconds : 0
    const seconds_left = total === null || rate === 0 ? null : Math.ceil(Math.max(0, total - done) / rate)
    return { ...progress, rate: Math.round(rate), seconds_left }
  }
}
