import Type from 'typebox'
import { changeCommissionRate, changeCommissionShare, listCommissionTerms } from '../money/by-people/change-commission.ts'
import { needExternalId } from '../money/by-people/credit-by-people.ts'
import { Ghs } from '../money/ghs.ts'
import { formatGhs, pesewas, pesewasFromText } from '../money/pesewas.ts'
import { moveCommission } from '../money/transfer-commission.ts'
import { type CommissionEntry, readCommissionAccount } from '../orders/queries/read-commission-account.ts'
import type { Db } from '../platform/database/database.ts'
import { decimalsKeyword } from '../platform/http/describe-schema-error.ts'
import { RefusalError, refusals, refuse } from '../platform/http/refusals.ts'
import { Nullable, OneOf, Uuid } from '../platform/http/schemas.ts'
import { AtDeskOnly, ExactText, Timestamp, WithHelp, WithWireName } from '../platform/operations/fields.ts'
import { type Actor, type OperationDeps, operation } from '../platform/operations/operation.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import { products } from '../products/products.ts'
import { listRouteNetworks } from '../suppliers/desk/list-routes.ts'

const entriesShown = 20

const termNotFound = refuse(404, 'commission_term_not_found', 'There is no commission on this product, network or role.')

const roles = ['customer', 'agent', 'dealer'] as const

const earning = products.filter(({ earnsCommission }) => earnsCommission)

/** True for a product with commission. The others have neither rates nor shares. */
const earns = (product: string) => earning.some(({ name }) => name === product)

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

async function readPage(db: Db) {
  const [{ rates, shares }, networks] = await Promise.all([listCommissionTerms(db), listRouteNetworks(db)])
  return {
    products: earning.map(({ name: product, title }) => ({
      product,
      title,
      rates: networks
        .filter((each) => each.product === product)
        .map(({ network }) => ({
          network,
          percent: rates.find((rate) => rate.product === product && rate.network === network)?.percent ?? null,
        })),
      shares: roles.map((role) => ({
        role,
        percent: shares.find((share) => share.product === product && share.role === role)?.percent ?? null,
      })),
    })),
  }
}

function causeOf({ kind, reference }: CommissionEntry): string {
  if (kind === 'commission') return reference ?? ''
  return reference === null ? 'to the main wallet' : `to the main wallet: ${reference}`
}

/** `all`, or an amount in pesewas; undefined for a text that is no amount above 0. */
function amountOf(text: string) {
  if (text === 'all') return text
  const amount = pesewasFromText(text)
  return amount !== undefined && amount > 0 ? amount : undefined
}

const ofWallets = [
  operation({
    command: 'commission show',
    example: 'makola commission show --account ama@example.com',
    summary: 'Show a Commission Wallet and its newest entries',
    input: Type.Object({ accountId: Uuid() }),
    output: Type.Object({
      accountId: Uuid(),
      balancePesewas: Ghs(),
      entries: Type.Array(
        Type.Object({
          at: Timestamp(),
          kind: Type.String(),
          amountPesewas: Ghs(),
          balancePesewas: Ghs(),
          reference: Nullable(Type.String()),
        }),
      ),
    }),
    act: async ({ db }, _actor, { accountId }) => ({ accountId, ...(await readCommissionAccount(db, accountId, entriesShown)) }),
    text: ({ balancePesewas, entries }) =>
      [
        `The Commission Wallet holds ${formatGhs(pesewas(balancePesewas))}.`,
        ...entries.map(
          (entry) => `${entry.at.toISOString()}  ${formatGhs(pesewas(entry.amountPesewas)).padStart(14)}  ${causeOf(entry)}`,
        ),
      ].join('\n'),
  }),
  operation({
    command: 'commission transfer',
    example: 'makola commission transfer --account ama@example.com --amount 25.00 --id payout-2026-07',
    summary: 'Move commission to the main wallet of the same account',
    input: Type.Object({
      accountId: Uuid(),
      amount: Type.String({ description: 'in GHS, such as 25.00, or "all"' }),
      id: Type.Optional(ExactText({ description: 'a name for this transfer: the same id moves once; required when live' })),
    }),
    output: Type.Object({
      moved: WithWireName('transferred', Ghs()),
      commission: Ghs(),
      main: WithWireName('balance', Ghs()),
      isReplay: WithWireName('already_processed', Type.Boolean()),
    }),
    check: ({ amount }) =>
      amountOf(amount) === undefined
        ? '--amount must be "all", or GHS above 0 with at most 2 decimals, such as 17.50.'
        : undefined,
    async act(deps, { actor }, { accountId, amount, id }) {
      await needExternalId(deps, id)
      const given = id === undefined ? {} : { externalId: id }
      const result = await moveCommission(deps.db, { accountId, amount: amountOf(amount) ?? 0, actor, ...given })
      if (result.state !== 'refused') return { ...result, isReplay: result.state === 'replayed' }
      throw new OperatorRequestError(
        result.why === 'external_id_taken'
          ? `The id ${id ?? ''} was already used for a different transfer.`
          : `The Commission Wallet holds ${formatGhs(pesewas(result.commission))}: not enough.`,
      )
    },
    text: ({ moved, commission, main, isReplay }) =>
      `${formatGhs(pesewas(moved))} ${isReplay ? 'had been' : 'were'} moved. The Commission Wallet holds ${formatGhs(pesewas(commission))}, the main wallet ${formatGhs(pesewas(main))}.`,
  }),
]

const ofTerms = { tag: 'Switches', output: CommissionPage } as const

const changingTerms = {
  ...ofTerms,
  permission: 'manage_settings',
  isConfirmationNeeded: true,
  refusals: [400, termNotFound],
} as const

const shortText = Type.String({ maxLength: 100 })
const product = WithHelp('one that earns commission, such as airtime', shortText)
const network = WithHelp('a network, or a biller’s key', shortText)
const percent = WithHelp('at most 2 decimals', Type.Number({ minimum: 0, maximum: 100, [decimalsKeyword]: 2 }))
const reason = AtDeskOnly(
  Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Why it is changed, for the log.' }),
)

/** Refuses an unknown product or network of a command, with a message that lists the known ones. */
async function findTerm<Named extends { readonly product: string; readonly network?: string }>(
  { db }: OperationDeps,
  named: Named,
): Promise<Named> {
  const { product, network } = named
  if (!earns(product)) {
    const known = earning.map(({ name }) => name).join(', ')
    throw new RefusalError(refusals.invalidRequest(`--product must be one of ${known}, not ${JSON.stringify(product)}.`))
  }
  const networks = (await listRouteNetworks(db)).filter((each) => each.product === product).map((each) => each.network)
  if (network === undefined || networks.includes(network)) return named
  throw new OperatorRequestError(
    `There is no network ${JSON.stringify(network)} of ${product}; there is: ${networks.join(', ')}.`,
  )
}

type Share = { readonly product: string; readonly role: string; readonly percent: number; readonly reason?: string }

async function changeShare(
  db: Db,
  { actor }: Actor,
  { product, role: named, percent: share, reason: why }: Share,
): Promise<void> {
  const role = roles.find((known) => known === named)
  if (!role || !earns(product)) throw new RefusalError(termNotFound)
  const wanted = { product, role, shareBasisPoints: Math.round(share * 100) }
  await changeCommissionShare(db, wanted, { actor, reason: why?.trim() })
}

const terms = [
  operation({
    command: 'commission rates',
    example: 'makola commission rates',
    summary: 'List the rates of suppliers and the shares of roles',
    input: Type.Object({}),
    output: Type.Object({
      rates: Type.Array(Type.Object({ product: Type.String(), network: Type.String(), percent: Type.Number() })),
      shares: Type.Array(Type.Object({ product: Type.String(), role: Type.String(), percent: Type.Number() })),
    }),
    act: ({ db }) => listCommissionTerms(db),
    text: ({ rates, shares }) =>
      [
        'Expected of suppliers, of the amount:',
        ...rates.map((rate) => `  ${rate.product} ${rate.network}: ${rate.percent} %`),
        'Shares of resellers, of the commission:',
        ...shares.map((share) => `  ${share.product} ${share.role}: ${share.percent} %`),
      ].join('\n'),
  }),
  operation({
    ...ofTerms,
    route: 'GET /commission',
    operationId: 'deskListCommission',
    permission: 'see',
    summary: 'The rates of suppliers and the shares of resellers',
    input: Type.Object({}),
    act: ({ db }) => readPage(db),
  }),
  operation({
    ...changingTerms,
    command: 'commission set-rate',
    example: 'makola commission set-rate --product utilities --network dstv --percent 1.5',
    route: 'POST /commission/:product/rates/:network',
    operationId: 'deskChangeCommissionRate',
    summary: 'Change what suppliers are expected to pay, for orders placed from now on',
    input: Type.Object({ product, network, percent, reason }, { title: 'ChangeCommissionBody' }),
    find: findTerm,
    async act({ db }, { actor }, { product, network, percent: rate, reason: why }) {
      const networks = await listRouteNetworks(db)
      const isKnown = earns(product) && networks.some((each) => each.product === product && each.network === network)
      if (!isKnown) throw new RefusalError(termNotFound)
      const wanted = { product, network, rateBasisPoints: Math.round(rate * 100) }
      await changeCommissionRate(db, wanted, { actor, reason: why?.trim() })
      return readPage(db)
    },
    printed: Type.Object({ product: Type.String(), network: Type.String(), percent }),
    print: async (_deps, _page, rate) => rate,
    text: (rate) => `${rate.product} ${rate.network}: ${rate.percent} % from now on.`,
  }),
  operation({
    command: 'commission set-share',
    example: 'makola commission set-share --product utilities --role agent --percent 50',
    summary: 'Set what a role gets of the commission; on airtime only lifetime agents and dealers earn',
    input: Type.Object({ product, role: OneOf(roles), percent }),
    output: Type.Object({ product: Type.String(), role: Type.String(), percent }),
    find: findTerm,
    async act({ db }, actor, share) {
      await changeShare(db, actor, share)
      return share
    },
    text: (share) => `${share.product} ${share.role}: ${share.percent} % from now on.`,
  }),
  operation({
    ...changingTerms,
    route: 'POST /commission/:product/shares/:role',
    operationId: 'deskChangeCommissionShare',
    summary: 'Change what a role gets of the commission, for orders placed from now on',
    input: Type.Object({ product, role: shortText, percent, reason }, { title: 'ChangeCommissionBody' }),
    async act({ db }, actor, share) {
      await changeShare(db, actor, share)
      return readPage(db)
    },
  }),
]

export const commissionOperations = [...ofWallets, ...terms]
