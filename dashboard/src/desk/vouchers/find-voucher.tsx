import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { FilterBar } from '../../both/list/filter-bar.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { voucherWords } from '../words/vouchers.ts'
import css from './vouchers.module.css'

type Found = Schema<'FoundVoucher'>
type Revealed = Schema<'RevealedVoucher'>

const shownSeconds = 60

/** Shows one voucher with its PIN for a minute. */
function InTheClear({ voucher, onHide }: { readonly voucher: Revealed; readonly onHide: () => void }) {
  const [left, setLeft] = useState(shownSeconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (left <= 0) onHide()
  }, [left, onHide])
  return (
    <div className={css.clear}>
      <span>
        {fieldWords.pin} <code>{voucher.pin}</code>
      </span>
      <span>
        {voucherWords.serial} <code>{voucher.serial_number}</code>
      </span>
      <Button variant="default" size="compact-sm" onClick={onHide}>
        {voucherWords.hide}
      </Button>
      <small>{voucherWords.gone(left)}</small>
    </div>
  )
}

function Reveal({ voucher }: { readonly voucher: Found }) {
  const [revealed, setRevealed] = useState<Revealed>()
  if (revealed) return <InTheClear voucher={revealed} onHide={() => setRevealed(undefined)} />
  return (
    <Act
      label={voucherWords.reveal}
      question={voucherWords.revealQuestion}
      reason="needed"
      topics={['log']}
      button={{ size: 'compact-sm' }}
      run={async (reason) => {
        const { voucher_id } = voucher
        setRevealed(await post('/desk/api/vouchers/found/{voucher_id}/reveal', { voucher_id, reason }))
      }}
    >
      <p>
        <b>{voucher.type_name}</b>, {voucherWords.serialEnd(voucher.serial_end)}
      </p>
      <p>{voucherWords.revealHelp}</p>
      {voucher.state === 'in_stock' && <p className={css.warn}>{voucherWords.revealStock}</p>}
    </Act>
  )
}

const tones = { in_stock: 'plain', sold: 'done', withdrawn: 'fail' } as const

const columns: readonly Column<Found>[] = [
  { title: voucherWords.serial, isMain: true, show: ({ serial_end }) => voucherWords.serialEnd(serial_end) },
  { title: fieldWords.type, show: ({ type_name }) => type_name },
  { title: fieldWords.state, show: ({ state }) => <State tone={tones[state]}>{voucherWords.states[state]}</State> },
  {
    title: fieldWords.theOrder,
    show: ({ order_id, sold_at }) =>
      order_id !== null && (
        <>
          <Link href={`/orders/${order_id}`}>{fieldWords.theOrder}</Link> {sold_at !== null && <Moment at={sold_at} />}
        </>
      ),
  },
]
const columnsWithReveal: readonly Column<Found>[] = [
  ...columns,
  { title: fieldWords.pin, show: (voucher) => <Reveal voucher={voucher} /> },
]

/** Finds vouchers, and shows the PIN of one to a person who may see it and gives a reason. */
export function FindVoucher({ text, onFind }: { readonly text: string; readonly onFind: (text: string) => void }) {
  const mayReveal = useMay('manage_stock')
  const found = useRead('vouchers', '/desk/api/vouchers/found', { text }, { enabled: text !== '' })
  return (
    <Section title={voucherWords.find}>
      <FilterBar
        fields={{ find: { label: voucherWords.findHelp, lengthMax: 200 } }}
        filters={{ find: text }}
        action={fieldWords.find}
        onShow={({ find = '' }) => onFind(find)}
      />
      {text !== '' && (
        <QueryAnswer query={found} lines={1}>
          {({ vouchers }) =>
            vouchers.length === 0 ? (
              <Empty title={voucherWords.notFound} />
            ) : (
              <Card>
                <TableOrCards
                  label={voucherWords.found}
                  columns={mayReveal ? columnsWithReveal : columns}
                  rows={vouchers}
                  keyOf={({ voucher_id }) => voucher_id}
                />
                <p className="soft fine">{voucherWords.orderHelp}</p>
              </Card>
            )
          }
        </QueryAnswer>
      )}
    </Section>
  )
}
