import type { OwnSignIn } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { useRead } from '../platform/use-read.js'

/** How the person signs in; null until it is known. */
export function useOwnSignIn(): [OwnSignIn | null, () => void] {
  const { read, setRead } = useRead(() => call('getOwnSignIn'))
  const readAgain = () => void attempt(async () => setRead(await call('getOwnSignIn')))
  return [read?.data ?? null, readAgain]
}

/** The page that the way back from a provider ends at. */
export const backHere = () => location.pathname

/** Goes to a page of an identity provider. */
export function leaveFor(url: string) {
  location.assign(url)
}
