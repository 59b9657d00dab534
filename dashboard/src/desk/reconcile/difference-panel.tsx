import { Button, Group, NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { Asked, Failure } from '../../both/layout/wait.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useDeskMe, useMay } from '../me.ts'
import { reconcileWords } from '../words/reconcile.ts'
import { type Difference, useDifference, useOpenSums } from './ask-reconcile.ts'
import { DifferenceState, kindOf, showAmount } from './difference-state.tsx'
import css from './reconcile.module.css'

const assign = (id: string, to: string) =>
  answerOf(() =>
    api.POST('/desk/api/reconcile/differences/{difference_id}/assign', {
      params: { path: { difference_id: id } },
      body: { to },
    }),
  )

function Facts({ difference }: { readonly difference: Difference }) {
  const { order_id: orderId, order_reference: orderReference, order_status: status, line, at } = difference
  return (
    <dl className={css.facts}>
      <dt>{reconcileWords.theirs}</dt>
      <dd>{showAmount(difference.amount_theirs)}</dd>
      <dt>{reconcileWords.ours}</dt>
      <dd>{showAmount(difference.amount_ours)}</dd>
      {(difference.commission_theirs !== null || difference.commission_ours !== null) && (
        <>
          <dt>{reconcileWords.commission}</dt>
          <dd>{reconcileWords.amounts(showAmount(difference.commission_theirs), showAmount(difference.commission_ours))}</dd>
        </>
      )}
      <dt>{reconcileWords.reference}</dt>
      <dd>
        <span className={css.mono}>{difference.reference}</span>
      </dd>
      <dt>{reconcileWords.supplierReference}</dt>
      <dd>
        <span className={css.mono}>{difference.supplier_reference ?? reconcileWords.none}</span>
      </dd>
      <dt>{reconcileWords.order}</dt>
      <dd>
        {orderId === null ? (
          reconcileWords.noOrder
        ) : (
          <>
            <Link href={`/orders/${orderId}`}>{orderReference ?? orderId}</Link> {status !== null && `(${status})`}
          </>
        )}
      </dd>
      <dt>{reconcileWords.statement}</dt>
      <dd>
        <Link href={`/reconcile?view=statements&statement=${difference.statement_id}`}>{difference.file_name}</Link>,{' '}
        {line === null ? reconcileWords.notInStatement : reconcileWords.line(line)}
      </dd>
      {at !== null && (
        <>
          <dt>{line === null ? reconcileWords.sentAt : reconcileWords.billedAt}</dt>
          <dd>
            <Moment at={at} />
          </dd>
        </>
      )}
      <dt>{reconcileWords.foundAt}</dt>
      <dd>
        <Moment at={difference.found_at} />
      </dd>
      <dt>{reconcileWords.assignedTo}</dt>
      <dd>{difference.assigned_to ?? reconcileWords.nobodyYet}</dd>
    </dl>
  )
}

function GiveTo({ difference }: { readonly difference: Difference }) {
  const people = useOpenSums().data?.people ?? []
  const [chosen, setChosen] = useState('')
  const to = chosen || (people[0]?.email ?? '')
  const { difference_id: id, assigned_to: before } = difference
  return (
    <Act
      label={reconcileWords.assign}
      question={reconcileWords.assignQuestion}
      action={reconcileWords.assignAction}
      button={{ size: 'compact-sm', variant: 'default' }}
      topics={['reconcile']}
      run={() => assign(id, to)}
    >
      <NativeSelect
        label={reconcileWords.person}
        value={to}
        data={people.map(({ name, email }) => ({ value: email, label: `${name} (${email})` }))}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <p>{reconcileWords.becomes(before ?? reconcileWords.nobodyYet, to)}</p>
    </Act>
  )
}

/**
 * Assigns a difference to the signed-in person. Asks no question first, because it can be assigned to somebody else as easily.
 */
function TakeIt({ id }: { readonly id: string }) {
  const queries = useQueryClient()
  const { email } = useDeskMe().person
  const taking = useMutation({
    mutationFn: () => assign(id, email),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['reconcile'] }),
  })
  return (
    <>
      <Button size="compact-sm" variant="light" loading={taking.isPending} onClick={() => taking.mutate()}>
        {reconcileWords.take}
      </Button>
      {taking.isError && <Failure error={taking.error} />}
    </>
  )
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
        run={(reason) =>
          answerOf(() =>
            api.POST('/desk/api/reconcile/differences/{difference_id}/close', {
              params: { path: { difference_id: id } },
              body: { reason },
            }),
          )
        }
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

/** The name in place of a person's for a difference that a later statement closed. */
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
    <Asked query={query}>
      {(difference) => (
        <>
          <div className={css.panelHead}>
            <h2 className={css.name}>{showAmount(difference.amount_by)}</h2>
            <DifferenceState difference={difference} />
          </div>
          <p>
            <b>{kindOf(difference)}</b> · {difference.supplier}
          </p>
          <p className={css.soft}>{reconcileWords.kindHelp[difference.kind]}</p>
          <Facts difference={difference} />
          <Closed difference={difference} />
          {mayReconcile && difference.closed_at === null && <Acts difference={difference} />}
        </>
      )}
    </Asked>
  )
}
