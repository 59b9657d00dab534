import type { AccountPurse, PlatformPurse } from './money.tables.ts'

/** Where a purchase goes that this purse pays: credits and pesewas are different units and never meet in one purse. */
export function salesPurse(paying: AccountPurse): PlatformPurse {
  return paying === 'sms_credits' ? 'sms_sales' : 'sales'
}
