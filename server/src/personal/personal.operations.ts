import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { GivenReason, Nullable, OneOf, Uuid } from '../platform/http/schemas.ts'
import { Timestamp } from '../platform/operations/fields.ts'
import { type OperationDeps, operation } from '../platform/operations/operation.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { printable } from '../platform/texts-for-people.ts'
import { carryOutErasures, proposeErasure } from './erasures.ts'
import { findPersonalData, maskNumber, readPersonNumber } from './find-personal-data.ts'

const numberLengthMin = 4

const number = Type.String({
  minLength: numberLengthMin,
  maxLength: 254,
  description: 'A phone number in any way of writing it, a meter, a smartcard or an e-mail address.',
})
/** A shorter text is a part of other people's data too, and an empty one of everybody's. */
const refuseShort = ({ number: typed }: { readonly number: string }) =>
  typed.trim().length < numberLengthMin
    ? `number must have at least ${numberLengthMin} characters besides the blanks around it.`
    : undefined
const Masked = Type.String({ description: 'The number with its middle hidden.' })

const KeptRows = Type.Object(
  {
    title: Type.String(),
    count: Type.Integer(),
    because: Type.String(),
    rows: Type.Array(Type.String(), { description: 'References or ids, 50 at most.' }),
  },
  { title: 'KeptRows' },
)

const Erasure = Type.Object(
  {
    approvalId: Uuid(),
    masked: Masked,
    state: OneOf(['waiting', 'under_way', 'done', 'refused', 'expired']),
    askedAt: Timestamp(),
    doneAt: Nullable(Timestamp()),
    erased: Type.Array(Type.Object({ title: Type.String(), count: Type.Integer() }, { title: 'ErasedRows' })),
    kept: Type.Array(KeptRows),
  },
  { title: 'Erasure' },
)
type Erasure = Static<typeof Erasure>

const ofPersonalData = { tag: 'Personal data', permission: 'manage_personal_data' } as const
const longWork = 'It looks through every table in which a number may be, some of which have no index for it.'

async function withKeys({ db, openSecrets }: OperationDeps) {
  return { db, secretsKeys: await openSecrets() }
}

const erasuresShown = 100

type Row = Omit<Erasure, 'erased'> & { readonly erased: Record<string, number> }

async function listErasures({ db }: OperationDeps, approvalId: string | null = null): Promise<Erasure[]> {
  const { rows } = await sql<Row>`
    select approval_id as "approvalId", masked, asked_at as "askedAt", done_at as "doneAt", erased, kept,
      case when done_at is not null then 'done' when state = 'pending' then 'waiting' when state = 'done' then 'under_way' else state end as state
    from erasures join approvals on approvals.id = approval_id
    where ${approvalId}::uuid is null or approval_id = ${approvalId}
    order by approval_id desc limit ${erasuresShown}`.execute(db)
  return rows.map((row) => ({
    ...row,
    erased: Object.entries(row.erased).map(([title, count]) => ({ title, count })),
  }))
}

function describeErasure({ approvalId, masked, state, erased, kept }: Erasure): string {
  return [
    `${masked}  ${state.replace('_', ' ')}  (${approvalId})`,
    ...erased.map(({ title, count }) => `  erased: ${title}: ${count}`),
    ...kept.map(({ title, count, because, rows }) => `  kept: ${title}: ${count} (${because}): ${rows.join(', ')}`),
  ].join('\n')
}

export const personalOperations = [
  operation({
    ...ofPersonalData,
    command: 'personal export <number>',
    example: 'makola personal export "024 123 4567" --reason "the person asked, letter of 3 May" --json > data.json',
    route: 'POST /personal-data/export',
    operationId: 'deskExportPersonalData',
    summary: 'Every row in which a person’s number occurs',
    description: 'For a person who asks what is kept about them. The operator’s log has the masked number and the reason.',
    longWork,
    isConfirmationNeeded: true,
    by: 'optional',
    input: Type.Object({ number, reason: GivenReason }),
    check: refuseShort,
    output: Type.Object(
      {
        masked: Masked,
        exportedAt: Timestamp(),
        data: Type.Array(
          Type.Object(
            { table: Type.String(), title: Type.String(), rows: Type.Array(Type.Unknown()) },
            { title: 'PersonalRows' },
          ),
        ),
        text: Type.String({ description: 'The same for people to read.' }),
      },
      { title: 'PersonalData' },
    ),
    async act(deps, { actor }, { number: typed, reason }) {
      const wanted = readPersonNumber(typed)
      const masked = maskNumber(wanted)
      const found = await findPersonalData(await withKeys(deps), wanted)
      const data = found.map(({ source: { table, title }, rows }) => ({
        table,
        title,
        rows: JSON.parse(JSON.stringify(rows)) as object[],
      }))
      const counts = Object.fromEntries(data.map(({ title, rows }) => [title, rows.length]))
      await inTransaction(deps.db, (tx) =>
        appendOperatorLog(tx, { actor, action: 'personal export', subject: masked, details: { reason, rows: counts } }),
      )
      return { masked, exportedAt: new Date(), data, text: describeData(wanted, data) }
    },
    text: ({ text }) => text,
  }),
  operation({
    ...ofPersonalData,
    command: 'personal erase <number>',
    example: 'makola personal erase "024 123 4567" --reason "the person asked, letter of 3 May" --by ama',
    route: 'POST /personal-data/erase',
    operationId: 'deskErasePersonalData',
    summary: 'Erase what is kept about a person’s number, by two people',
    description:
      'The first person proposes it, a second one confirms. Then everything is erased at once that would be erased later; what is kept, and why, is a part of the answer. Whoever proposes at the desk what waits already gets `same_waits`.',
    longWork,
    isConfirmationNeeded: true,
    refusals: [409],
    by: 'required',
    input: Type.Object({ number, reason: GivenReason }),
    check: refuseShort,
    output: Type.Object(
      { approvalId: Uuid(), status: OneOf(['pending', 'done', 'same_waits']), erasure: Erasure },
      { title: 'ProposedErasure' },
    ),
    question: (_deps, { number: typed }) => Promise.resolve(`Erase everything about ${maskNumber(readPersonNumber(typed))}?`),
    async act(deps, { person }, { number: typed, reason }) {
      const personal = await withKeys(deps)
      const { approvalId, status } = await proposeErasure(personal, { number: readPersonNumber(typed), reason, person })
      if (status === 'done') await carryOutErasures(personal, approvalId)
      const [erasure] = await listErasures(deps, approvalId)
      if (!erasure) throw new Error(`the erasure ${approvalId} is not there`)
      return { approvalId, status, erasure }
    },
    text: ({ approvalId, status, erasure }) =>
      status === 'done'
        ? describeErasure(erasure)
        : `Proposed. A second person confirms it: makola approvals confirm ${approvalId} --by NAME`,
  }),
  operation({
    ...ofPersonalData,
    command: 'personal list',
    example: 'makola personal list',
    route: 'GET /personal-data/erasures',
    operationId: 'deskListErasures',
    summary: 'The last erasures: what was erased, and what was kept and why',
    input: Type.Object({}),
    output: Type.Object({ erasures: Type.Array(Erasure) }, { title: 'Erasures' }),
    act: async (deps) => ({ erasures: await listErasures(deps) }),
    text: ({ erasures }) => erasures.map(describeErasure).join('\n') || 'No erasure was asked for.',
  }),
]

function describeValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Describes the found data as lines of text, table by table, without empty values. */
function describeData(wanted: string, data: readonly { readonly title: string; readonly rows: readonly object[] }[]): string {
  if (data.length === 0) return `Nothing is kept about ${wanted}.`
  const tables = data.map(({ title, rows }) => {
    const each = rows.map((row) =>
      Object.entries(row)
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => `  ${name}: ${describeValue(value)}`)
        .join('\n'),
    )
    return [`${title} (${rows.length})`, ...each].join('\n\n')
  })
  return printable([`What is kept about ${wanted}`, ...tables].join('\n\n'))
}
