import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Where nothing has the focus, the main part of the screen gets it: the next Tab would begin at the top of the page. */
export function rescueFocus() {
  const isLost = document.activeElement === null || document.activeElement === document.body
  const main = document.querySelector<HTMLElement>('main')
  if (!isLost || !main) return
  main.tabIndex = -1
  main.focus({ preventScroll: true })
}

/** Closes a dialog when the person goes back or forward: it belongs to the screen that it was opened on. */
function useLeaving(onClose: () => void) {
  const close = useRef(onClose)
  close.current = onClose
  // In the step that shows the dialog: who goes back before the next frame is heard too.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = ({ isTrusted }: PopStateEvent) => {
      // Code that navigates sends events of its own. One that is part of the address may be gone by then.
      if (isTrusted) timer = setTimeout(() => close.current())
    }
    addEventListener('popstate', leave)
    return () => {
      removeEventListener('popstate', leave)
      clearTimeout(timer)
    }
  }, [])
}

/** Opens a dialog while it is on the screen. The focus goes back to where it was, or to the main part if that is gone. */
export function useModal(box: RefObject<HTMLDialogElement | null>, onClose: () => void) {
  useLeaving(onClose)
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
