import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { deskOrderWords, reportWords } from '../words/orders.ts'
import css from './orders.module.css'

/** The first page of the reports that wait; their number is shown beside the link. */
export function useWaitingReports() {
  return useQuery({
    queryKey: ['orders', 'reports', 'waiting', 'count'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/order-reports', { signal })),
  })
}

/** Links to the orders, and to the reports of those that did not arrive. */
export function OrderTabs({ chosen }: { readonly chosen: 'orders' | 'reports' }) {
  const { data } = useWaitingReports()
  const count = data?.reports.length ?? 0
  const tabs = [
    { name: 'orders', href: '/orders', title: deskOrderWords.title, count: 0 },
    { name: 'reports', href: '/reports-of-orders', title: reportWords.title, count },
  ] as const
  return (
    <nav className={css.tabs} aria-label={deskOrderWords.tabs}>
      {tabs.map((tab) => (
        <Link key={tab.name} href={tab.href} aria-current={tab.name === chosen ? 'page' : undefined}>
          {tab.title}
          {tab.count > 0 && (
            <span className={css.count}>
              {formatCount(tab.count)}
              {data?.next === null ? '' : '+'}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
