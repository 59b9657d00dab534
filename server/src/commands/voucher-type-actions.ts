import { readConfig } from '../config.ts'
import { ghs, pesewas } from '../money/pesewas.ts'
import { VoucherTypeError, writeVoucherType } from '../products/results-checker/write-voucher-type.ts'
import { UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readCount, readGhs, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type VoucherTypeSetOptions = {
  priceCustomer?: string
  priceAgent?: string
  priceDealer?: string
  active?: 'true' | 'false'
  lowStock?: string
  rename?: string
}

const nameLengthMax = 100

export async function runVoucherTypeSet(name: string, options: VoucherTypeSetOptions): Promise<void> {
  const { priceCustomer, priceAgent, priceDealer, active, lowStock, rename } = options
  const change = {
    name: readText('The name', name, nameLengthMax),
    ...(priceCustomer === undefined ? {} : { priceCustomer: readGhs('--price-customer', priceCustomer) }),
    ...(priceAgent === undefined ? {} : { priceAgent: readGhs('--price-agent', priceAgent) }),
    ...(priceDealer === undefined ? {} : { priceDealer: readGhs('--price-dealer', priceDealer) }),
    ...(active === undefined ? {} : { isActive: active === 'true' }),
    ...(lowStock === undefined ? {} : { lowStockCount: readCount('--low-stock', lowStock, { least: 0, most: 999_999_999 }) }),
    ...(rename === undefined ? {} : { rename: readText('--rename', rename, nameLengthMax) }),
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
