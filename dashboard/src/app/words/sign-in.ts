/** The words for who is not signed in. */
export const entryWords = {
  registerTitle: 'Open an account',
  registerLead: 'Sell data, airtime, bills and more with your own wallet. It costs nothing to open.',
  register: 'Open the account',
  haveAccount: 'I have an account',
  mailTitle: 'Look into your mail',
  mailSent: (email: string) => `We sent a mail to ${email}. Open its link on this phone or computer: it works for one day.`,
  mailNext: 'Then give the password that you have just chosen, and you are in.',
  noMail: 'Nothing after five minutes? Look into the spam folder, or write the e-mail once more.',
  again: 'Change the e-mail or send it again',
  keptMails: 'This demo keeps its mails here',
  verifyTitle: 'Confirm your e-mail',
  verifyLead: 'Give the password that you chose when you opened the account.',
  verify: 'Confirm and enter',
  verifyFailed: 'Open the account once more with the same e-mail, and a new link comes:',
  joinTitle: 'Join a team',
  joinLead:
    'Somebody invited you to act for their account. If you have a sign-in here, give its password. If not, choose one with at least 10 characters.',
  join: 'Join',
  joinMissing: 'Open the link once more from the mail of your invitation.',
  notMemberTitle: 'You act for no account here',
  notMember:
    'Your sign-in is right, but it is in nobody’s team any more. Ask an owner to invite you again, or sign in with another e-mail.',
  toDesk: 'Operator’s staff work at the desk',
} as const
