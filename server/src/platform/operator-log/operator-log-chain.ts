import { sql } from 'kysely'
import type { Chain } from '../chains/chain.ts'

/** The chain of the operator's log. */
export const operatorLogChain: Chain = {
  name: 'operator_log',
  rowName: 'line',
  table: sql.table('operator_log'),
  key: [{ column: 'id', type: 'bigint' }],
  forms: [['era', 'transaction_id', 'id', 'at', 'actor', 'action', 'subject', 'details', 'os_user']],
}
