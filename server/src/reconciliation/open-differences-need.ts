import { sql } from 'kysely'
import { formatGhs, pesewas } from '../money/pesewas.ts'
import { defineNeed } from '../platform/needs/need.ts'

type Facts = { supplier: string; kind: 'ours_only' | 'theirs_only' | 'amount_differs'; reference: string; amount: number | null }

const kinds: Readonly<Record<Facts['kind'], string>> = {
  ours_only: 'we have it, the supplier’s statement has not',
  theirs_only: 'the supplier’s statement has it, we have not',
  amount_differs: 'the amounts differ',
}

/** Differences between suppliers' statements and our books that nobody has explained yet. */
export const openDifferencesNeed = defineNeed<Facts>({
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
