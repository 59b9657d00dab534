import { sql } from 'kysely'
import { idRules } from '../../money/audit.ts'

export const afaAuditChecks = idRules({
  afa_order_without_its_registration: (within) => sql`
    from orders left join afa_registrations on afa_registrations.order_id = orders.id and ${within(sql`afa_registrations.order_id`)}
    where ${within(sql`orders.id`)} and orders.kind = 'afa' and afa_registrations.order_id is null`,
  registration_without_its_afa_order: (within) => sql`
    from afa_registrations left join orders on orders.id = afa_registrations.order_id and ${within(sql`orders.id`)}
    where ${within(sql`afa_registrations.order_id`)} and (orders.id is null or orders.kind <> 'afa')`,
  /**
   * An ended registration must have a move from `processing` to its end in its history. Only a person makes this move. Ends
   * other than `completed` and `cancelled` do not exist.
   */
  afa_order_ended_by_nobody: (within) => sql`
    from orders
    where ${within(sql`id`)} and kind = 'afa'
      and (status not in ('pending', 'processing', 'completed', 'cancelled')
        or (status in ('completed', 'cancelled') and not exists (select from order_events
          where order_events.order_id = orders.id and ${within(sql`order_events.order_id`)} and from_status = 'processing' and to_status = orders.status)))`,
})
