import type { OwnSignIn } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'

/** How the person signs in; null until it is known. */
export function useOwnSignIn(): [OwnSignIn | null, () => void] {
  const [own, setOwn] = useState<OwnSignIn | null>(null)
  const read = () => void attempt(async () => setOwn((await call('getOwnSignIn')).data))
  useEffect(read, [])
  return [own, read]
}

/** The page that the way back from a provider ends at. */
export const backHere = () => location.pathname

/** Goes to a page of an identity provider. */
export function leaveFor(url: string) {
  location.assign(url)
}
