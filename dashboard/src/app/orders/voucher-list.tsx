import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { Row, Rows } from '../../both/list/rows.tsx'
import { canShare, share } from '../share.ts'
import { orderWords, voucherWords } from '../words/orders.ts'
import css from './orders.module.css'
import type { Paper, Voucher } from './voucher-slips.tsx'

const VoucherSlips = lazy(() => import('./voucher-slips.tsx'))

type Props = {
  readonly label: string
  /** The name of the examination, such as `WASSCE`. */
  readonly name: string
  readonly vouchers: readonly Voucher[]
}

/**
 * The address that opens the WhatsApp app on this phone with a text that no server may read, such as PINs. Unlike
 * `whatsAppAddress`, it is no web page. Undefined on devices without a touch screen, which usually have no such app.
 */
const whatsAppInPhone = (text: string): string | undefined =>
  matchMedia('(pointer: coarse)').matches ? `whatsapp://send?text=${encodeURIComponent(text)}` : undefined

function PrintSlips({ name, vouchers }: Pick<Props, 'name' | 'vouchers'>) {
  const [printing, setPrinting] = useState<{ readonly paper: Paper; readonly time: number }>()
  const print = (paper: Paper) => setPrinting({ paper, time: (printing?.time ?? 0) + 1 })
  return (
    <>
      <Button variant="light" onClick={() => print('a4')}>
        {voucherWords.printA4}
      </Button>
      <Button variant="light" onClick={() => print('roll')}>
        {voucherWords.printRoll}
      </Button>
      {printing && (
        <Suspense>
          <VoucherSlips key={printing.time} paper={printing.paper} name={name} vouchers={vouchers} />
        </Suspense>
      )}
    </>
  )
}

/** Vouchers, with buttons to copy, print or send them. */
export function VoucherList({ label, name, vouchers }: Props) {
  const text = vouchers
    .map(({ pin, serial_number: serial }) => `${name}\n${fieldWords.pin}: ${pin}\n${orderWords.serial}: ${serial}`)
    .join('\n\n')
  const whatsApp = whatsAppInPhone(text)
  return (
    <>
      <Rows label={label}>
        {vouchers.map(({ id, pin, serial_number: serial }) => (
          <Row
            key={id}
            title={<span className={css.voucher}>{pin}</span>}
            detail={`${orderWords.serial} ${serial}`}
            end={<CopyText text={pin} label={orderWords.copyPin} />}
          />
        ))}
      </Rows>
      <div className={css.actions}>
        <CopyText text={text} label={orderWords.copyVouchers} />
        {canShare && (
          <Button variant="light" onClick={() => void share({ text })}>
            {orderWords.share}
          </Button>
        )}
        {whatsApp !== undefined && (
          <Button variant="light" component="a" href={whatsApp}>
            {voucherWords.whatsApp}
          </Button>
        )}
        <PrintSlips name={name} vouchers={vouchers} />
      </div>
    </>
  )
}
