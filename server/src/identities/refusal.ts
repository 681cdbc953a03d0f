import type { SignInRefusalCode } from '@parley/contract'

/** A sign-in through a provider that failed; the sign-in page has a sentence for each code. `cause` is for the log. */
export class SignInRefusal extends Error {
  constructor(
    readonly code: SignInRefusalCode,
    options?: ErrorOptions,
  ) {
    super(code, options)
  }
}
