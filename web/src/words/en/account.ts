import { plural } from './plural.js'

export const account = {
  signIn: 'Sign in',
  signInTo: 'Sign in to Parley',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  leaveTitle: 'Sign out and lose unsent messages?',
  leaveEditsTitle: 'Sign out and lose unsaved changes?',
  leaveText: ({
    messages,
    drafts,
    edits,
    uploads,
  }: Record<'messages' | 'drafts' | 'edits' | 'uploads', number>) =>
    [
      messages > 0 &&
        plural(messages, { one: '# message is not sent yet.', other: '# messages are not sent yet.' }),
      drafts > 0 &&
        plural(drafts, {
          one: '# draft is only on this device.',
          other: '# drafts are only on this device.',
        }),
      edits > 0 &&
        plural(edits, {
          one: '# change of a message is not saved yet.',
          other: '# changes of messages are not saved yet.',
        }),
      uploads > 0 &&
        plural(uploads, { one: '# file is still uploading.', other: '# files are still uploading.' }),
      'Signing out deletes them from this device.',
    ]
      .filter(Boolean)
      .join(' '),
  ended: 'Your session has ended. Sign in to go on: what you were writing is kept on this device.',
  menu: 'Settings and more',
  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters.',
  firstName: 'First name',
  lastName: 'Last name',
  forgot: 'Forgot your password?',
  wrong: 'Wrong email or password.',
  suspended: 'This account cannot sign in.',
  passwordsOff: 'This workspace accepts no passwords. Sign in through an identity provider.',
  tooMany: 'Too many attempts. Wait a minute and try again.',
  tooManyFor: (seconds: number) =>
    plural(seconds, {
      one: 'Too many attempts. Try again in # second.',
      other: 'Too many attempts. Try again in # seconds.',
    }),
  noConnection: 'The server cannot be reached. Check your connection.',
  emptyEmail: 'Enter your email.',
  emptyPassword: 'Enter your password.',
  emptyName: 'Enter your name.',
  shortPassword: 'The password needs at least 8 characters.',
  toSignIn: 'Back to sign-in',
  inviteTitle: (workspace: string) => `Welcome to ${workspace}`,
  inviteText: (email: string) => `You were invited as ${email}. Enter your name and choose a password.`,
  accept: 'Join',
  inviteGone: 'This invitation is no longer valid',
  inviteGoneText:
    'It was already used, has expired, or a newer one was sent. Ask an admin to invite you again.',
  alreadyIn: (name: string) => `You are signed in as ${name}. Sign out to use this link.`,
  forgotTitle: 'Set a new password',
  forgotText: 'Enter the email of your account, and we will send you a link to set a new password.',
  sendLink: 'Send the link',
  linkSent: 'Check your email',
  linkSentText: (email: string) =>
    `If there is an account with ${email}, a link is on its way. It works once, for one hour.`,
  resetText: (email: string) => `A new password for ${email}. You will be signed out everywhere else.`,
  setPassword: 'Set password',
  resetGone: 'This link is no longer valid',
  resetGoneText: 'It was already used or is more than an hour old.',
  newLink: 'Ask for a new link',
}
