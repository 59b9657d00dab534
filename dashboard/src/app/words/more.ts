import { inLanguage } from '../../languages/in-language.ts'

/** A line about each screen under More, by its address. */
export const moreWords: Readonly<Record<string, string>> = inLanguage('moreWords', {
  '/customers': 'Names and numbers, to buy again',
  '/prices': 'What you ask, and what you earn',
  '/wallet': 'Balance, every entry, monthly statement',
  '/top-up': 'Pay in with mobile money, card or transfer',
  '/team': 'Who works with you, and what each may do',
  '/business': 'Ask to be approved as a business',
  '/notices': 'What we tell you by mail and SMS',
  '/profile': 'Password, second factor, colours',
  '/help': 'Talk to us, report a problem',
  '/developer': 'Keys with which your programs buy',
  '/requests': 'What your programs asked, and the answers',
})
