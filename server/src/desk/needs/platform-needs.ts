import { sql } from 'kysely'
import { defineNeed } from '../../platform/needs/need.ts'
import { routeName } from '../../suppliers/route-ports.ts'

/** Alarms that are not listed as needs, because each order, voucher type or route that they are about is listed itself. */
const shownOtherwise = ['orders_stuck', 'orders_reported', 'vouchers_low', 'route_paused']

export const openAlarmsNeed = defineNeed<{ name: string; message: string }>({
  name: 'alarms',
  waiting: () => sql`
    select id::text as id, raised_at as at, jsonb_build_object('name', name, 'message', message) as facts
    from alarms where cleared_at is null and name <> all(${shownOtherwise}::text[]) order by raised_at, id`,
  line: ({ id, facts: { message } }) => ({ text: message, path: `/alarms/${id}` }),
})

type Facts = { supplier: string; product: string; network: string; reason: string }

/**
 * Routes that the platform paused, because their supplier refused us or was silent. Routes that a person paused are not listed.
 */
export const pausedRoutesNeed = defineNeed<Facts>({
  name: 'routes',
  waiting: () => sql`
    select concat_ws('/', supplier, product, network) as id, paused_at as at, jsonb_build_object(
      'supplier', supplier, 'product', product, 'network', network, 'reason', paused_reason) as facts
    from routes where state = 'paused' and paused_reason not like 'operator:%' order by paused_at`,
  line: ({ facts }) => ({
    text: `${routeName(facts)} is paused: ${facts.reason}.`,
    path: `/suppliers/${facts.supplier}`,
  }),
})
