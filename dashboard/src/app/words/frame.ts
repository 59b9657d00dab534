/** The words around the screens. */
export const frameWords = {
  name: 'Makola',
  navigation: 'Screens',
  home: 'Home',
  buy: 'Buy',
  orders: 'Orders',
  wallet: 'Wallet',
  notices: 'Notices',
  sms: 'SMS',
  topUp: 'Top up',
  more: 'More',
  team: 'Team',
  profile: 'Profile',
  signOut: 'Sign out',
  suspended: 'This account is suspended. You can look, and change nothing. Ask the operator why.',
  viewer: 'You can look here, not buy. Ask the owner of the account if you need more.',
} as const
