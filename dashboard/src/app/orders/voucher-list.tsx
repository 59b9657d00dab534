import { Button } from '@mantine/core'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { Row, Rows } from '../../both/list/rows.tsx'
import { orderWords } from '../words/orders.ts'
import css from './orders.module.css'

type Props = {
  readonly label: string
  /** The name of the examination, such as `WASSCE`. */
  readonly name: string
  readonly vouchers: readonly { readonly id: string; readonly pin: string; readonly serial_number: string }[]
}

/** Vouchers, to be read out, copied or handed on. */
export function VoucherList({ label, name, vouchers }: Props) {
  const text = vouchers
    .map(({ pin, serial_number: serial }) => `${name}\n${fieldWords.pin}: ${pin}\n${orderWords.serial}: ${serial}`)
    .join('\n\n')
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
        {'share' in navigator && (
          <Button variant="light" onClick={() => void navigator.share({ text }).catch(() => undefined)}>
            {orderWords.share}
          </Button>
        )}
      </div>
    </>
  )
}
