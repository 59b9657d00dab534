import { inLanguage } from '../../languages/in-language.ts'

export const teamWords = inLanguage('teamWords', {
  members: 'Members',
  withFactor: 'Second factor on',
  withoutFactor: 'No second factor',
  invitedUntil: 'can join until',
  roleMeans: {
    owner: 'everything: keys, money, team',
    buyer: 'buys, sends SMS, tops up',
    viewer: 'looks at everything, changes nothing',
  },
  changeNamed: (name: string) => `Change ${name}`,
  saveRole: 'Save the role',
  boughtToday: (bought: string, orders: number) =>
    orders === 0 ? 'Nothing bought today' : `${bought} today in ${orders} ${orders === 1 ? 'order' : 'orders'}`,
  left: (left: string, limit: string) => `${left} of ${limit} left`,
  perDay: 'May spend in GHS a day',
  perDayHelp: 'Leave it empty for no limit. It counts everything that this person buys here.',
  saveLimit: 'Save the limit',
  ordersOf: 'See their orders',
  remove: 'Remove from the team',
  removeWarning: 'Their sessions end at once. Orders and money stay as they are.',
  removeConfirm: 'Remove now',
  inviteLead: 'They get an e-mail with a link. When they open it, they are in your team.',
  invitationSent: (email: string) => `The invitation to ${email} is on its way. It works for three days.`,
  withdrawNamed: (email: string) => `Withdraw the invitation of ${email}`,
  alone: 'You are alone in your team',
  aloneNext: 'Invite whoever sells with you: give the role that fits, and never share a password.',
})
