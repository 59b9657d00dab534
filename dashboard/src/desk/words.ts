/** The words of the desk. */
export const deskWords = {
  name: 'Makola Desk',
  forgot: 'I forgot my password',
  toSignIn: 'Go to the sign-in',
  newLink: 'Ask for a new link',
  signOut: 'Sign out',
  roles: { owner: 'Owner', finance: 'Finance', support: 'Support', catalogue: 'Catalogue', auditor: 'Auditor' },
  password: 'Password',
  look: 'How it looks',
  notStaffTitle: 'You are not one of the staff',
  notStaff: 'Your sign-in is right, but the desk is for the operator’s staff. Ask an owner of the desk to let you in.',
  toApp: 'Resellers work in the app',
} as const
