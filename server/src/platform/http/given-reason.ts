import Type from 'typebox'
import { plainTextPattern } from './document/patterns-in-words.ts'

/** Why a person of the operator does something; the operator's log keeps it. */
export const GivenReason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: plainTextPattern,
  description: 'Why, in your own words. The operator’s log keeps it.',
})

/** The body of an action that only needs a reason. */
export const ReasonBody = Type.Object({ reason: GivenReason })
