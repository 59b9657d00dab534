import { type ComponentType, lazy, Suspense } from 'react'
import { useParams } from 'wouter'
import { Page } from '../../both/layout/page.tsx'
import { Empty, Waiting } from '../../both/layout/query-states.tsx'
import { useMay, useMe } from '../me.ts'
import { buyWords } from '../words/buy.ts'
import { frameWords } from '../words/frame.ts'
import { BuyPage, type Product } from './buy-page.tsx'
import { DataForm } from './data-form.tsx'

/**
 * These forms are loaded when they are first opened. They are used less often, and would delay the first screen on a phone.
 */
const AfaForm = lazy(() => import('./afa-form.tsx'))
const AirtimeForm = lazy(() => import('./airtime-form.tsx'))
const BillsForm = lazy(() => import('./bills-form.tsx'))
const VouchersForm = lazy(() => import('./vouchers-form.tsx'))

const forms: Readonly<Record<Product, ComponentType>> = {
  data: DataForm,
  airtime: AirtimeForm,
  bills: BillsForm,
  vouchers: VouchersForm,
  afa: AfaForm,
}

/** Shows a message to a person who may not buy; the server would refuse the purchase too. */
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
  const wanted = product in forms ? (product as Product) : 'data'
  const Form = forms[wanted]
  return (
    <Suspense
      fallback={
        <BuyPage product={wanted}>
          <Waiting />
        </BuyPage>
      }
    >
      <Form key={product} />
    </Suspense>
  )
}
