import type { Logger } from 'pino'
import Type, { type Static } from 'typebox'
import { Ghs } from '../../../money/ghs.ts'
import { formatGhs, pesewas } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import { plainTextPattern } from '../../../platform/http/document/patterns-in-words.ts'
import { RefusalError, refusals, refuse } from '../../../platform/http/refusals.ts'
import { GhsAmount, Nullable, Omissible, OneOf, Uuid } from '../../../platform/http/schemas.ts'
import { WithHelp, WithOptionName, WithWireName } from '../../../platform/operations/fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { listVoucherPace } from '../list-voucher-pace.ts'
import { findVoucherType, listVoucherStock, type VoucherTypeRow } from '../list-voucher-stock.ts'
import { raiseLowStockAlarms } from '../raise-low-stock-alarms.ts'
import { changeVoucherType, makeVoucherType, VoucherTypeError, writeVoucherType } from '../write-voucher-type.ts'

export const typeNotFound = refuse(404, 'voucher_type_not_found', 'There is no such voucher type.')

/** @throws RefusalError when there is no such type */
export async function mustFindVoucherType(db: Db, id: string): Promise<VoucherTypeRow> {
  const type = await findVoucherType(db, id)
  if (type?.id !== id.toLowerCase()) throw new RefusalError(typeNotFound)
  return type
}

export const VoucherReason = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Why, for the log.' })

const VoucherType = Type.Object(
  {
    id: WithWireName('type_id', Uuid()),
    name: Type.String(),
    price_customer: Ghs(),
    price_agent: Ghs(),
    price_dealer: Ghs(),
    is_active: Type.Boolean({ description: 'Whether it is on sale.' }),
    available_count: Type.Integer({ description: 'How many are left.' }),
    low_stock_count: Type.Integer({ description: 'With fewer than this many left, the alarm `vouchers_low` is raised.' }),
    is_low: Type.Boolean({ description: 'On sale, and fewer are left than `low_stock_count` or than are sold in three days.' }),
    sold_7_days: Type.Integer(),
    days_left: Nullable(
      Type.Number({ description: 'How long the stock lasts at the pace of the last 7 days; null: none was sold.' }),
    ),
  },
  { title: 'DeskVoucherType' },
)

const VoucherTypesPage = Type.Object({ types: Type.Array(VoucherType) }, { title: 'DeskVoucherTypes' })

/** Lists all types by name, with prices, stock and how many days the stock lasts. */
async function listTypes(db: Db) {
  const [types, paces] = await Promise.all([
    db.selectFrom('voucher_types').selectAll().orderBy('name').execute(),
    listVoucherPace(db),
  ])
  const paceOf = new Map(paces.map((pace) => [pace.name, pace]))
  return {
    types: types.map((type) => {
      const { isLow = false, soldInSevenDays = 0, daysLeft = null } = paceOf.get(type.name) ?? {}
      return { ...type, is_low: isLow, sold_7_days: soldInSevenDays, days_left: daysLeft }
    }),
  }
}

const Price = (description: string) => WithHelp(description, Ghs(GhsAmount({ maximum: 1_000_000 })))

const prices = {
  priceCustomer: Price('the price of one voucher for customers'),
  priceAgent: Price('the price of one voucher for agents'),
  priceDealer: Price('the price of one voucher for dealers'),
}

const changedPrices = {
  priceCustomer: Omissible(prices.priceCustomer),
  priceAgent: Omissible(prices.priceAgent),
  priceDealer: Omissible(prices.priceDealer),
}

const Name = Type.String({ maxLength: 100, pattern: plainTextPattern })

const LowStockCount = Omissible(
  WithOptionName(
    'low-stock',
    WithHelp('raise an alarm when fewer than so many are left', Type.Integer({ minimum: 0, maximum: 999_999_999 })),
  ),
)

const isName = (typed: string) => typed.trim() !== '' && Array.from(typed).length <= 100 && !/\p{Cc}/u.test(typed)

const inGhs = (price: number) => formatGhs(pesewas(price))

export const voucherTypeOperations = [
  operation({
    command: 'voucher-type set <name>',
    example: 'makola voucher-type set WASSCE --price-customer 20 --price-agent 17.50 --price-dealer 16.50',
    summary: 'Make a voucher type, or change what is given of it',
    input: Type.Object({
      name: Type.String({ description: 'its name; upper and lower case are the same' }),
      ...changedPrices,
      active: Type.Optional(OneOf(['true', 'false'], { description: 'whether it is on sale' })),
      lowStockCount: LowStockCount,
      rename: Type.Optional(Type.String({ maxLength: 100, description: 'a new name' })),
    }),
    output: Type.Omit(VoucherType, ['is_low', 'sold_7_days', 'days_left']),
    check: ({ name }) => (isName(name) ? undefined : 'The name must have 1 to 100 printable characters.'),
    async act({ db }, { actor }, { name, active, ...fields }) {
      const change = { name: name.trim(), ...fields, ...(active !== undefined && { isActive: active === 'true' }) }
      return writeVoucherType(db, change, actor).catch((error: unknown) => {
        throw error instanceof VoucherTypeError ? new RefusalError(refusals.invalidRequest(error.message)) : error
      })
    },
    text: ({ name, available_count, is_active, ...type }) =>
      `${name}: ${inGhs(type.price_customer)} for customers, ${inGhs(type.price_agent)} for agents, ${inGhs(type.price_dealer)} for dealers; ${available_count} left${is_active ? '' : '; not on sale'}.`,
  }),
]

const CountedType = Type.Object({
  ...Type.Pick(VoucherType, ['id', 'name', 'is_active', 'available_count']).properties,
  soldCount: Type.Integer(),
  withdrawnCount: Type.Integer(),
  ...Type.Pick(VoucherType, ['low_stock_count', 'is_low']).properties,
})

/** The `vouchers` commands that take no file. */
export const voucherStockOperations = [
  operation({
    command: 'vouchers count',
    example: 'makola vouchers count',
    route: 'GET /vouchers',
    operationId: 'deskListVoucherTypes',
    tag: 'Vouchers',
    permission: 'see',
    summary: 'The voucher types with their prices, their stock and how long it lasts',
    input: Type.Object({}),
    output: VoucherTypesPage,
    act: ({ db }) => listTypes(db),
    printed: Type.Object({ types: Type.Array(CountedType) }),
    async print({ db }, { types }) {
      const stock = new Map((await listVoucherStock(db)).map((type) => [type.id, type]))
      return { types: types.map((type) => ({ soldCount: 0, withdrawnCount: 0, ...stock.get(type.id), ...type })) }
    },
    text: ({ types }) =>
      types.map(describeStock).join('\n') || 'There is no voucher type yet. Make one with `makola voucher-type set`.',
  }),
]

function describeStock(type: Static<typeof CountedType>): string {
  const withdrawn = type.withdrawnCount === 0 ? '' : `, ${type.withdrawnCount} taken out`
  return `${type.name}: ${type.available_count} left, ${type.soldCount} sold${withdrawn}${type.is_active ? '' : ' (not on sale)'}${type.is_low ? '  LOW' : ''}`
}

const changing = {
  tag: 'Vouchers',
  permission: 'manage_stock',
  isConfirmationNeeded: true,
  output: VoucherTypesPage,
} as const

/** Changes of types at the desk. They update the alarms of low stocks at once. */
export function voucherTypeDeskOperations({ log }: { readonly log: Pick<Logger, 'error' | 'info'> }) {
  return [
    operation({
      ...changing,
      route: 'POST /vouchers/types',
      operationId: 'deskMakeVoucherType',
      refusals: [400, 409],
      summary: 'Make a voucher type',
      input: Type.Object({ name: Name, ...prices, lowStockCount: LowStockCount }, { title: 'NewVoucherTypeBody' }),
      async act({ db }, { actor }, { name, ...fields }) {
        await makeVoucherType(db, { name: name.trim(), ...fields }, actor)
        await raiseLowStockAlarms(db, log)
        return listTypes(db)
      },
    }),
    operation({
      ...changing,
      route: 'POST /vouchers/types/:type_id',
      operationId: 'deskChangeVoucherType',
      refusals: [400, typeNotFound, 409],
      summary: 'Change the name, the prices, the sale or the low-stock mark of a type',
      description: 'What is left out stays. Prices hold for purchases from now on.',
      input: Type.Object(
        {
          typeId: Uuid(),
          name: Omissible(Name),
          ...changedPrices,
          lowStockCount: LowStockCount,
          isActive: Omissible(Type.Boolean()),
          reason: VoucherReason,
        },
        { title: 'ChangeVoucherTypeBody' },
      ),
      async act({ db }, { actor }, { typeId, name, reason, ...fields }) {
        const change = { ...(name !== undefined && { rename: name.trim() }), ...fields, reason: reason.trim() }
        if (!(await changeVoucherType(db, typeId, change, actor))) throw new RefusalError(typeNotFound)
        await raiseLowStockAlarms(db, log)
        return listTypes(db)
      },
    }),
  ]
}
