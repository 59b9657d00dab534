import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { put, remove, type Schema } from '../../both/api/call-api.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { goodsWords } from '../../both/goods-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { useMay } from '../me.ts'
import type { OrderLine } from '../orders/order-state.tsx'
import { isUndelivered } from '../orders/use-states.ts'
import { canShare, share, whatsAppAddress } from '../share.ts'
import { receiptWords } from '../words/receipts.ts'
import css from './receipts.module.css'
import { useSale } from './use-sale.ts'

const urlOf = (path: string): string => `${location.origin}${path}`

/**
 * The address that opens WhatsApp with the receipt's link. It opens the chat with the customer, if the recipient is a phone
 * number.
 */
const chatWith = (order: OrderLine, path: string): string =>
  whatsAppAddress(`${goodsWords(order)}: ${urlOf(path)}`, order.recipient.replace(/^233(?=\d{9}$)/, '0'))

type LinkProps = { readonly order: OrderLine; readonly receipt: NonNullable<Schema<'Sale'>['receipt']> }

/** Buttons to send the link, and to revoke it. */
function ReceiptLink({ order, receipt: { path, shows_number: showsNumber } }: LinkProps) {
  const url = urlOf(path)
  const field = { order_id: order.order_id }
  const main = isUndelivered(order) ? 'light' : 'filled'
  return (
    <>
      <div className={css.actions}>
        {canShare && (
          <Button variant={main} onClick={() => void share({ text: goodsWords(order), url })}>
            {receiptWords.share}
          </Button>
        )}
        <Button variant={canShare ? 'light' : main} component="a" href={chatWith(order, path)} target="_blank" rel="noreferrer">
          {receiptWords.whatsApp}
        </Button>
        <CopyText text={url} label={receiptWords.copyLink} />
        <Button variant="light" component="a" href={path} target="_blank" rel="noreferrer">
          {receiptWords.see}
        </Button>
      </div>
      <div className={css.actions}>
        {order.recipient !== '' && (
          <ActNow
            variant="subtle"
            label={showsNumber ? receiptWords.hideNumber : receiptWords.showNumber}
            run={() => put('/app/api/orders/{order_id}/receipt', { ...field, shows_number: !showsNumber })}
            topics={['sale']}
          />
        )}
        <Act
          label={receiptWords.revoke}
          question={receiptWords.revokeAsk}
          no={fieldWords.keepIt}
          button={{ variant: 'subtle' }}
          run={() => remove('/app/api/orders/{order_id}/receipt', field)}
          topics={['sale']}
        >
          {receiptWords.revokeWarning}
        </Act>
      </div>
    </>
  )
}

/** Buttons that make the receipt. If the browser blocks the chat's window, a link in `ReceiptLink` opens the chat. */
function MakeReceipt({ order }: { readonly order: OrderLine }) {
  const make = () => put('/app/api/orders/{order_id}/receipt', { order_id: order.order_id, shows_number: false })
  const send = async () => {
    const { receipt } = await make()
    if (receipt) window.open(chatWith(order, receipt.path), '_blank', 'noopener')
  }
  return (
    <div className={css.actions}>
      <ActNow label={receiptWords.whatsApp} run={send} topics={['sale']} />
      <ActNow variant="default" label={receiptWords.make} run={make} topics={['sale']} />
    </div>
  )
}

/**
 * The receipt of an order for the reseller's customer: made with one tap, then sent as a link. For an undelivered order, only
 * an earlier receipt is shown: the customer may have its link, which now says that the order was refunded.
 */
export default function SaleReceipt({ order }: { readonly order: OrderLine }) {
  const mayBuy = useMay('buy')
  const sale = useSale(order)
  if (!mayBuy || (isUndelivered(order) && !sale.data?.receipt)) return null
  return (
    <Section title={receiptWords.title}>
      <QueryAnswer query={sale} lines={1} height={128}>
        {({ receipt, own_price: price }) => (
          <>
            <p className="soft">
              {receiptWords.lead} {price === null ? receiptWords.withoutPrice : receiptWords.withPrice(formatGhs(price))}
            </p>
            {receipt ? <ReceiptLink order={order} receipt={receipt} /> : <MakeReceipt order={order} />}
          </>
        )}
      </QueryAnswer>
      <Link href="/shop" className={css.shop}>
        {receiptWords.setShop}
      </Link>
    </Section>
  )
}
