import { inLanguage } from '../../languages/in-language.ts'

export const afaWords = inLanguage('afaWords', {
  fullName: 'Full name, as on the card',
  idNumber: 'Ghana Card number',
  idHint: 'GHA-123456789-0',
  birth: 'Date of birth',
  region: 'Region',
  chooseRegion: 'Choose the region',
  place: 'Town or place',
  notes: 'Notes (optional)',
  registerQuestion: 'Register for AFA?',
  afaFee: 'AFA registration',
  registered: 'The registration is sent',
  registeredHint: 'Our staff register it by hand. Follow it in Orders.',
  notRegistered: 'The registration did not reach us. This try charged nothing: send it again.',
  faults: {
    fullName: 'Write the full name.',
    idNumber: 'A Ghana Card number looks like GHA-123456789-0.',
    birth: 'The person must be 18 or older.',
    region: 'Choose the region.',
    place: 'Write the town or place.',
  },
})
