import { sql } from 'kysely'
import { defineNeed } from '../../platform/needs/need.ts'
import { formatGhs, pesewas } from '../pesewas.ts'

type Facts = { state: 'waiting' | 'held'; amount: number; way: string; reference: string | null; by: string }

/** Transfers that wait for a person's confirmation, and held top-ups. */
export const waitingTopUpsNeed = defineNeed<Facts>({
  name: 'top-ups',
  waiting: () => sql`
    select id::text as id, created_at as at, jsonb_build_object(
      'state', state, 'amount', amount, 'way', way, 'reference', transfer_reference, 'by', made_by) as facts
    from top_ups where state in ('waiting', 'held') order by id`,
  line: ({ id, facts: { state, amount, way, reference, by } }) => ({
    text:
      state === 'waiting'
        ? `${by} says that ${formatGhs(pesewas(amount))} was paid in as transfer ${reference ?? ''}.`
        : `The top-up of ${formatGhs(pesewas(amount))} by ${by} through ${way} is held.`,
    path: `/top-ups/${id}`,
  }),
})
