import { inLanguage } from '../languages/in-language.ts'

/** Words of figures and statements, which the sign-in does not load. */
export const countedWords = inLanguage('countedWords', {
  notCountedWithin: 'not counted yet',
  since: (day: string) => `since ${day}`,
  nothingCounted: 'These days are being counted now. The figures come by themselves.',
  countedSince: (day: string) =>
    `Counted since ${day}. The days before are being counted now, and their figures come by themselves.`,
  pdfPart: (part: number, parts: number) => `PDF ${part} of ${parts}`,
  pdfParts: 'A long month comes in several PDFs. Each takes a few seconds to make, then your browser saves it.',
})
