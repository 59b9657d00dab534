import { type Refusal, type Refusals, refuse } from '../../platform/http/refusals.ts'

export const problemRefusals = {
  problemNotFound: refuse(404, 'problem_not_found', 'There is no such problem.'),
  problemEnded: refuse(409, 'problem_ended', 'This problem was answered or closed already.'),
  tooManyProblems: (retryAfterSeconds: number): Refusal => ({
    ...refuse(
      429,
      'too_many_problems',
      'Your account has reported many problems within an hour. We read them; call us if you cannot wait.',
    ),
    retryAfterSeconds,
  }),
} as const satisfies Refusals
