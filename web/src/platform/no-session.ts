interface Page {
  type: string
  transferSize: number
  /** Some browsers have none over plain http. */
  serverTiming?: readonly { name: string; description: string }[]
}

/**
 * Whether the server said with this page that the browser sent no session, which scripts cannot see. A page that the
 * browser took from its cache says what was so when it was put there.
 */
export function saysNoSession(page: Page | undefined): boolean {
  if (!page || page.type === 'back_forward' || page.transferSize === 0) return false
  return (page.serverTiming ?? []).some(
    ({ name, description }) => name === 'session' && description === 'none',
  )
}
