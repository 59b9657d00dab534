export const businessWords = {
  why: 'Sending SMS takes an approved business. The operator checks the registration and decides.',
  name: 'Business name',
  nameHint: 'As it is registered.',
  registrationHint: 'Of the Office of the Registrar of Companies, such as BN123456789.',
  purposeHint: 'To whom you will send, and what about.',
  ask: 'Ask for the approval',
  askAgain: 'Ask again',
  states: { none: 'Not asked yet', waiting: 'Waits', approved: 'Approved', declined: 'Declined' },
  acts: {
    none: 'Fill in the form below.',
    waiting: 'The operator must decide. A mail tells you.',
    approved: 'You may make an SMS key and send.',
    declined: 'Correct what the reason names, then ask again.',
  },
  reason: 'The operator’s reason',
  toKey: 'Go to the SMS key',
  ownerOnly: 'Only the owner of the account can ask.',
} as const
