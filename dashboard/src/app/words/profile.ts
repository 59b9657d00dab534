import { inLanguage } from '../../languages/in-language.ts'

export const profileWords = inLanguage('profileWords', {
  roleOf: (role: string, account: string) => `${role} of ${account}`,
  security: 'How you sign in',
  passwordDetail: 'Change it here',
  off: 'Off: switch it on',
  sessionsDetail: 'Where you are signed in',
  language: 'Language',
  drafts: 'French and Twi are drafts.',
  readsWrong: 'Tell us what reads wrong',
})
