/** Copies a text. Over plain http browsers have no clipboard of their own, but still hear the old command. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  let isCopied = false
  const put = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
    isCopied = true
  }
  document.addEventListener('copy', put, { once: true })
  document.execCommand('copy')
  document.removeEventListener('copy', put)
  if (!isCopied) throw new Error('the browser copies nothing')
}
