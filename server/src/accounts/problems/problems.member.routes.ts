import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { plainTextPattern } from '../../platform/http/document/patterns-in-words.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { readHelp } from './help.settings.ts'
import { listProblemsOfAccount, problemStates } from './problem.ts'
import { createProblemReporter } from './report-problem.ts'

/** An account's members see this many of its newest problems. */
const problemsShown = 30

const Number = (description: string) => Nullable(Type.String({ description }))

const Help = Type.Object(
  {
    whatsapp: Number('Its WhatsApp, with the country: +233241234567. Null: none.'),
    phone: Number('The number to call, in the same form. Null: none.'),
    hours: Nullable(Type.String({ description: 'When somebody answers, in words.' })),
  },
  { title: 'Help' },
)

const Problem = Type.Object(
  {
    problemId: Uuid(),
    text: Type.String(),
    orderReference: Nullable(Type.String()),
    topUpReference: Nullable(Type.String()),
    requestId: Nullable(Type.String()),
    reportedBy: Type.String(),
    reportedAt: Timestamp(),
    state: OneOf(problemStates),
    answer: Nullable(Type.String({ description: 'The operator’s answer.' })),
    endedAt: Nullable(Timestamp()),
  },
  { title: 'Problem' },
)

const reference = (description: string) => Type.Optional(Type.String({ pattern: plainTextPattern, maxLength: 100, description }))

const ProblemBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 1_000, pattern: '\\S', description: 'What is wrong.' }),
  orderReference: reference('The order that it is about.'),
  topUpReference: reference('The top-up that it is about.'),
  requestId: reference('The id of the answer that went wrong: its header `X-Request-Id`.'),
})

type Deps = { readonly db: Db; readonly settings: Settings }

export function registerProblemMemberRoutes(app: Api, { db, settings }: Deps): void {
  const report = createProblemReporter(db)
  app.get(
    '/help',
    {
      config: { permission: 'anyone' },
      schema: {
        operationId: 'readHelp',
        tags: ['Help'],
        summary: 'Where the operator is found',
        description: 'Without a session too, for those who cannot sign in.',
        response: { 200: Envelope(Help) },
      },
    },
    async () => ok(await readHelp(settings)),
  )
  app.get(
    '/problems',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listProblems',
        tags: ['Help'],
        summary: 'The newest problems that the account reported, and their answers',
        response: { 200: Envelope(Type.Object({ problems: Type.Array(Problem) }, { title: 'ProblemList' })) },
      },
    },
    async ({ membership }) => ok({ problems: await listProblemsOfAccount(db, membership.accountId, problemsShown) }),
  )
  app.post(
    '/problems',
    {
      config: { permission: 'report_problems', refusals: [429] },
      schema: {
        operationId: 'reportProblem',
        tags: ['Help'],
        summary: 'Report a problem to the operator',
        description: 'While it waits, a repeat of the same words about the same order changes nothing.',
        body: ProblemBody,
        response: { 200: Envelope(Problem) },
      },
    },
    async ({ membership: { accountId }, person, body: { text, orderReference, topUpReference, requestId } }) =>
      ok(await report({ accountId, text, orderReference, topUpReference, requestId, actor: person.email })),
  )
}
