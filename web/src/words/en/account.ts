import { plural } from './plural.js'

export const account = {
  signIn: 'Sign in',
  signInTo: 'Sign in to Parley',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  leaveTitle: 'Sign out and lose what is not sent?',
  leaveText: (messages: number, drafts: number) =>
    [
      messages > 0 &&
        plural(messages, { one: '# message is not sent yet.', other: '# messages are not sent yet.' }),
      drafts > 0 &&
        plural(drafts, {
          one: '# draft is on this device alone.',
          other: '# drafts are on this device alone.',
        }),
      'Signing out deletes this from the device.',
    ]
      .filter(Boolean)
      .join(' '),
  menu: 'Settings and more',
  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters.',
  firstName: 'First name',
  lastName: 'Last name',
  forgot: 'Forgot your password?',
  wrong: 'Email or password is wrong.',
  suspended: 'This account may not sign in.',
  tooMany: 'Too many attempts. Wait a minute and try again.',
  tooManyFor: (seconds: number) =>
    plural(seconds, {
      one: 'Too many attempts. Try again in # second.',
      other: 'Too many attempts. Try again in # seconds.',
    }),
  noConnection: 'The server cannot be reached. Check your connection.',
  emptyEmail: 'Write your email.',
  emptyPassword: 'Write your password.',
  emptyName: 'Write your name.',
  shortPassword: 'The password needs at least 8 characters.',
  toSignIn: 'Back to sign-in',
  inviteTitle: (workspace: string) => `Welcome to ${workspace}`,
  inviteText: (email: string) => `You were invited as ${email}. Say who you are and choose a password.`,
  accept: 'Join',
  inviteGone: 'This invitation does not work any more',
  inviteGoneText: 'It was used, has expired, or a newer one was sent. Ask an admin to invite you again.',
  alreadyIn: (name: string) => `You are signed in as ${name}. Sign out to use this link.`,
  forgotTitle: 'Set a new password',
  forgotText: 'Write the email of your account. A link to set a new password will be sent there.',
  sendLink: 'Send the link',
  linkSent: 'Look into your mail',
  linkSentText: (email: string) =>
    `If there is an account with ${email}, a link is on its way. It works once, for one hour.`,
  resetText: (email: string) => `A new password for ${email}. You will be signed out everywhere else.`,
  setPassword: 'Set the password',
  resetGone: 'This link does not work any more',
  resetGoneText: 'It was used or is older than an hour.',
  newLink: 'Ask for a new link',
}
