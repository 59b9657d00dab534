import { useParams } from 'wouter'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { useMay, useMe } from '../me.ts'
import { buyWords } from '../words/buy.ts'
import { frameWords } from '../words/frame.ts'
import { AfaForm } from './afa-form.tsx'
import { AirtimeForm } from './airtime-form.tsx'
import { BillsForm } from './bills-form.tsx'
import type { Product } from './buy-page.tsx'
import { DataForm } from './data-form.tsx'
import { VouchersForm } from './vouchers-form.tsx'

const forms: Readonly<Record<Product, () => React.ReactNode>> = {
  data: DataForm,
  airtime: AirtimeForm,
  bills: BillsForm,
  vouchers: VouchersForm,
  afa: AfaForm,
}

/** The screen for buying by hand. Somebody who may not buy is told so, and the server would refuse the purchase too. */
export default function BuyScreen() {
  const { product = 'data' } = useParams<{ product?: string }>()
  const mayBuy = useMay('buy')
  const isSuspended = useMe().account.status === 'suspended'
  if (!mayBuy) {
    return (
      <Page title={buyWords.titles.data}>
        <Empty title={buyWords.mayNot}>{isSuspended ? frameWords.suspended : frameWords.viewer}</Empty>
      </Page>
    )
  }
  const Form = forms[product in forms ? (product as Product) : 'data']
  return <Form key={product} />
}
