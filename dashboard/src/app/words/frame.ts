import { inLanguage } from '../../languages/in-language.ts'

/** The sign-in loads these words. They use none of `fieldWords`, so that it need not load those. */
export const frameWords = inLanguage('frameWords', {
  more: 'More',
  notices: 'Notices',
  orders: 'Orders',
  requestLog: 'Request log',
  sms: 'SMS',
  topUp: 'Top up',
  wallet: 'Wallet',
  name: 'Makola',
  navigation: 'Screens',
  groups: { shop: 'Your shop', money: 'Money', account: 'Your account', programs: 'For programs' },
  home: 'Home',
  buy: 'Buy',
  customers: 'Customers',
  prices: 'Prices and profit',
  developer: 'Developer API',
  business: 'Business approval',
  team: 'Team',
  profile: 'Profile',
  help: 'Help',
  suspended: 'This account is suspended. You can look, but not buy or change anything. Ask us why.',
  viewer: 'You can look here, not buy. Ask the owner of the account if you need more.',
})
