import { sql } from 'kysely'
import type { Chain } from '../platform/chains/chain.ts'

export const transfersChain: Chain = {
  name: 'transfers',
  rowName: 'transfer',
  table: sql.table('transfers'),
  key: [
    { column: 'cause_id', type: 'uuid' },
    { column: 'kind', type: 'text' },
  ],
  forms: [
    [
      'era',
      'transaction_id',
      'cause_id',
      'kind',
      'account_id',
      'from_purse',
      'to_purse',
      'amount',
      'from_entry_no',
      'to_entry_no',
      'from_balance_after',
      'to_balance_after',
      'created_at',
      'note',
    ],
  ],
}
