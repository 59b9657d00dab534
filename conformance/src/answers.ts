import type { Shape } from './shapes.ts'

/** The implementation does not do what the sentence says. */
export class Broken extends Error {}

/** The sentence was not tried, because something is missing or would cost too much. */
export class Untried extends Error {}

export type Answer = {
  readonly request: string
  readonly status: number
  readonly headers: Headers
  // Bodies have many shapes, and each check tests the part that it is about.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Broken(otherwise)
}

/** @returns the `data` of the answer, which must have this shape */
// oxlint-disable-next-line typescript/no-explicit-any
export function dataOf(answer: Answer, shape?: Shape): any {
  mustAnswer(answer, 200)
  const problem = shape?.(answer.body?.data, 'data')
  if (problem !== undefined) throw new Broken(`${answer.request}: ${problem}`)
  return answer.body?.data
}

/** An answer must have this status; a refusal also the envelope of errors, with the status in it. */
export function mustAnswer({ request, status, body }: Answer, ...statuses: readonly number[]): void {
  const says = typeof body?.error?.message === 'string' ? ` "${body.error.message}"` : ''
  must(statuses.includes(status), `${request} should answer ${statuses.join(' or ')}, and answered ${status}${says}`)
  if (status < 400) return
  must(body?.success === false, `${request}: success of a refusal should be false`)
  must(body?.error?.code === status, `${request}: error.code should be ${status}, and is ${body?.error?.code}`)
  must(typeof body?.error?.message === 'string', `${request}: error.message should be a text`)
}

export function mustEqual(what: string, found: unknown, wanted: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)]
  must(left === right, `${what} should be ${right}, and is ${left}`)
}
