/** A value as text, whatever the order of its keys: the database does not keep it. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

/**
 * Recognises events of saves that this tab sent. What is shown is never older than a save of its own, so such an event
 * brings nothing; applied, it would take back a change that was made while it was on its way.
 */
export function createEchoes() {
  let sent: string[] = []
  return {
    sent(value: unknown) {
      sent.push(textOf(value))
    },
    failed(value: unknown) {
      const text = textOf(value)
      sent = sent.filter((one) => one !== text)
    },
    isEcho(value: unknown): boolean {
      const index = sent.indexOf(textOf(value))
      if (index < 0) return false
      sent = sent.slice(index + 1)
      return true
    },
  }
}
