export const profileWords = {
  roleOf: (role: string, account: string) => `${role} of ${account}`,
  security: 'How you sign in',
  passwordDetail: 'Change it here',
  off: 'Off: switch it on',
  sessionsDetail: 'Where you are signed in',
} as const
