import { sql } from 'kysely'
import type { Chain } from '../chains/chain.ts'

export const operatorLogChain: Chain = {
  name: 'operator_log',
  rowName: 'line',
  table: sql.table('operator_log'),
  key: [{ column: 'id', type: 'bigint' }],
  forms: [['era', 'transaction_id', 'id', 'at', 'actor', 'action', 'subject', 'details', 'os_user']],
}
