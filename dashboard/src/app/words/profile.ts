export const profileWords = {
  title: 'Profile',
  roles: { owner: 'Owner', buyer: 'Buyer', viewer: 'Viewer' },
  roleOf: (role: string, account: string) => `${role} of ${account}`,
  security: 'How you sign in',
  password: 'Password',
  passwordDetail: 'Change it here',
  secondFactor: 'Second factor',
  on: 'On',
  off: 'Off: switch it on',
  sessions: 'Sessions',
  sessionsDetail: 'Where you are signed in',
  look: 'How it looks',
} as const
