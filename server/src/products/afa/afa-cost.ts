import { sql } from 'kysely'
import type { CostSubject, CostUnits } from '../../orders/costs/cost-subject.ts'

export const afaCost: CostSubject & { readonly units: CostUnits } = {
  product: 'afa',
  title: 'AFA registrations',
  unit: 'registration',
  takesPercent: false,
  units: sql`select '' as key, null::text as other_key, 1::bigint as units`,
  listKeys: () => Promise.resolve([{ key: '', title: 'each registration', since: null }]),
}
