import type { Db } from '../platform/database/database.ts'
import type { Api } from '../platform/http/api.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { findPortedNumbers, listPrefixes } from './list-number-plan.ts'
import { operatorOf } from './number-plan.ts'
import {
  NumberPlanChanged,
  PortedBody,
  PortedNumbers,
  PortedPath,
  PortedQuery,
  PrefixBody,
  PrefixList,
  PrefixPath,
} from './number-plan-desk.schemas.ts'
import { readNumberNetworks, removePortedNumber, setPortedNumber, setPrefix } from './write-number-plan.ts'

type NumberPlanDeskDeps = {
  readonly db: Db
  /** The products that follow the number plan, because a phone number can be on no network of another. */
  readonly products: readonly string[]
}

const tags = ['Number plan']

const pageNumbers = 100

const done = () => ok({ is_done: true } as const)

export function registerNumberPlanDeskRoutes(desk: Api, deps: NumberPlanDeskDeps): void {
  registerPrefixes(desk, deps)
  registerPortedNumbers(desk, deps)
}

function registerPrefixes(desk: Api, { db, products }: NumberPlanDeskDeps): void {
  desk.get(
    '/numbers/prefixes',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListPrefixes',
        tags,
        summary: 'Which prefixes belong to which network',
        response: { 200: Envelope(PrefixList) },
      },
    },
    async () => {
      const [prefixes, networks] = await Promise.all([listPrefixes(db), readNumberNetworks(db, products)])
      return ok({
        prefixes: Object.entries(prefixes).map(([prefix, of]) => ({ prefix, networks: of })),
        networks,
        operators: [...new Set(networks.map(operatorOf))],
      })
    },
  )
  desk.put(
    '/numbers/prefixes/:prefix',
    {
      config: { permission: 'manage_catalogue', refusals: [409] },
      schema: {
        operationId: 'deskSetPrefix',
        tags,
        summary: 'Say which networks a prefix is for; in force on all processes within a second',
        params: PrefixPath,
        body: PrefixBody,
        response: { 200: Envelope(NumberPlanChanged) },
      },
    },
    async ({ params: { prefix }, body: { networks }, staff: { actor } }) => {
      await setPrefix(db, products, { prefix, networks, actor })
      return done()
    },
  )
}

function registerPortedNumbers(desk: Api, { db, products }: NumberPlanDeskDeps): void {
  desk.get(
    '/numbers/ported',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListPortedNumbers',
        tags,
        summary: 'Numbers that were carried to another operator, by how they begin',
        querystring: PortedQuery,
        response: { 200: Envelope(PortedNumbers) },
      },
    },
    async ({ query: { begins = '0', after } }) => {
      const found = await findPortedNumbers(db, { begins, after, limit: pageNumbers + 1 })
      const numbers = found.slice(0, pageNumbers)
      return ok({
        numbers: numbers.map(({ recorded_at, ...each }) => ({ ...each, recorded_at: recorded_at.toISOString() })),
        next: found.length > pageNumbers ? (numbers.at(-1)?.number ?? null) : null,
      })
    },
  )
  desk.put(
    '/numbers/ported/:number',
    {
      config: { permission: 'manage_catalogue', refusals: [409] },
      schema: {
        operationId: 'deskSetPortedNumber',
        tags,
        summary: 'Note that a number is one of this operator now',
        params: PortedPath,
        body: PortedBody,
        response: { 200: Envelope(NumberPlanChanged) },
      },
    },
    async ({ params: { number }, body: { operator }, staff: { actor } }) => {
      await setPortedNumber(db, products, { number, operator, actor })
      return done()
    },
  )
  desk.delete(
    '/numbers/ported/:number',
    {
      config: { permission: 'manage_catalogue', refusals: [409] },
      schema: {
        operationId: 'deskRemovePortedNumber',
        tags,
        summary: 'Let the prefix of a number count again',
        params: PortedPath,
        response: { 200: Envelope(NumberPlanChanged) },
      },
    },
    async ({ params: { number }, staff: { actor } }) => {
      await removePortedNumber(db, number, actor)
      return done()
    },
  )
}
