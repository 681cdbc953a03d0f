import { useState } from 'preact/hooks'
import { useUntilAnswered } from './use-until-answered.js'

/** What a screen shows: asked for until the server gives it, or refuses for good; null until then. */
export function useRead<T>(ask: () => Promise<T>, inputs: readonly unknown[] = []) {
  const [read, setRead] = useState<T | null>(null)
  const waiting = useUntilAnswered(() => ask().then(setRead), inputs)
  return { read, setRead, waiting }
}
