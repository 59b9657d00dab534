import { type Refusals, refuse } from '../../platform/http/refusals.ts'

export const afaRefusals = {
  applicantTooYoung: refuse(400, 'applicant_too_young', 'The applicant must be 18 or older, by date_of_birth.'),
} as const satisfies Refusals
