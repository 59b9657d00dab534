import { sessionWords } from './session-words.ts'

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Opera Mini/, 'Opera Mini'],
  [/OPR\/|Opera/, 'Opera'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/UCBrowser\//, 'UC Browser'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/CrOS/, 'Chromebook'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS/, 'Mac'],
  [/Linux/, 'Linux'],
]

const firstIn = (list: typeof browsers, text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/** Names a device by its browser's user agent: `Chrome on Android`; undefined when the user agent names neither. */
export function describeDevice(userAgent: string | null): string | undefined {
  const browser = firstIn(browsers, userAgent ?? '')
  const system = firstIn(systems, userAgent ?? '')
  if (browser && system) return sessionWords.onSystem(browser, system)
  return browser ?? system
}
