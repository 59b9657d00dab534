import { showDay } from './moments/format-moment.ts'

/** Words of figures and statements, which the sign-in does not load. */
export const countedWords = {
  notCountedWithin: 'not counted yet',
  since: (day: string) => `since ${showDay(day)}`,
  nothingCounted: 'These days are being counted now. The figures come by themselves.',
  countedSince: (day: string) =>
    `Counted since ${showDay(day)}. The days before are being counted now, and their figures come by themselves.`,
  pdfPart: (part: number, parts: number) => `PDF ${part} of ${parts}`,
  pdfParts: 'A long month comes in several PDFs. Each takes a few seconds to make, then your browser saves it.',
} as const
