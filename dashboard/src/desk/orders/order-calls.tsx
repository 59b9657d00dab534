import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Asked } from '../../both/layout/wait.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { deskOrderWords } from '../words/orders.ts'
import css from './orders.module.css'

function Calls({ orderId }: { readonly orderId: string }) {
  const query = useQuery({
    // The key begins with no topic, so this answer is not read again: past calls do not change.
    queryKey: ['desk-order-calls', orderId],
    queryFn: ({ signal }) =>
      answerOf(() => api.GET('/desk/api/orders/{order_id}/calls', { params: { path: { order_id: orderId } }, signal })),
  })
  return (
    <Asked query={query} lines={1}>
      {({ calls, request }) => (
        <>
          {calls.length === 0 && <p>{deskOrderWords.noCalls}</p>}
          {request !== null && (
            <>
              <p>{deskOrderWords.request}</p>
              <pre className={css.code}>{request}</pre>
            </>
          )}
          <ul>
            {calls.map(({ id, at, method, path, status, milliseconds }) => (
              <li key={id}>
                {exactMoment(at)} {method} {path}: <b>{status}</b>, {formatCount(milliseconds)} ms
              </li>
            ))}
          </ul>
        </>
      )}
    </Asked>
  )
}

/** The reseller's calls about the order, and the body of the first one; read when somebody opens them. */
export function OrderCalls({ orderId }: { readonly orderId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={css.words} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{deskOrderWords.calls}</summary>
      {isOpen && <Calls orderId={orderId} />}
    </details>
  )
}
