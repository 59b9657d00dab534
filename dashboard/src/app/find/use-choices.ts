import { useDebouncedValue } from '@mantine/hooks'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { type Choice, type Found, lengthMin, pauseMilliseconds, signOutFor } from '../../both/find/find-dialog.tsx'
import { findWords } from '../../both/find/find-words.ts'
import { matchesWords } from '../../both/find/match-words.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { groupDigits } from '../../both/phones.ts'
import { type Permission, useMe } from '../me.ts'
import { recipientWords } from '../orders/order-row.tsx'
import { destinationsFor } from '../screens.ts'
import { appFindWords } from '../words/find.ts'
import { frameWords } from '../words/frame.ts'

type Place = { readonly title: string; readonly path: string; readonly words?: string; readonly permission?: Permission }

const { titles } = appFindWords

/** Screens that are not in the navigation rail. */
const innerScreens: readonly Place[] = [
  ...(['data', 'airtime', 'bills', 'vouchers', 'afa'] as const).map((product) => ({
    title: titles[product],
    path: `/buy/${product}`,
    permission: 'buy' as const,
  })),
  { title: titles.newMessage, path: '/sms/new', words: 'sms text campaign', permission: 'send_sms' },
  { title: titles.contacts, path: '/sms/contacts', words: 'sms lists numbers' },
  { title: titles.senders, path: '/sms/senders', words: 'sms name' },
  { title: titles.credits, path: '/sms/credits', words: 'sms', permission: 'buy' },
  { title: titles.testKeys, path: '/developer/test', words: 'program sandbox play money try' },
  { title: titles.webhooks, path: '/developer/webhooks', words: 'program events server' },
  { title: titles.shop, path: '/shop', words: 'logo receipt name' },
  { title: fieldWords.password, path: '/profile/password', words: 'change' },
  { title: fieldWords.secondFactor, path: '/profile/second-factor', words: 'authenticator codes' },
  { title: titles.phone, path: '/profile/phone', words: 'forgotten password recovery' },
  { title: fieldWords.sessions, path: '/profile/sessions', words: 'devices signed in' },
]

/** The most orders, and the most customers, of one search. */
const shownMax = 6

/** Finds what matches a typed text: screens at once, and after a pause the account's orders and customers. */
export function useChoices(text: string): Found {
  const me = useMe()
  const typed = text.trim()
  const [paused] = useDebouncedValue(typed, pauseMilliseconds)
  const isAsked = paused.length >= lengthMin
  const search = { search: paused }
  const orders = useRead('orders', '/app/api/orders', search, { enabled: isAsked, staleTime: 5_000 })
  const customers = useRead('customers', '/app/api/customers', search, { enabled: isAsked, staleTime: 5_000 })
  const inRail: readonly Place[] = destinationsFor(me)
    .filter(({ isOnlyInBar }) => isOnlyInBar !== true)
    .map(({ title, href }) => ({ title, path: href, words: appFindWords.otherNames[href] ?? '' }))
  const screens = [...inRail, ...innerScreens]
    .filter(({ permission }) => permission === undefined || me.permissions.includes(permission))
    .filter(({ path }) => me.view === null || !path.startsWith('/profile'))
    .filter(({ title, words = '' }) => matchesWords(typed, `${title} ${words}`))
    .map(({ title, path }): Choice => ({ key: path, group: findWords.screens, title, detail: '', path }))
  // The answers for an earlier text are left out, because Enter might open one of them.
  const isCurrent = isAsked && typed === paused
  const foundOrders = (isCurrent ? (orders.data?.orders ?? []) : []).slice(0, shownMax).map((order): Choice => {
    const detail = `${goodsWords(order)} · ${relativeMoment(order.created_at)}`
    const path = `/orders/${order.order_id}`
    return { key: path, group: frameWords.orders, title: recipientWords(order), detail, path }
  })
  const foundCustomers = (isCurrent ? (customers.data?.customers ?? []) : []).slice(0, shownMax).map((customer): Choice => {
    const path = `/customers/${customer.customer_id}`
    const detail = customer.numbers.map(groupDigits).join(', ')
    return { key: path, group: frameWords.customers, title: customer.name, detail, path }
  })
  return {
    choices: [...screens, ...(me.view === null ? signOutFor(typed) : []), ...foundOrders, ...foundCustomers],
    more: [],
    isSearching: typed !== paused || orders.isFetching || customers.isFetching,
    error: orders.error ?? customers.error,
  }
}
