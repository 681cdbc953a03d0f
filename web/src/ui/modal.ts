import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Where nothing has the focus, the main part of the screen gets it: the next Tab would begin at the top of the page. */
export function rescueFocus() {
  const isLost = document.activeElement === null || document.activeElement === document.body
  const main = document.querySelector<HTMLElement>('main')
  if (!isLost || !main) return
  main.tabIndex = -1
  main.focus({ preventScroll: true })
}

/** Opens a dialog while it is on the screen. The focus goes back to where it was, or to the main part if that is gone. */
export function useModal(box: RefObject<HTMLDialogElement | null>) {
  useLayoutEffect(() => {
    const dialog = box.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      rescueFocus()
      // What was there before may go in this same step.
      requestAnimationFrame(rescueFocus)
    }
  }, [])
}
