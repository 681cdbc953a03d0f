import type { OwnSignIn } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { useRead } from '../platform/use-read.js'

const readOwn = async (): Promise<OwnSignIn> => (await call('getOwnSignIn')).data

/** How the person signs in; null until it is known. */
export function useOwnSignIn() {
  const { read: own, setRead, waiting } = useRead(readOwn)
  const readAgain = () => void attempt(async () => setRead(await readOwn()))
  return { own, readAgain, waiting }
}

/** The page that the way back from a provider ends at. */
export const backHere = () => location.pathname

/** Goes to a page of an identity provider. */
export function leaveFor(url: string) {
  location.assign(url)
}
