import { useEffect, useState } from 'preact/hooks'
import { type Answer, call } from '../platform/api.js'

export type SignInOptions = Answer<'getSignInOptions'>['data']

type Parts = typeof import('./provider-links.js') & typeof import('../words/providers.js')

const USUAL: SignInOptions = { password: true, providers: [] }

/**
 * How people may sign in here; by password until the server has answered. `parts` are what is needed for identity
 * providers: they come only where there are some, or one has refused.
 */
export function useSignInOptions(): SignInOptions & { parts: Parts | null } {
  const [options, setOptions] = useState(USUAL)
  const [parts, setParts] = useState<Parts | null>(null)
  const wanted = options.providers.length > 0 || new URLSearchParams(location.search).has('refused')
  useEffect(
    () =>
      void call('getSignInOptions').then(
        ({ data }) => setOptions(data),
        () => {},
      ),
    [],
  )
  useEffect(() => {
    if (wanted)
      void Promise.all([import('./provider-links.js'), import('../words/providers.js')]).then(
        ([links, texts]) => setParts({ ...links, ...texts }),
        () => {},
      )
  }, [wanted])
  return { ...options, parts }
}
