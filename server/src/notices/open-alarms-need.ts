import { sql } from 'kysely'
import { defineNeed } from '../platform/needs/need.ts'

/** Alarms that are not listed as needs, because each order, voucher type or route that they are about is listed itself. */
const shownOtherwise = ['orders_stuck', 'orders_reported', 'vouchers_low', 'route_paused']

export const openAlarmsNeed = defineNeed<{ name: string; message: string }>({
  name: 'alarms',
  waiting: () => sql`
    select id::text as id, raised_at as at, jsonb_build_object('name', name, 'message', message) as facts
    from alarms where cleared_at is null and name <> all(${shownOtherwise}::text[]) order by raised_at, id`,
  line: ({ id, facts: { message } }) => ({ text: message, path: `/alarms/${id}` }),
})
