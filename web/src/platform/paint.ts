/** A page that is hidden is not painted. */
const AT_MOST_MS = 300

/** Resolves when what was drawn by now is on the screen. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, AT_MOST_MS)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      setTimeout(resolve)
    })
  })
}
