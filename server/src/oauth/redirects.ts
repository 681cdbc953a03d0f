const LOOPBACK = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/[^?#]*)?$/
/** Hosts that need no escaping in a policy header. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

function withoutQuery(uri: string): string {
  return uri.split('?', 1)[0] as string
}

/** What is compared: every character, query included; of loopback addresses not the port. */
function comparable(uri: string): string {
  const bare = withoutQuery(uri)
  const loopback = LOOPBACK.exec(bare)
  return loopback ? `${loopback[1]}${loopback[2] ?? '/'}${uri.slice(bare.length)}` : uri
}

/** HTTPS, or plain HTTP to the caller's own machine; absolute, without fragment or login. */
export function isAcceptableRedirect(uri: string): boolean {
  if (uri.includes('#') || !URL.canParse(uri)) return false
  const { origin, protocol, username, password } = new URL(uri)
  if (username || password || !PLAIN_ORIGIN.test(origin)) return false
  return protocol === 'https:' || LOOPBACK.test(withoutQuery(uri))
}

export function matchesRedirect(registered: readonly string[], given: string): boolean {
  if (!isAcceptableRedirect(given)) return false
  return registered.some((uri) => comparable(uri) === comparable(given))
}

/** The address with an answer in its query, replacing parameters of the same names. */
export function withAnswer(uri: string, answer: Record<string, string | undefined>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.toString()
}
