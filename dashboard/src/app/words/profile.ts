export const profileWords = {
  title: 'Profile',
  roles: { owner: 'Owner', buyer: 'Buyer', viewer: 'Viewer' },
  roleOf: (role: string, account: string) => `${role} of ${account}`,
  security: 'How you sign in',
  passwordDetail: 'Change it here',
  off: 'Off: switch it on',
  sessionsDetail: 'Where you are signed in',
  look: 'How it looks',
} as const
