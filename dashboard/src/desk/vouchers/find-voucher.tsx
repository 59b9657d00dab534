import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { Asked, Empty } from '../../both/layout/wait.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { voucherWords } from '../words/vouchers.ts'
import css from './vouchers.module.css'

type Found = components['schemas']['FoundVoucher']
type Revealed = components['schemas']['RevealedVoucher']

const shownSeconds = 60

/** One voucher with its PIN, for a minute. */
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
        {voucherWords.pin} <code>{voucher.pin}</code>
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
        const params = { path: { voucher_id: voucher.voucher_id } }
        setRevealed(await answerOf(() => api.POST('/desk/api/vouchers/found/{voucher_id}/reveal', { params, body: { reason } })))
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
  { title: voucherWords.type, show: ({ type_name }) => type_name },
  { title: voucherWords.state, show: ({ state }) => <State tone={tones[state]}>{voucherWords.states[state]}</State> },
  {
    title: voucherWords.toOrder,
    show: ({ order_id, sold_at }) =>
      order_id !== null && (
        <>
          <Link href={`/orders/${order_id}`}>{voucherWords.toOrder}</Link> {sold_at !== null && <Moment at={sold_at} />}
        </>
      ),
  },
]
const columnsWithReveal: readonly Column<Found>[] = [
  ...columns,
  { title: voucherWords.pin, show: (voucher) => <Reveal voucher={voucher} /> },
]

/** Finds one voucher, and shows its PIN to a person who may see it and gives a reason. */
export function FindVoucher({ text, onFind }: { readonly text: string; readonly onFind: (text: string) => void }) {
  const mayReveal = useMay('manage_stock')
  const [typed, setTyped] = useState(text)
  const found = useQuery({
    queryKey: ['vouchers', 'found', text],
    enabled: text !== '',
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/vouchers/found', { params: { query: { text } }, signal })),
  })
  return (
    <Section title={voucherWords.find}>
      <form
        className={css.find}
        onSubmit={(event) => {
          event.preventDefault()
          onFind(typed.trim())
        }}
      >
        <TextInput
          label={voucherWords.findHelp}
          value={typed}
          maxLength={200}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {voucherWords.search}
        </Button>
      </form>
      {text !== '' && (
        <Asked query={found} lines={1}>
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
                <p className={css.help}>{voucherWords.orderHelp}</p>
              </Card>
            )
          }
        </Asked>
      )}
    </Section>
  )
}
