export const frameWords = {
  name: 'Makola',
  navigation: 'Screens',
  home: 'Home',
  buy: 'Buy',
  developer: 'Developer API',
  business: 'Business approval',
  team: 'Team',
  profile: 'Profile',
  signOut: 'Sign out',
  suspended: 'This account is suspended. You can look, and change nothing. Ask the operator why.',
  viewer: 'You can look here, not buy. Ask the owner of the account if you need more.',
} as const
