import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { Big } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State, type Tone } from '../../both/list/state.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { showPhone } from '../../both/phones.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'

/** The result of one line. */
export type LineResult = {
  readonly key: string
  readonly recipient: string
  readonly what: string
  /** The state of the line's order; undefined when nothing was bought for it. */
  readonly status: string | undefined
  readonly reason?: string | undefined
}

const tones: Readonly<Record<string, Tone>> = { completed: 'done', failed: 'fail', refunded: 'fail', cancelled: 'fail' }

export function OrderState({ status }: { readonly status: string }) {
  return <State tone={tones[status] ?? 'wait'}>{buyWords.states[status] ?? status}</State>
}

type Props = {
  readonly results: readonly LineResult[]
  readonly paid: number
  readonly onMore: () => void
}

/** Shows the result of each line, and where to go next. Lines that were not bought stay in the form. */
export function LineResults({ results, paid, onMore }: Props) {
  const failed = results.filter(({ status }) => status === undefined).length
  return (
    <div className={css.fieldset} role="status">
      <Big label={buyWords.paid} value={formatGhs(paid)} />
      <div className={css.actions}>
        <State tone="done">{buyWords.bought(results.length - failed)}</State>
        {failed > 0 && <State tone="fail">{buyWords.notBought(failed)}</State>}
      </div>
      <div className={css.fieldset}>
        <Rows label={buyWords.results}>
          {results.map(({ key, recipient, what, status, reason }) => (
            <Row
              key={key}
              title={showPhone(recipient)}
              detail={reason ?? what}
              end={status === undefined ? <State tone="fail">{buyWords.notBoughtState}</State> : <OrderState status={status} />}
            />
          ))}
        </Rows>
      </div>
      <div className={css.actions}>
        <Button onClick={onMore}>{failed > 0 ? buyWords.retry : buyWords.more}</Button>
        <Button variant="default" component={Link} href="/orders">
          {buyWords.orders}
        </Button>
      </div>
    </div>
  )
}
