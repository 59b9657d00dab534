import { inLanguage } from '../../languages/in-language.ts'

export const phoneWords = inLanguage('phoneWords', {
  title: 'Phone number',
  field: 'Phone number',
  optional: 'Phone number (you may leave it out)',
  optionalHelp: 'With it you get a new password when you cannot open your mail. You confirm it after the sign-in.',
  lead: 'With it you get a new password when you cannot open your mail, and a text when somebody says that you lost your second factor.',
  safer:
    'Whoever has this phone and knows your e-mail can then choose a new password. With a second factor they still do not get in.',
  notOffered: 'We send no texts here, so your e-mail is the way to a new password.',
  confirmed: 'Confirmed',
  change: 'Another number',
  send: 'Text me a code',
  sent: (number: string) => `We sent a text to ${number}. Its code works for ten minutes.`,
  code: 'Code of the text',
  confirm: 'Confirm',
  again: 'No text? Check the number and ask again',
  remove: 'Take it away',
  removeQuestion: 'Take your phone number away?',
  removeMeans: 'Then your e-mail alone is the way to a new password.',
  recoverLink: 'I cannot open my mail: use my phone',
  recoverTitle: 'New password by phone',
  recoverLead: 'Type your e-mail, and the number that you confirmed in your profile. We text you a code.',
  recoverSent: (number: string) =>
    `If ${number} is the confirmed number of this e-mail, a code is on its way. It works for ten minutes.`,
})
