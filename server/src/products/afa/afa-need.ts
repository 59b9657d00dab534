import { sql } from 'kysely'
import { defineNeed } from '../../platform/needs/need.ts'
import { afaRoute } from './afa.kind.ts'

/** Open AFA registrations, each with the person who has claimed it, if anybody has. */
export const afaNeed = defineNeed<{ reference: string; recipient: string; claimedBy: string | null }>({
  name: 'afa',
  waiting: () => sql`
    select applied.id::text as id, applied.created_at as at, jsonb_build_object(
      'reference', applied.reference, 'recipient', applied.recipient, 'claimedBy', registration.claimed_by) as facts
    from open_orders
    cross join lateral (select id, reference, recipient, created_at from orders where orders.id = open_orders.order_id limit 1) as applied
    left join lateral (select claimed_by from afa_registrations where afa_registrations.order_id = applied.id limit 1) as registration on true
    where open_orders.route = ${afaRoute} order by applied.id`,
  line: ({ id, facts: { reference, recipient, claimedBy } }) => ({
    text: `${reference}: register ${recipient}${claimedBy === null ? '' : `, which ${claimedBy} has taken`}.`,
    path: `/afa?order=${id}`,
  }),
})
