import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/**
 * Gives an element the focus when it comes to the screen: the attribute works only while a page loads. It happens
 * before anything else can: a later effect would take the focus from a field that somebody has begun to type in.
 */
export function useAutofocus(element: RefObject<HTMLElement | null>, isWanted = true) {
  useLayoutEffect(() => {
    // The dialog around it opens in an effect of this same render, after this one.
    if (isWanted) queueMicrotask(() => element.current?.focus())
  }, [])
}
