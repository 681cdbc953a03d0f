import { navigate } from '../platform/navigate.js'
import { signedIn } from '../sync.js'

/** Pages of the server that ask people to sign in here and come back; no other address is followed. */
const CONSENT = /^\/apps\/authorize(\?|$)/

/** Somebody has signed in: on to where they wanted to go. */
export async function enter(userId: number) {
  const then = new URLSearchParams(location.search).get('then')
  if (then && CONSENT.test(then)) return location.assign(then)
  if (/^\/(sign-in|reset)(\/|$)/.test(location.pathname)) navigate('/', 'replace')
  await signedIn(userId)
}
