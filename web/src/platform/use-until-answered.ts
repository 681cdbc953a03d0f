import { useEffect, useState } from 'preact/hooks'
import { pauseAfter } from './again.js'
import { mayPass } from './api.js'
import { refusalText } from './refusal.js'

/**
 * Asks until the server answers, or refuses for good; again when one of `inputs` changes. `ask` gives null while there is
 * nothing to ask yet.
 */
export function useUntilAnswered(ask: () => Promise<unknown> | null, inputs: readonly unknown[]) {
  const [isMissing, setMissing] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [attempts, setAttempts] = useState(0)
  const again = () => setAttempts((before) => before + 1)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fail = (error: unknown) => {
      if (isOver) return
      if (!mayPass(error)) return setMissing(true)
      setFailure(refusalText(error))
      timer = setTimeout(again, pauseAfter(error, attempts))
    }
    ask()?.then(() => setFailure(null), fail)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [...inputs, attempts])

  return {
    /** There is nothing that this person may see. */
    isMissing,
    /** Why there is no answer yet; it is asked for again by itself. */
    failure,
    again,
  }
}
