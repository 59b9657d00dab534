import { inLanguage } from '../../languages/in-language.ts'

export const mailWords = inLanguage('mailWords', {
  title: 'Mails of this demo',
  lead: 'This installation works with simulated suppliers and has no mail server, so its mails are kept here, newest first.',
  none: 'No mail yet',
  noneNext: 'A mail comes when somebody opens an account, forgets a password or is invited. It takes a few seconds.',
  to: 'to',
  notKept: 'This installation sends its mails',
  notKeptNext: 'Look at your own e-mail.',
})
