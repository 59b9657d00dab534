import { inLanguage } from '../../languages/in-language.ts'

export const findWords = inLanguage('findWords', {
  title: 'Find',
  keys: 'Ctrl K',
  label: 'What do you look for?',
  results: 'What was found',
  recent: 'Lately',
  screens: 'Screens',
  commands: 'Commands',
  found: 'Found',
  nothing: 'Nothing has this text.',
  more: (things: string) => `There are more ${things}: type more of it.`,
  help: 'Arrows choose, Enter opens, Escape closes.',
})
