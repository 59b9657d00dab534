import { inLanguage } from '../../languages/in-language.ts'

/** Other words under which people look for a screen. */
const otherNames: Readonly<Record<string, string>> = {
  '/': 'overview balance start',
  '/buy': 'data airtime bills vouchers sell',
  '/orders': 'sales history',
  '/sms': 'campaigns texts messages',
  '/customers': 'contacts people',
  '/prices': 'margin price list earn',
  '/wallet': 'balance statement ledger',
  '/top-up': 'deposit momo pay in money',
  '/team': 'members invite people',
  '/notices': 'mail alerts',
  '/profile': 'password second factor sessions colours',
  '/help': 'support problem operator',
  '/developer': 'key program',
  '/requests': 'log calls errors',
}

export const appFindWords = inLanguage('appFindWords', {
  button: 'Find',
  hint: 'Find a screen, a number, a reference, a customer…',
  /**
   * Titles of screens that are not in the rail. They are copies: the build puts words that two screens import into a separate
   * file, which a phone would load with either screen. A test of the search compares them with the screens.
   */
  titles: {
    data: 'Buy data',
    airtime: 'Buy airtime',
    bills: 'Pay a bill',
    vouchers: 'Buy vouchers',
    afa: 'Register for AFA',
    newMessage: 'New message',
    contacts: 'Contacts',
    senders: 'Sender IDs',
    credits: 'Buy SMS credits',
    shop: 'Your shop',
    webhooks: 'Webhooks',
    phone: 'Phone number',
    testKeys: 'Test keys',
  },
  otherNames,
})
