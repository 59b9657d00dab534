import Type, { type Static } from 'typebox'
import { ghs, pesewas, pesewasFromGhs } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { RefusalError, refuse } from '../platform/http/refusals.ts'
import { Uuid } from '../platform/http/schemas.ts'
import { operation } from '../platform/operations/operation.ts'
import { pageOf } from '../platform/page-of.ts'
import { readSetting } from '../platform/settings/settings.ts'
import { compareFloats, daysBetween, viewDayOfFloat } from './compare-floats.ts'
import { assignDifference, closeDifference } from './explain-difference.ts'
import { countOpenDifferences, type DifferenceQuery, listDifferences } from './list-differences.ts'
import {
  Difference,
  type DifferenceFilters,
  DifferenceList,
  DifferenceListQuery,
  FloatDays,
  FloatDaysQuery,
  OpenDifferenceSums,
  Text,
} from './reconciliation.schemas.ts'
import { floatDriftTolerance } from './reconciliation.settings.ts'

const differenceNotFound = refuse(404, 'difference_not_found', 'There is no such difference.')
const dayMilliseconds = 24 * 3_600_000

export function queryOf({ state, ...filters }: Static<typeof DifferenceFilters>): Omit<DifferenceQuery, 'limit'> {
  return { ...filters, isOpen: state === 'open', isClosed: state === 'closed' }
}

async function readOne(db: Db, id: string) {
  const [found] = await listDifferences(db, { id, limit: 1 })
  if (!found) throw new RefusalError(differenceNotFound)
  return found
}

const differenceId = Uuid()
const seeing = { tag: 'Reconciliation', permission: 'see' } as const
const explaining = { tag: 'Reconciliation', permission: 'reconcile', refusals: [404, 409], output: Difference } as const

/** The desk's operations on differences. The commands are not made from them: they share options with `reconcile` itself. */
export const differenceOperations = [
  operation({
    ...seeing,
    route: 'GET /reconcile/differences',
    operationId: 'deskListDifferences',
    summary: 'What statements and our books say differently, newest first',
    input: DifferenceListQuery,
    output: DifferenceList,
    async act({ db }, _actor, { after, limit, ...filters }) {
      const list = (rows: number) => listDifferences(db, { ...queryOf(filters), after, limit: rows })
      const { rows: differences, next } = await pageOf(limit, list, ({ id }) => id)
      return { differences, next }
    },
  }),
  operation({
    ...seeing,
    route: 'GET /reconcile/differences/:difference_id',
    operationId: 'deskReadDifference',
    refusals: [404],
    summary: 'One difference',
    input: Type.Object({ differenceId }),
    output: Difference,
    act: ({ db }, _actor, asked) => readOne(db, asked.differenceId),
  }),
  operation({
    ...explaining,
    route: 'POST /reconcile/differences/:difference_id/assign',
    operationId: 'deskAssignDifference',
    summary: 'Ask a person to find out about a difference',
    input: Type.Object({ differenceId, to: Text(100, 'Who finds out.') }, { additionalProperties: false }),
    async act({ db }, { actor: by }, { differenceId: id, to }) {
      await readOne(db, id)
      await inTransaction(db, (tx) => assignDifference(tx, { id, to, by }))
      return readOne(db, id)
    },
  }),
  operation({
    ...explaining,
    route: 'POST /reconcile/differences/:difference_id/close',
    operationId: 'deskCloseDifference',
    summary: 'Close a difference that somebody has explained',
    input: Type.Object(
      {
        differenceId,
        reason: Type.String({ minLength: 3, maxLength: 500, pattern: '\\S', description: 'What explains it.' }),
      },
      { additionalProperties: false },
    ),
    async act({ db }, { actor: by }, { differenceId: id, reason }) {
      await readOne(db, id)
      await inTransaction(db, (tx) => closeDifference(tx, { id, reason, by }))
      return readOne(db, id)
    },
  }),
  operation({
    ...seeing,
    route: 'GET /reconcile/float',
    operationId: 'deskCompareFloat',
    summary: 'How a float moved each day, and how it should have moved by our books',
    input: FloatDaysQuery,
    output: FloatDays,
    async act({ db }, _actor, { supplier, days }) {
      const now = new Date()
      const wanted = daysBetween(new Date(now.getTime() - (days - 1) * dayMilliseconds), now)
      const compared = await compareFloats(db, supplier, wanted)
      const tolerance = ghs(pesewasFromGhs(await readSetting(db, floatDriftTolerance)) ?? pesewas(0))
      return { tolerance, days: compared.map(viewDayOfFloat) }
    },
  }),
]

/** @param listReconcilers lists the people to whom a difference can be assigned; this folder may not import their code */
export const openDifferencesOperation = (
  listReconcilers: () => Promise<readonly { readonly name: string; readonly email: string }[]>,
) =>
  operation({
    ...seeing,
    route: 'GET /reconcile/open',
    operationId: 'deskSumOpenDifferences',
    summary: 'How many differences are open, by supplier and kind, and who may find out',
    input: Type.Object({}),
    output: OpenDifferenceSums,
    async act({ db }) {
      const [sums, people] = await Promise.all([countOpenDifferences(db), listReconcilers()])
      return { sums, people }
    },
  })
