export const account = {
  signIn: 'Sign in',
  signInTo: 'Sign in to Parley',
  email: 'Email',
  password: 'Password',
  showPassword: 'Show the password',
  forgot: 'Forgot your password?',
  wrong: 'Email or password is wrong.',
  suspended: 'This account may not sign in.',
  tooMany: 'Too many attempts. Wait a minute and try again.',
  noConnection: 'The server cannot be reached. Check your connection.',
  emptyEmail: 'Write your email.',
  emptyPassword: 'Write your password.',
}
