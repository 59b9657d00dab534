/** The words of signing in, the same in both apps. */
export const signInWords = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  code: 'Code',
  codeTitle: 'Second factor',
  codeHelp: 'The six digits that your authenticator app shows now.',
  goOn: 'Go on',
  sessionEnded: 'Your session has ended. Sign in again to go on.',
  confirmTitle: 'Is it you?',
  confirmWithPassword: 'Give your password once more. It counts for ten minutes.',
  confirmWithCode: 'Give a code of your authenticator app. It counts for ten minutes.',
} as const
