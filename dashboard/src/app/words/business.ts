import { inLanguage } from '../../languages/in-language.ts'

export const businessWords = inLanguage('businessWords', {
  why: 'To send SMS, your business must be approved. We check the registration and decide.',
  name: 'Business name',
  nameHint: 'As it is registered.',
  registrationHint: 'From the Office of the Registrar of Companies, such as BN123456789.',
  purposeHint: 'Who you will send to, and what about.',
  ask: 'Ask for the approval',
  askAgain: 'Ask again',
  states: { none: 'Not asked yet', waiting: 'Waits', approved: 'Approved', declined: 'Declined' },
  acts: {
    none: 'Fill in the form below.',
    waiting: 'We check it. We tell you by e-mail.',
    approved: 'You may make an SMS key and send.',
    declined: 'Correct what the reason says, then ask again.',
  },
  reason: 'Our reason',
  toKey: 'Go to the SMS key',
  ownerOnly: 'Only the owner of the account can ask.',
})
