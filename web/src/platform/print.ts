/** Calls back before the page is printed, and after; gives what stops it. */
export function onPrint(listener: (printing: boolean) => void): () => void {
  const before = () => listener(true)
  const after = () => listener(false)
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
  }
}
