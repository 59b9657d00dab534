import { inLanguage } from '../../languages/in-language.ts'

export const sessionWords = inLanguage('sessionWords', {
  lead: 'Where you are signed in. End what you do not recognise, then change your password.',
  thisOne: 'This one',
  onSystem: (browser: string, system: string) => `${browser} on ${system}`,
  unknownDevice: 'Unknown device',
  from: 'from',
  lastUsed: 'used',
  end: 'End',
  endNamed: (device: string) => `End the session of ${device}`,
  endOthers: 'End all others',
  ended: (count: number) => (count === 1 ? '1 session has ended.' : `${count} sessions have ended.`),
})
