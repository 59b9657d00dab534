import { useState } from 'react'
import { useRead } from '../../both/api/use-read.ts'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { deskOrderWords } from '../words/orders.ts'
import css from './orders.module.css'

function Calls({ orderId }: { readonly orderId: string }) {
  const query = useRead('desk-order-calls', '/desk/api/orders/{order_id}/calls', { order_id: orderId })
  return (
    <QueryAnswer query={query} lines={1}>
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
    </QueryAnswer>
  )
}

/**
 * Shows the reseller's calls about the order, and the body of the first call. Reads them only when somebody opens this part.
 */
export function OrderCalls({ orderId }: { readonly orderId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={css.words} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{deskOrderWords.calls}</summary>
      {isOpen && <Calls orderId={orderId} />}
    </details>
  )
}
