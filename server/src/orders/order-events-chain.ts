import { sql } from 'kysely'
import type { Chain } from '../platform/chains/chain.ts'

export const orderEventsChain: Chain = {
  name: 'order_events',
  rowName: 'event',
  table: sql.table('order_events'),
  key: [
    { column: 'order_id', type: 'uuid' },
    { column: 'event_no', type: 'bigint' },
  ],
  forms: [['era', 'transaction_id', 'order_id', 'event_no', 'from_status', 'to_status', 'reason', 'actor', 'created_at']],
}
