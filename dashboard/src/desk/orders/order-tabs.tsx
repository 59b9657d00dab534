import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Tabs } from '../../both/list/choices.tsx'
import { formatCount } from '../../both/money/format-ghs.ts'
import { deskOrderWords, reportWords } from '../words/orders.ts'

/** Links to the orders, and to the reports of those that did not arrive, with the number of those that wait. */
export function OrderTabs({ chosen }: { readonly chosen: 'orders' | 'reports-of-orders' }) {
  const { data } = useRead('orders', '/desk/api/order-reports')
  const count = data?.reports.length ?? 0
  const many = count > 0 ? `${formatCount(count)}${data?.next === null ? '' : '+'}` : undefined
  const options = [
    { value: 'orders', label: fieldWords.orders },
    { value: 'reports-of-orders', label: reportWords.title, count: many },
  ] as const
  return <Tabs label={deskOrderWords.tabs} value={chosen} options={options} hrefOf={(list) => `/${list}`} />
}
