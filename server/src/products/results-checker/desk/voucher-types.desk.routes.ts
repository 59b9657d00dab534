import type { Static } from 'typebox'
import { pesewasFromGhs } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Api } from '../../../platform/http/api.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { RefusalError, refuse } from '../../../platform/http/refusals.ts'
import { findVoucherType } from '../list-voucher-stock.ts'
import { raiseLowStockAlarms } from '../raise-low-stock-alarms.ts'
import { type VoucherTypeChange, writeVoucherType } from '../write-voucher-type.ts'
import { listVoucherTypesAtDesk } from './list-voucher-types-at-desk.ts'
import { mustFindVoucherType, typeNotFound } from './must-find-voucher-type.ts'
import type { VoucherDeskDeps } from './voucher-desk-deps.ts'
import { ChangeVoucherTypeBody, NewVoucherTypeBody, VoucherTypeParams, VoucherTypesPage } from './vouchers.desk.schemas.ts'

const tags = ['Vouchers']

type TypeFields = Partial<Omit<Static<typeof ChangeVoucherTypeBody>, 'reason'>>

/** The schema has checked that amounts have at most 2 decimals. */
function changeOf(fields: TypeFields): Omit<VoucherTypeChange, 'name'> {
  const { price_customer, price_agent, price_dealer, low_stock_count, is_active } = fields
  const price = (amount: number | undefined) => (amount === undefined ? undefined : pesewasFromGhs(amount))
  const [priceCustomer, priceAgent, priceDealer] = [price_customer, price_agent, price_dealer].map(price)
  return {
    ...(priceCustomer !== undefined && { priceCustomer }),
    ...(priceAgent !== undefined && { priceAgent }),
    ...(priceDealer !== undefined && { priceDealer }),
    ...(low_stock_count !== undefined && { lowStockCount: low_stock_count }),
    ...(is_active !== undefined && { isActive: is_active }),
  }
}

const answerTypes = async (db: Db) => ok({ types: await listVoucherTypesAtDesk(db) })

function registerMakeRoute(desk: Api, { db, log }: VoucherDeskDeps): void {
  desk.post(
    '/vouchers/types',
    {
      config: { permission: 'manage_stock', isConfirmationNeeded: true, refusals: [400, 409] },
      schema: {
        operationId: 'deskMakeVoucherType',
        tags,
        summary: 'Make a voucher type',
        body: NewVoucherTypeBody,
        response: { 200: Envelope(VoucherTypesPage) },
      },
    },
    async ({ body, staff }) => {
      const name = body.name.trim()
      if (await findVoucherType(db, name)) {
        throw new RefusalError(refuse(409, 'not_possible', `There is a voucher type ${name} already.`))
      }
      await writeVoucherType(db, { name, ...changeOf(body) }, staff.actor)
      await raiseLowStockAlarms(db, log)
      return answerTypes(db)
    },
  )
}

function registerChangeRoute(desk: Api, { db, log }: VoucherDeskDeps): void {
  desk.post(
    '/vouchers/types/:type_id',
    {
      config: { permission: 'manage_stock', isConfirmationNeeded: true, refusals: [400, typeNotFound, 409] },
      schema: {
        operationId: 'deskChangeVoucherType',
        tags,
        summary: 'Change the name, the prices, the sale or the low-stock mark of a type',
        description: 'What is left out stays. Prices hold for purchases from now on.',
        params: VoucherTypeParams,
        body: ChangeVoucherTypeBody,
        response: { 200: Envelope(VoucherTypesPage) },
      },
    },
    async ({ params, body, staff }) => {
      const { name } = await mustFindVoucherType(db, params.type_id)
      const rename = body.name?.trim()
      const renaming = rename !== undefined && rename !== name && { rename }
      await writeVoucherType(db, { name, ...renaming, ...changeOf(body), reason: body.reason.trim() }, staff.actor)
      await raiseLowStockAlarms(db, log)
      return answerTypes(db)
    },
  )
}

export function registerVoucherTypeDeskRoutes(desk: Api, deps: VoucherDeskDeps): void {
  desk.get(
    '/vouchers',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListVoucherTypes',
        tags,
        summary: 'The voucher types with their prices, their stock and how long it lasts',
        response: { 200: Envelope(VoucherTypesPage) },
      },
    },
    () => answerTypes(deps.db),
  )
  registerMakeRoute(desk, deps)
  registerChangeRoute(desk, deps)
}
