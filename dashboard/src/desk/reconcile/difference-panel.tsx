import { Group } from '@mantine/core'
import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { Facts, Panel } from '../frame/panel.tsx'
import { useDeskMe, useMay } from '../me.ts'
import { reconcileWords } from '../words/reconcile.ts'
import { type Difference, useDifference, useOpenSums } from './ask-reconcile.ts'
import { DifferenceState, kindOf, showAmount } from './difference-state.tsx'
import css from './reconcile.module.css'

const assign = (id: string, to: string) =>
  post('/desk/api/reconcile/differences/{difference_id}/assign', { difference_id: id, to })

function factsOf(difference: Difference) {
  const { order_id: orderId, order_reference: reference, order_status: status, line, at } = difference
  const { commission_theirs: theirs, commission_ours: ours } = difference
  const hasCommission = theirs !== null || ours !== null
  return {
    [fieldWords.theirs]: showAmount(difference.amount_theirs),
    [fieldWords.ours]: showAmount(difference.amount_ours),
    [fieldWords.commission]: hasCommission && reconcileWords.amounts(showAmount(theirs), showAmount(ours)),
    [reconcileWords.reference]: <code>{difference.reference}</code>,
    [reconcileWords.supplierReference]: <code>{difference.supplier_reference ?? fieldWords.none}</code>,
    [reconcileWords.order]:
      orderId === null ? (
        reconcileWords.noOrder
      ) : (
        <>
          <Link href={`/orders/${orderId}`}>{reference ?? orderId}</Link> {status !== null && `(${status})`}
        </>
      ),
    [reconcileWords.statement]: (
      <>
        <Link href={`/reconcile?view=statements&statement=${difference.statement_id}`}>{difference.file_name}</Link>,{' '}
        {line === null ? reconcileWords.notInStatement : reconcileWords.line(line)}
      </>
    ),
    [line === null ? reconcileWords.sentAt : reconcileWords.billedAt]: at && <Moment at={at} />,
    [reconcileWords.foundAt]: <Moment at={difference.found_at} />,
    [reconcileWords.assignedTo]: difference.assigned_to ?? reconcileWords.nobodyYet,
  }
}

function GiveTo({ difference: { difference_id: id, assigned_to: before } }: { readonly difference: Difference }) {
  const people = useOpenSums().data?.people ?? []
  return (
    <Act
      label={reconcileWords.assign}
      question={reconcileWords.assignQuestion}
      action={reconcileWords.assignAction}
      button={{ size: 'compact-sm', variant: 'default' }}
      topics={['reconcile']}
      fields={{
        to: {
          kind: 'choice',
          label: fieldWords.person,
          options: people.map(({ name, email }) => ({ value: email, label: `${name} (${email})` })),
        },
      }}
      run={(_reason, { to }) => assign(id, to)}
      effect={({ to }) => <p>{fieldWords.becomes(before ?? reconcileWords.nobodyYet, to)}</p>}
    />
  )
}

/** Assigns a difference to the signed-in person. Needs no confirmation, because it can easily be assigned to somebody else. */
function TakeIt({ id }: { readonly id: string }) {
  const { email } = useDeskMe().person
  return <ActNow label={reconcileWords.take} size="compact-sm" run={() => assign(id, email)} topics={['reconcile']} />
}

function Acts({ difference }: { readonly difference: Difference }) {
  const { difference_id: id } = difference
  const { email } = useDeskMe().person
  return (
    <Group gap={8} mt={16}>
      {difference.assigned_to !== email && <TakeIt id={id} />}
      <GiveTo difference={difference} />
      <Act
        label={reconcileWords.close}
        question={reconcileWords.closeQuestion}
        reason="needed"
        reasonLabel={reconcileWords.explanation}
        reasonHelp={reconcileWords.closeHelp}
        button={{ size: 'compact-sm' }}
        topics={['reconcile']}
        run={(reason) => post('/desk/api/reconcile/differences/{difference_id}/close', { difference_id: id, reason })}
      >
        <p>{kindOf(difference)}</p>
        <p>
          <b>{showAmount(difference.amount_by)}</b> ·{' '}
          {reconcileWords.amounts(showAmount(difference.amount_theirs), showAmount(difference.amount_ours))}
        </p>
      </Act>
    </Group>
  )
}

/** The value of `closed_by` where a later statement closed the difference. */
const byStatement = 'statement'

function Closed({ difference: { closed_by: by, closed_at: at, close_reason: reason } }: { readonly difference: Difference }) {
  if (by === null || at === null) return null
  return (
    <div className={css.explained}>
      <b>{by === byStatement ? reconcileWords.byStatement : reconcileWords.closedBy(by)}</b> · <Moment at={at} />
      <p>{reason}</p>
    </div>
  )
}

/** One difference: both amounts, its order and references, its assignee, and its explanation. */
export function DifferencePanel({ id }: { readonly id: string }) {
  const mayReconcile = useMay('reconcile')
  const query = useDifference(id)
  return (
    <QueryAnswer query={query}>
      {(difference) => (
        <Panel
          title={showAmount(difference.amount_by)}
          state={<DifferenceState difference={difference} />}
          detail={
            <>
              <b>{kindOf(difference)}</b> · {difference.supplier}
            </>
          }
        >
          <p className="soft fine">{reconcileWords.kindHelp[difference.kind]}</p>
          <Facts label={reconcileWords.list} facts={factsOf(difference)} />
          <Closed difference={difference} />
          {mayReconcile && difference.closed_at === null && <Acts difference={difference} />}
        </Panel>
      )}
    </QueryAnswer>
  )
}
