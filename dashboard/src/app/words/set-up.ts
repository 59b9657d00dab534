import { inLanguage } from '../../languages/in-language.ts'

export const setUpWords = inLanguage('setUpWords', {
  tryFirst: 'Try it with a test key',
  tryFirstDetail: 'A whole purchase with play money, in a few minutes.',
  title: 'First steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  next: 'Next',
  waits: 'Waits',
  later: 'Later',
  dismiss: 'Hide these steps',
  question: 'How do you sell?',
  questionHint: 'You can change it at any time, and do both.',
  ways: { hand: 'I sell by hand', program: 'My program sells' },
  stepsFor: { hand: 'Steps for selling by hand', program: 'Steps for a program' },
  steps: {
    email: { title: 'Confirm your e-mail', detail: 'Open the link in the e-mail.', href: '/' },
    phone: { title: 'Confirm your phone number', detail: 'A code comes by text.', href: '/profile/phone' },
    two_factor: {
      title: 'Switch on the second factor',
      detail: 'A thief with your password cannot come in without your phone.',
      href: '/profile/second-factor',
    },
    role: {
      title: 'Become an agent or dealer',
      detail: 'They buy cheaper. We give your account its role: ask us for it.',
      href: '/developer',
    },
    policy: { title: 'Accept the developer policy', detail: 'The rules for everybody with a key.', href: '/developer/policy' },
    key: { title: 'Make a key', detail: 'With it your program buys.', href: '/developer' },
    approval: { title: 'The key is approved', detail: 'We look at it, and tell you by e-mail.', href: '/developer' },
    top_up: { title: 'Top up your wallet', detail: 'Every order is paid from it.', href: '/top-up' },
    order: { title: 'Make your first sale', detail: 'Write the number, choose a bundle, and pay.', href: '/buy' },
  },
})
