import Type from 'typebox'
import {
  changeCommissionRate,
  changeCommissionShare,
  listCommissionTerms,
  percentOfPoints,
} from '../money/by-people/change-commission.ts'
import type { Db } from '../platform/database/database.ts'
import type { Api } from '../platform/http/api.ts'
import { decimalsKeyword } from '../platform/http/describe-schema-error.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError, refuse } from '../platform/http/refusals.ts'
import { Nullable, OneOf } from '../platform/http/schemas.ts'

const tags = ['Switches']

/** `earning`: the products that earn commission. */
type CommissionDeskDeps = {
  readonly db: Db
  readonly earning: readonly { readonly name: string; readonly title: string }[]
}

const termNotFound = refuse(404, 'commission_term_not_found', 'There is no commission on this product, network or role.')

const roles = ['customer', 'agent', 'dealer'] as const

const Percent = (description: string) => Nullable(Type.Number({ description }))

const CommissionPage = Type.Object(
  {
    products: Type.Array(
      Type.Object(
        {
          product: Type.String(),
          title: Type.String(),
          rates: Type.Array(Type.Object({ network: Type.String(), percent: Percent('Of the amount; null: none is expected.') }), {
            description: 'What suppliers are expected to pay, for when they do not report it.',
          }),
          shares: Type.Array(Type.Object({ role: OneOf(roles), percent: Percent('Of the commission; null: none.') }), {
            description: 'What resellers get of it.',
          }),
        },
        { title: 'CommissionOfProduct' },
      ),
    ),
  },
  { title: 'CommissionPage' },
)

const ChangeCommissionBody = Type.Object(
  {
    percent: Type.Number({ minimum: 0, maximum: 100, [decimalsKeyword]: 2 }),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Why it is changed, for the log.' }),
  },
  { title: 'ChangeCommissionBody' },
)

async function listNetworks(db: Db): Promise<{ product: string; name: string }[]> {
  return db.selectFrom('networks').select(['product', 'name']).orderBy('product').orderBy('position').execute()
}

async function readPage({ db, earning }: CommissionDeskDeps) {
  const [{ rates, shares }, networks] = await Promise.all([listCommissionTerms(db), listNetworks(db)])
  const percentOf = (basisPoints: number | undefined) => (basisPoints === undefined ? null : percentOfPoints(basisPoints))
  const products = earning.map(({ name: product, title }) => ({
    product,
    title,
    rates: networks
      .filter((network) => network.product === product)
      .map(({ name: network }) => ({
        network,
        percent: percentOf(rates.find((rate) => rate.product === product && rate.network === network)?.rateBasisPoints),
      })),
    shares: roles.map((role) => ({
      role,
      percent: percentOf(shares.find((share) => share.product === product && share.role === role)?.shareBasisPoints),
    })),
  }))
  return ok({ products })
}

function mustEarn({ earning }: CommissionDeskDeps, product: string): void {
  if (!earning.some(({ name }) => name === product)) throw new RefusalError(termNotFound)
}

const config = { permission: 'manage_settings', isConfirmationNeeded: true, refusals: [400, termNotFound] } as const
const ShortText = Type.String({ maxLength: 100 })

function registerRateRoute(desk: Api, deps: CommissionDeskDeps): void {
  desk.post(
    '/commission/:product/rates/:network',
    {
      config,
      schema: {
        operationId: 'deskChangeCommissionRate',
        tags,
        summary: 'Change what suppliers are expected to pay, for orders placed from now on',
        params: Type.Object({ product: ShortText, network: ShortText }),
        body: ChangeCommissionBody,
        response: { 200: Envelope(CommissionPage) },
      },
    },
    async ({ params: { product, network }, body, staff: { actor } }) => {
      mustEarn(deps, product)
      const rate = { product, network, rateBasisPoints: Math.round(body.percent * 100) }
      await changeCommissionRate(deps.db, rate, { actor, reason: body.reason.trim() }, async () => {
        const isKnown = (await listNetworks(deps.db)).some((known) => known.product === product && known.name === network)
        if (!isKnown) throw new RefusalError(termNotFound)
      })
      return readPage(deps)
    },
  )
}

function registerShareRoute(desk: Api, deps: CommissionDeskDeps): void {
  desk.post(
    '/commission/:product/shares/:role',
    {
      config,
      schema: {
        operationId: 'deskChangeCommissionShare',
        tags,
        summary: 'Change what a role gets of the commission, for orders placed from now on',
        params: Type.Object({ product: ShortText, role: ShortText }),
        body: ChangeCommissionBody,
        response: { 200: Envelope(CommissionPage) },
      },
    },
    async ({ params: { product, role: named }, body, staff: { actor } }) => {
      mustEarn(deps, product)
      const role = roles.find((known) => known === named)
      if (!role) throw new RefusalError(termNotFound)
      const share = { product, role, shareBasisPoints: Math.round(body.percent * 100) }
      await changeCommissionShare(deps.db, share, { actor, reason: body.reason.trim() })
      return readPage(deps)
    },
  )
}

export function registerCommissionDeskRoutes(desk: Api, deps: CommissionDeskDeps): void {
  desk.get(
    '/commission',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListCommission',
        tags,
        summary: 'The rates of suppliers and the shares of resellers',
        response: { 200: Envelope(CommissionPage) },
      },
    },
    () => readPage(deps),
  )
  registerRateRoute(desk, deps)
  registerShareRoute(desk, deps)
}
