import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { put, type Schema } from '../../both/api/call-api.ts'
import { SendForm } from '../../both/form/send-form.tsx'
import { cedisOrNone } from '../../both/money/read-amount.ts'
import { teamWords as words } from '../words/team.ts'
import css from './team.module.css'

type Props = { readonly member: Schema<'Team'>['members'][number]; readonly limit: number | null; readonly onChanged: () => void }

/** Limits what a member may spend on a day. */
export default function MemberSpending({ member: { person_id, role }, limit, onChanged }: Props) {
  if (role === 'viewer') return null
  return (
    <div className={css.ends}>
      <SendForm
        fields={{
          per_day: {
            kind: 'amount',
            of: cedisOrNone,
            label: words.perDay,
            help: words.perDayHelp,
            initial: limit,
            isOptional: true,
          },
        }}
        action={words.saveLimit}
        button={{ variant: 'light' }}
        run={({ per_day }) => put('/app/api/spending/{person_id}', { person_id, per_day: per_day ?? null })}
        topics={['spending']}
        onDone={onChanged}
      />
      <Button component={Link} href={`/orders?person=${person_id}`} variant="default">
        {words.ordersOf}
      </Button>
    </div>
  )
}
