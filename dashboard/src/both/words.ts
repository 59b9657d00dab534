import { inLanguage } from '../languages/in-language.ts'

/** Texts for answers without a message, by their status. */
const statuses: Readonly<Record<number, string>> = {
  502: 'Makola is being restarted. Try again in a minute.',
  503: 'Makola is being updated, or has too much to do. Try again in a minute.',
  504: 'Makola did not answer in time. Try again in a minute.',
}

export const sharedWords = inLanguage('sharedWords', {
  isLoading: 'Loading',
  noAnswer: {
    offline: { title: 'You are offline', next: 'Try again when you have a connection.' },
    late: { title: 'No answer yet', next: 'The answer takes longer than it should. Try again.' },
    unreached: { title: 'Makola cannot be reached', next: 'No answer came. Check your connection, then try again.' },
    unknown: { title: 'Not known yet', next: 'Makola does not know yet how it ended. Ask again in a minute.' },
  },
  statuses,
  noReason: 'The server could not do that. Try again.',
  refused: 'That did not work',
  notAllRead: 'Something on this screen could not be read, so it is missing or old',
  tryAgain: 'Try again',
  waitMinutes: (minutes: number) => `Try again in ${minutes} min.`,
  skipToContent: 'Go to the content',
  offline: 'You are offline. What you see may be old, and nothing is sent until you are back.',
  notFound: 'There is no such page',
  notFoundNext: 'The address may be mistyped, or the page has moved.',
  toFirstScreen: 'Go to the first screen',
  notLoaded: 'This screen did not load',
  screenBroke: 'Something is wrong on our side. Load it again; your money and your orders are safe.',
  cancel: 'Cancel',
  close: 'Close',
  back: 'Back',
  incidents: 'What we tell everybody',
  incidentLevels: { news: 'News:', trouble: 'Trouble:', outage: 'Outage:' },
  notCounted: 'Not counted yet',
})
