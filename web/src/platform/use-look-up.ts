import { useEffect, useState } from 'preact/hooks'

const LOOK_UP_AFTER_MS = 150

interface LookUp<T> {
  /** The last answer; null before the first one. */
  found: T | null
  failed: boolean
  /** Whether `found` answers the text as it is now, and not as it was some letters ago. */
  fresh: boolean
}

/** Asks what a text finds once it has rested for a moment. The last answer stays until the next one is there. */
export function useLookUp<T>(
  text: string,
  ask: (text: string, signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[] = [],
): LookUp<T> {
  const [state, setState] = useState<{ found: T | null; failed: boolean; asked: string }>({
    found: null,
    failed: false,
    asked: '',
  })
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(
      () =>
        ask(text.trim(), abort.signal).then(
          (found) => abort.signal.aborted || setState({ found, failed: false, asked: text }),
          () => abort.signal.aborted || setState((last) => ({ ...last, failed: true })),
        ),
      text === '' ? 0 : LOOK_UP_AFTER_MS,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text, ...inputs])
  return { ...state, fresh: state.asked === text }
}
