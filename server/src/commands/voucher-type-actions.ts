import { readConfig } from '../config.ts'
import { ghs, type Pesewas, pesewas, pesewasFromText } from '../money/pesewas.ts'
import { VoucherTypeError, writeVoucherType } from '../products/results-checker/write-voucher-type.ts'
import { UsageError } from './command-error.ts'
import { operatorName } from './operator-name.ts'
import { printResult } from './print-result.ts'
import { withDatabase } from './with-database.ts'

export type VoucherTypeSetOptions = {
  priceCustomer?: string
  priceAgent?: string
  priceDealer?: string
  active?: 'true' | 'false'
  lowStock?: string
  rename?: string
}

const nameLengthMax = 100

function readName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > nameLengthMax || /\p{Cc}/u.test(name)) {
    throw new UsageError(`A voucher type's name must have 1 to ${nameLengthMax} printable characters.`)
  }
  return name
}

function readPrice(option: string, text: string): Pesewas {
  const price = pesewasFromText(text)
  if (price === undefined || price <= 0) throw new UsageError(`${option} must be an amount in GHS above 0, such as 17.50.`)
  return price
}

function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--low-stock must be a whole number.')
  return Number(text)
}

/** `makola voucher-type set`. */
export async function runVoucherTypeSet(name: string, options: VoucherTypeSetOptions): Promise<void> {
  const { priceCustomer, priceAgent, priceDealer, active, lowStock, rename } = options
  const change = {
    name: readName(name),
    ...(priceCustomer === undefined ? {} : { priceCustomer: readPrice('--price-customer', priceCustomer) }),
    ...(priceAgent === undefined ? {} : { priceAgent: readPrice('--price-agent', priceAgent) }),
    ...(priceDealer === undefined ? {} : { priceDealer: readPrice('--price-dealer', priceDealer) }),
    ...(active === undefined ? {} : { isActive: active === 'true' }),
    ...(lowStock === undefined ? {} : { lowStockCount: readCount(lowStock) }),
    ...(rename === undefined ? {} : { rename: readName(rename) }),
  }
  const row = await withDatabase(readConfig(), (db) => writeVoucherType(db, change, operatorName())).catch((error: unknown) => {
    if (error instanceof VoucherTypeError) throw new UsageError(error.message)
    throw error
  })
  const prices = {
    price_customer: ghs(pesewas(row.price_customer)),
    price_agent: ghs(pesewas(row.price_agent)),
    price_dealer: ghs(pesewas(row.price_dealer)),
  }
  printResult(
    {
      type_id: row.id,
      name: row.name,
      ...prices,
      is_active: row.is_active,
      available_count: row.available_count,
      low_stock_count: row.low_stock_count,
    },
    `${row.name}: GHS ${prices.price_customer} for customers, ${prices.price_agent} for agents, ${prices.price_dealer} for dealers; ${row.available_count} left${row.is_active ? '' : '; not on sale'}.`,
  )
}
