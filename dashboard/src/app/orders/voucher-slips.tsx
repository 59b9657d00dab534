import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { useMe } from '../me.ts'
import { orderWords, voucherWords } from '../words/orders.ts'
import css from './voucher-slips.module.css'

/** `a4`: several slips on a page, to be cut. `roll`: a receipt printer's roll, 58 mm wide, a page for each slip. */
export type Paper = 'a4' | 'roll'

export type Voucher = { readonly id: string; readonly pin: string; readonly serial_number: string }

type Props = { readonly paper: Paper; readonly name: string; readonly vouchers: readonly Voucher[] }

/**
 * Slips of vouchers for paper. The browser makes and prints them, so no file and no address contains the PINs. They stay in the
 * page after printing, because some phones read the page only after the print dialog has opened.
 */
export default function VoucherSlips({ paper, name, vouchers }: Props) {
  const { account } = useMe()
  const { data: shop, isPending } = useRead('own-shop', '/app/api/shop')
  const hasPrinted = useRef(false)
  useEffect(() => {
    if (isPending || hasPrinted.current) return
    hasPrinted.current = true
    window.print()
  }, [isPending])
  if (isPending) return null
  return createPortal(
    <div className={`${css.slips} ${css[paper]}`} data-paper={paper}>
      {vouchers.map(({ id, pin, serial_number: serial }) => (
        <div key={id} className={css.slip}>
          <h2>{shop?.name ?? account.name}</h2>
          {shop?.phone && <div>{shop.phone}</div>}
          <b>{name}</b>
          <div>{fieldWords.pin}</div>
          <div className={css.pin}>{pin}</div>
          <div>{`${orderWords.serial} ${serial}`}</div>
          <div>{voucherWords.keepSlip}</div>
        </div>
      ))}
    </div>,
    document.body,
  )
}
