import { inLanguage } from '../languages/in-language.ts'
import { exactMoment } from './moments/format-moment.ts'
import { showAmounts } from './money/format-ghs.ts'

/** Words for codes in texts of the server. Other codes stay as they are, because a reseller's reference may look like a code. */
export const codeWords: Readonly<Record<string, string>> = inLanguage('codeWords', {
  ghana_water: 'Ghana Water',
  no_definitive_answer: 'no word from the supplier',
  cannot_ask: 'the supplier cannot be asked',
  route_missing: 'no route',
  supplier_missing: 'no such supplier',
  not_offered: 'nobody offers it',
  request_rejected: 'suppliers refuse what we ask for',
  not_registered: 'the number is not registered',
  platform_rejected: 'the supplier refuses us',
  supplier_unreachable: 'the supplier cannot be reached',
  route_paused: 'the route is paused',
})

/** A text of the server for people: amounts and moments as everywhere on the screens, and words in place of codes. */
export const inWords = (text: string): string =>
  showAmounts(text)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z/g, (moment) => exactMoment(moment))
    .replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => codeWords[word] ?? word)

/** A value that may be a code as a whole, such as a state: `ours_only` is `ours only`. */
export const valueInWords = (value: string): string =>
  /^[a-z]+(?:_[a-z0-9]+)+$/.test(value) ? (codeWords[value] ?? value.replaceAll('_', ' ')) : inWords(value)
