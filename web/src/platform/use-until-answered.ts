import { useEffect, useRef, useState } from 'preact/hooks'
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
  const [asked, setAsked] = useState(0)
  const failures = useRef(0)
  const askAgain = () => setAsked((before) => before + 1)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fail = (error: unknown) => {
      if (isOver) return
      if (!mayPass(error)) return setMissing(true)
      setFailure(refusalText(error))
      timer = setTimeout(askAgain, pauseAfter(error, failures.current))
      failures.current += 1
    }
    const succeed = () => {
      failures.current = 0
      setFailure(null)
      setMissing(false)
    }
    ask()?.then(succeed, fail)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [...inputs, asked])

  return {
    /** There is nothing that this person may see. */
    isMissing,
    /** Why there is no answer yet; it is asked for again by itself. */
    failure,
    /** Asks at once; until there is an answer nothing has failed. */
    again() {
      setFailure(null)
      askAgain()
    },
  }
}
