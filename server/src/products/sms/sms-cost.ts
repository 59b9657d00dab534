import { sql } from 'kysely'
import type { CostSubject, CostUnits } from '../../orders/costs/cost-subject.ts'

/** The cost of a segment at the link that sent its message. Failed messages cost nothing. */
export const smsCost: CostSubject & { readonly units: CostUnits } = {
  product: 'sms',
  title: 'SMS',
  unit: 'segment',
  takesPercent: false,
  units: sql`
    select message.supplier as key, null::text as other_key, count(*) * campaign.segments as units
    from sms_messages as message join sms_campaigns as campaign on campaign.id = message.campaign_id
    where message.campaign_id = ended.order_id and message.status <> 'failed'
    group by message.supplier, campaign.segments`,
  listKeys: async (db) => {
    const rows = await db.selectFrom('suppliers').select('name').where('adapter', '=', 'smpp').orderBy('name').execute()
    return rows.map(({ name }) => ({ key: name, title: name, since: null }))
  },
}
