import type { SignInRefusalCode } from '@parley/contract'
import { providerWords } from '../words/providers.js'
import type { SignInOptions } from './use-sign-in-options.js'

/** Where the way back ends: at the address that was asked for, or at the page that an app sent them from. */
function target(): string {
  const then = new URLSearchParams(location.search).get('then')
  if (then) return then
  return /^\/(sign-in|invite|reset|forgot)(\/|$)/.test(location.pathname)
    ? '/'
    : location.pathname + location.search
}

/** Why the last sign-in through a provider failed; empty where none did. */
export function providerRefusal(): string {
  const { refusals } = providerWords()
  const code = new URLSearchParams(location.search).get('refused')
  return code === null ? '' : (refusals[code as SignInRefusalCode] ?? refusals.failed)
}

/** A button for each identity provider. */
export function ProviderLinks({ providers }: Pick<SignInOptions, 'providers'>) {
  return (
    <>
      {providers.map(({ slug, name }) => (
        <a
          key={slug}
          class="button account-page-provider"
          // A page of the server: links without a target stay in the client.
          target="_top"
          href={`/sign-in/oidc/${slug}?${new URLSearchParams({ to: target() })}`}
        >
          {providerWords().continueWith(name)}
        </a>
      ))}
    </>
  )
}
