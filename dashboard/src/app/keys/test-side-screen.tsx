import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { post, remove, type Schema } from '../../both/api/call-api.ts'
import { useAct, useRead, useRefresh } from '../../both/api/use-read.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { useMay } from '../me.ts'
import { recipientWords } from '../orders/order-row.tsx'
import { OrderState } from '../orders/order-state.tsx'
import { keyWords } from '../words/keys.ts'
import { testSideWords as words } from '../words/test-side.ts'
import type { KeyType } from './key-type.ts'
import css from './keys.module.css'
import { ShownKey } from './new-key-screen.tsx'

type Side = NonNullable<Schema<'TestSideState'>['side']>
type Made = { readonly type: KeyType; readonly key: Schema<'MadeKey'> }

const topics = ['test-side'] as const

/** One type of test key: the present key, and buttons to make a new one or end it. */
function TestKey({
  type,
  side,
  onMade,
}: {
  readonly type: KeyType
  readonly side: Side | null
  readonly onMade: (made: Made) => void
}) {
  const refresh = useRefresh()
  const present = side?.keys.find((each) => each.type === type)
  const making = useMutation({
    mutationFn: () => post('/app/api/test-side/keys', { type }),
    onSuccess: (key) => {
      onMade({ type, key })
      return refresh(topics)
    },
  })
  const mayManage = useMay('manage_keys')
  return (
    <section className={css.card} aria-labelledby={`test-key-${type}`}>
      <div>
        <h2 id={`test-key-${type}`}>{keyWords.types[type]}</h2>
        <p className="soft fine">{keyWords.areas[type]}</p>
      </div>
      <b className={css.key}>{present ? `${present.prefix}…${present.hint}` : words.noKey}</b>
      <p className="soft fine">{present ? words.oldStops : words.worksAtOnce}</p>
      {mayManage && (
        <div className={css.actions}>
          <Button variant={present ? 'light' : 'filled'} loading={making.isPending} onClick={() => making.mutate()}>
            {present ? words.remake : words.make}
          </Button>
          {present && (
            <Act
              label={words.end}
              question={words.endQuestion}
              action={words.end}
              no={keyWords.keep}
              isGrave
              button={{ variant: 'default' }}
              run={() => remove('/app/api/test-side/keys/{key_id}', { key_id: present.key_id })}
              topics={topics}
            />
          )}
        </div>
      )}
      {making.isError && <Failure error={making.error} />}
    </section>
  )
}

function PlayMoney({ side }: { readonly side: Side }) {
  const filling = useAct(() => post('/app/api/test-side/money'), topics)
  return (
    <Section title={words.money}>
      <Card>
        <div className={css.big}>{formatGhs(side.balance)}</div>
        <p>
          {words.credits}: {formatCount(side.sms_credits)}
        </p>
        {useMay('manage_keys') && (
          <Button mt={12} variant="light" loading={filling.isPending} onClick={() => filling.mutate()}>
            {words.fill}
          </Button>
        )}
        {filling.isError && <Failure error={filling.error} />}
      </Card>
    </Section>
  )
}

function TestOrders({ side }: { readonly side: Side }) {
  return (
    <Section title={words.orders}>
      {side.orders.length === 0 ? (
        <Empty title={words.noOrders} />
      ) : (
        <Rows label={words.orders}>
          {side.orders.map((order) => (
            <Row
              key={order.order_id}
              title={recipientWords(order)}
              detail={order.reference ?? ''}
              end={<OrderState status={order.status} />}
            />
          ))}
        </Rows>
      )}
    </Section>
  )
}

/** The test keys of the account, with what its programs did with them. */
export default function TestSideScreen() {
  const [made, setMade] = useState<Made>()
  const state = useRead('test-side', '/app/api/test-side')
  if (made) return <ShownKey type={made.type} made={made.key} />
  return (
    <Page title={words.title}>
      <QueryAnswer query={state}>
        {({ is_on: isOn, side }) =>
          isOn ? (
            <>
              <p className="soft fine">{words.intro}</p>
              <div className={css.cards}>
                {(['standard', 'commission', 'sms'] as const).map((type) => (
                  <TestKey key={type} type={type} side={side} onMade={setMade} />
                ))}
              </div>
              {side && <PlayMoney side={side} />}
              {side && <TestOrders side={side} />}
              <p style={{ marginTop: 16 }}>
                <a href="/docs/test-mode">{words.numbers}</a>
              </p>
            </>
          ) : (
            <Empty title={words.off}>{words.offDetail}</Empty>
          )
        }
      </QueryAnswer>
    </Page>
  )
}
