import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Takes files that are dropped anywhere in the pane around an element; true while some are held over it. */
export function useDrop(
  inside: RefObject<HTMLElement | null>,
  onFiles: (files: Iterable<File>) => void,
): boolean {
  const [held, setHeld] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles

  useLayoutEffect(() => {
    const pane = inside.current?.closest<HTMLElement>('main, aside')
    if (!pane) return
    const stop = new AbortController()
    const on = <K extends 'dragover' | 'dragleave' | 'drop'>(
      target: HTMLElement | Window,
      type: K,
      listener: (event: DragEvent) => void,
    ) => target.addEventListener(type, listener as EventListener, { signal: stop.signal })

    // Beside a pane the browser would leave the client and open the file.
    for (const type of ['dragover', 'drop'] as const)
      on(window, type, (event) => holdsFiles(event) && event.preventDefault())
    on(pane, 'dragover', (event) => setHeld(holdsFiles(event)))
    on(pane, 'dragleave', (event) => {
      if (!pane.contains(event.relatedTarget as Node | null)) setHeld(false)
    })
    on(pane, 'drop', (event) => {
      setHeld(false)
      if (holdsFiles(event)) take.current(event.dataTransfer?.files ?? [])
    })
    return () => stop.abort()
  }, [])
  return held
}
