import { inLanguage } from '../../languages/in-language.ts'

export const profileWords = inLanguage('profileWords', {
  roleOf: (role: string, account: string) => `${role} of ${account}`,
  security: 'How you sign in',
  passwordDetail: 'Change it here',
  phoneDetail: 'For a new password without your mail',
  off: 'Off: switch it on',
  sessionsDetail: 'Where you are signed in',
  lostLabel: 'Your second factor',
  lostTitle: (when: string) => `Somebody said ${when} that you lost your second factor`,
  lostMeans: 'If it was not you, stop it. That person may know your password, so you then choose a new one.',
  lostStop: 'It was not me: stop it',
  lostNotStopped: 'It was not stopped. Try again.',
  language: 'Language',
  drafts: 'French and Twi are drafts.',
  readsWrong: 'Tell us what reads wrong',
})
