import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { GivenReason, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { NeededAtDesk, Timestamp, WithHelp } from '../../platform/operations/fields.ts'
import { type Actor, type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { pageOf } from '../../platform/page-of.ts'
import { printable } from '../../platform/texts-for-people.ts'
import { endProblem } from './end-problem.ts'
import { findProblem, listProblems, type Problem, problemRefusals, problemStates } from './problem.ts'

const DeskProblem = Type.Object(
  {
    problemId: Uuid(),
    accountId: Uuid(),
    accountName: Type.String(),
    email: Type.String({ description: 'The account’s.' }),
    text: Type.String(),
    orderReference: Nullable(Type.String()),
    topUpReference: Nullable(Type.String()),
    requestId: Nullable(Type.String({ description: 'As the log of the processes has it.' })),
    reportedBy: Type.String(),
    reportedAt: Timestamp(),
    state: OneOf(problemStates),
    answer: Nullable(Type.String({ description: 'Null: it waits, or was closed without an answer.' })),
    endedBy: Nullable(Type.String()),
    endedAt: Nullable(Timestamp()),
  },
  { title: 'DeskProblem' },
)

const problemId = Uuid({ description: 'As the list gives it.' })

async function readProblem(db: Db, id: string): Promise<Problem> {
  const problem = await findProblem(db, id)
  if (!problem) throw new RefusalError(problemRefusals.problemNotFound)
  return problem
}

function describeProblem({ problemId: id, email, reportedAt, text, orderReference, topUpReference }: Problem): string {
  const about = orderReference ?? topUpReference
  return printable(`${id}  ${reportedAt.toISOString()}  ${email}${about === null ? '' : `  about ${about}`}  ${text}`)
}

const ending = {
  tag: 'Problems',
  permission: 'manage_accounts',
  refusals: [404, 409],
  output: DeskProblem,
  about: async ({ db }: OperationDeps, _actor: Actor, problem: { readonly problemId: string }) =>
    (await readProblem(db, problem.problemId)).accountId,
  printed: Type.Pick(DeskProblem, ['problemId', 'state']),
} as const

export const problemOperations = [
  operation({
    command: 'problem list',
    summary: 'List the problems that resellers reported and that wait for an answer, the longest waiting first',
    input: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 50, description: 'how many at most, up to 1000' }),
    }),
    output: Type.Array(DeskProblem),
    act: ({ db }, _actor, { limit }) => listProblems(db, { limit }),
    text: (problems) => problems.map(describeProblem).join('\n') || 'No problem waits for an answer.',
  }),
  operation({
    route: 'GET /problems',
    operationId: 'deskListProblems',
    tag: 'Problems',
    permission: 'see',
    summary: 'Problems that resellers reported, the longest waiting first; the ended ones, newest end first',
    input: Type.Object({
      state: OneOf(['waiting', 'ended'], { default: 'waiting' }),
      after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    }),
    output: Type.Object({ problems: Type.Array(DeskProblem), next: Nullable(Uuid()) }, { title: 'DeskProblemPage' }),
    async act({ db }, _actor, { state, after, limit }) {
      const list = (rows: number) => listProblems(db, { isEnded: state === 'ended', after, limit: rows })
      const { rows: problems, next } = await pageOf(limit, list, (problem) => problem.problemId)
      return { problems, next }
    },
  }),
  operation({
    command: 'problem show <problem-id>',
    route: 'GET /problems/:problem_id',
    operationId: 'deskReadProblem',
    tag: 'Problems',
    permission: 'see',
    refusals: [404],
    summary: 'Show one problem that a reseller reported',
    input: Type.Object({ problemId }),
    output: DeskProblem,
    act: ({ db }, _actor, asked) => readProblem(db, asked.problemId),
  }),
  operation({
    ...ending,
    command: 'problem answer <problem-id>',
    example: 'makola problem answer 0190a1b2-… --answer "Your transfer has arrived."',
    route: 'POST /problems/:problem_id/answer',
    operationId: 'deskAnswerProblem',
    summary: 'Answer a problem; the reseller gets a notice with the answer',
    input: Type.Object({
      problemId,
      answer: WithHelp(
        'for the reseller to read',
        Type.String({ minLength: 1, maxLength: 1_000, pattern: '\\S', description: 'For the reseller to read.' }),
      ),
    }),
    async act({ db }, { actor }, { answer, ...asked }) {
      await endProblem(db, asked.problemId, { answer: answer.trim(), actor })
      return readProblem(db, asked.problemId)
    },
    text: () => 'Answered. The reseller gets the answer.',
  }),
  operation({
    ...ending,
    command: 'problem close <problem-id>',
    route: 'POST /problems/:problem_id/close',
    operationId: 'deskCloseProblem',
    summary: 'Close a problem without an answer, such as one that was solved on the phone; the reseller gets no notice',
    input: Type.Object({ problemId, reason: NeededAtDesk(GivenReason) }),
    async act({ db }, { actor }, { reason, ...asked }) {
      await endProblem(db, asked.problemId, { reason, actor })
      return readProblem(db, asked.problemId)
    },
    text: () => 'Closed.',
  }),
]
