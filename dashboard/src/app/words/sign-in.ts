import { inLanguage } from '../../languages/in-language.ts'

export const entryWords = inLanguage('entryWords', {
  registerTitle: 'Open an account',
  registerLead: 'Sell data, airtime, bills and more with your own wallet. It costs nothing to open.',
  register: 'Open the account',
  haveAccount: 'I have an account',
  mailTitle: 'Check your e-mail',
  mailSent: (email: string) => `We sent a mail to ${email}. Open its link on this phone or computer: it works for one day.`,
  mailNext: 'Then type the password that you have just chosen, and you are in.',
  noMail: 'Nothing after five minutes? Check the spam folder, or type the e-mail again.',
  again: 'Change the e-mail or send it again',
  keptMails: 'This demo keeps its mails here',
  verifyTitle: 'Confirm your e-mail',
  verifyLead: 'Type the password that you chose when you opened the account.',
  verify: 'Confirm and enter',
  verifyFailed: 'Open the account again with the same e-mail, and a new link comes:',
  joinTitle: 'Join a team',
  joinLead:
    'Somebody invited you to work with their account. If you have a password here, type it. If not, choose one with at least 10 characters.',
  joinTeam: (team: string) => `Join ${team}`,
  joinAs: (role: string, password: string) => `You join as ${role}. ${password}`,
  yourPassword: 'Type your password.',
  newPassword: 'Choose a password.',
  join: 'Join',
  joinMissing: 'Open the link in the e-mail of your invitation again.',
  notMemberTitle: 'You are in no team here',
  notMember:
    'Your e-mail and password are right, but you are in no team any more. Ask an owner to invite you again, or sign in with another e-mail.',
  toDesk: 'Operator’s staff work at the desk',
})
