import { sql } from 'kysely'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { defineNeed } from '../../platform/needs/need.ts'
import { floatWarningGhs, floatWarningHours } from '../../reports/reports.settings.ts'
import { floatPaces } from '../../reports/suppliers/read-float-pace.ts'

type TopUpFacts = { state: 'waiting' | 'held'; amount: number; way: string; reference: string | null; by: string }

/** Transfers that wait for a person's confirmation, and top-ups that are held because the payment differs from the request. */
export const waitingTopUpsNeed = defineNeed<TopUpFacts>({
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

/** Proposals that the reader can confirm, without the reader's own. */
export const waitingApprovalsNeed = defineNeed<{ kind: string; by: string; reason: string }>({
  name: 'approvals',
  waiting: ({ by, mayConfirm }) => sql`
    select id::text as id, created_at as at, jsonb_build_object('kind', kind, 'by', proposed_by, 'reason', reason) as facts
    from approvals
    where state = 'pending' and expires_at > now() and lower(proposed_by) <> lower(${by})
      and kind = any(${mayConfirm}::text[])
    order by created_at, id`,
  line: ({ id, facts: { kind, by, reason } }) => ({
    text: `${by} proposes ${kind}: ${reason}`,
    path: `/approvals/${id}`,
  }),
})

type DifferenceFacts = {
  supplier: string
  kind: 'ours_only' | 'theirs_only' | 'amount_differs'
  reference: string
  amount: number | null
}

const kinds: Readonly<Record<DifferenceFacts['kind'], string>> = {
  ours_only: 'we have it, the supplier’s statement has not',
  theirs_only: 'the supplier’s statement has it, we have not',
  amount_differs: 'the amounts differ',
}

/** Differences between suppliers' statements and our records that are not closed yet. */
export const openDifferencesNeed = defineNeed<DifferenceFacts>({
  name: 'differences',
  waiting: () => sql`
    select id::text as id, found_at as at, jsonb_build_object(
      'supplier', supplier, 'kind', kind, 'reference', reference, 'amount', coalesce(amount_theirs, amount_ours)) as facts
    from reconciliation_differences where closed_at is null order by found_at, id`,
  line: ({ id, facts: { supplier, kind, reference, amount } }) => ({
    text: `${supplier}, ${reference}${amount === null ? '' : `, ${formatGhs(pesewas(amount))}`}: ${kinds[kind]}.`,
    path: `/reconcile/${id}`,
  }),
})

/** SQL that reads the present value of a setting within a statement. */
const setTo = ({ name, defaultValue }: { readonly name: string; readonly defaultValue: number }) =>
  sql`coalesce((select (value #>> '{}')::integer from settings where name = ${sql.lit(name)}), ${sql.lit(defaultValue)})`

const hoursOfMonth = 30 * 24

/** Says why a float is low: it counts as empty, it lasts only some hours, or it is below what the operator wants to hold. */
function whyLow({ isEmpty, hours }: { readonly isEmpty: boolean; readonly hours: number | null }): string {
  if (isEmpty) return ', which counts as empty'
  if (hours === null || hours > hoursOfMonth) return ', less than you want to hold'
  return hours < 1 ? ': less than an hour at the present pace' : `: about ${Math.floor(hours)} hours at the present pace`
}

/**
 * Floats that count as empty (`minimumFloatGhs` of the supplier), are nearly used up at the present pace, or are below
 * `floatWarningGhs`.
 */
export const lowFloatNeed = defineNeed<{ supplier: string; float: number; hours: number | null; isEmpty: boolean }>({
  name: 'float',
  waiting: () => sql`
    select name as id, float_read_at as at, jsonb_build_object('supplier', name, 'float', float_pesewas, 'hours', hours_left,
      'isEmpty', float_pesewas < least) as facts
    from (${floatPaces}) as pace
    where float_pesewas < least or hours_left < ${setTo(floatWarningHours)} or float_pesewas < ${setTo(floatWarningGhs)}::bigint * 100
    order by hours_left nulls last, name`,
  line: ({ facts: { supplier, float, ...facts } }) => ({
    text: `${formatGhs(pesewas(float))} is left at ${supplier}${whyLow(facts)}.`,
    path: `/suppliers/${supplier}`,
  }),
})
