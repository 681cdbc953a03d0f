/** Signing in through an identity provider: loaded where there is one. */
export const providers = {
  continueWith: (name: string) => `Continue with ${name}`,
  noPasswords: 'This workspace accepts no passwords. Sign in here:',
  inviteText: (email: string) => `You were invited as ${email}. Sign in with this address:`,
  refusals: {
    unknown_provider: 'This way of signing in does not exist any more. Choose another one.',
    unreachable:
      'The identity provider does not answer. Try again later, or tell the owner of the workspace.',
    cancelled: 'You cancelled signing in at the identity provider.',
    refused: 'The identity provider refused to sign you in. Tell the owner of the workspace.',
    expired: 'This sign-in took too long or began in another window. Start again.',
    invalid_answer: 'The answer of the identity provider could not be verified. Start again.',
    no_email: 'The identity provider sent no email address, so we do not know who you are.',
    email_unverified: 'The identity provider has not verified your email address.',
    domain: 'People with an email address of this domain may not sign in here.',
    no_account: 'You have no account here. Ask an admin to invite you.',
    other_identity: 'Your email address belongs to an account that is linked to somebody else. Ask an admin.',
    taken: 'That account at the identity provider is linked to somebody else here.',
    already_linked: 'You are linked to another account at this provider. Unlink it first.',
    not_you: 'You signed in at the identity provider as somebody else.',
    not_fresh: 'The identity provider did not ask you to sign in anew, so nothing was confirmed.',
    suspended: 'Your account is suspended. Ask an admin.',
    licences: 'No licences are left. Ask an admin.',
    failed: 'Signing in failed. Try again.',
  },
}
