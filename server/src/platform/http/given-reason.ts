import Type from 'typebox'
import { plainTextPattern } from './document/patterns-in-words.ts'

export const GivenReason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: plainTextPattern,
  description: 'Why, in your own words. The operator’s log keeps it.',
})

export const ReasonBody = Type.Object({ reason: GivenReason })
