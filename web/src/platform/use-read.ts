import { useRef, useState } from 'preact/hooks'
import { useUntilAnswered } from './use-until-answered.js'

/** What a screen shows: asked for until the server gives it, or refuses for good; null until then. The last question is the one that counts. */
export function useRead<T>(ask: () => Promise<T>, inputs: readonly unknown[] = []) {
  const [read, setRead] = useState<T | null>(null)
  const asked = useRef(0)
  async function askOnce() {
    asked.current += 1
    const mine = asked.current
    const answer = await ask()
    if (mine === asked.current) setRead(answer)
  }
  const waiting = useUntilAnswered(askOnce, inputs)
  return { read, setRead, waiting }
}
