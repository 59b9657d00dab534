import { inLanguage } from '../../languages/in-language.ts'

export const viewWords = inLanguage('viewWords', {
  label: 'You see the app as a reseller',
  seeing: (account: string) => `You see ${account} as its reseller sees it`,
  readOnly: 'Reading only: nothing can be bought or changed.',
  minutesLeft: (minutes: number) => (minutes === 1 ? '1 minute left.' : `${minutes} minutes left.`),
  end: 'End and go back to the desk',
  notEnded: 'It did not end: try again. It ends by itself when its time is over.',
})
