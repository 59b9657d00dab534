import { officeWalks } from './desk/list-walks-of-office.ts'
import { orderWalks } from './desk/list-walks-of-orders.ts'
import { type ListWalk, lastWeek, yesterday } from './list-walk.ts'
import type { Face } from './screen-paths.ts'

const appLists: readonly ListWalk[] = [
  {
    sources: ['app/orders/orders-screen.tsx'],
    path: '/orders',
    list: 'Orders',
    more: 'Show older orders',
    answers: '/app/api/orders',
    says: ({ product, recipient }) => (product === 'sms' ? [] : [recipient]),
    fields: [
      ['Reference or number', 'REFERENCE', 'search=REFERENCE'],
      ['Product', 'data', 'product=data'],
      ['State', 'completed', 'status=completed'],
      ['How long', 'yes', 'slow=yes'],
      ['Network', 'MTN', 'network=MTN'],
      ['From day', yesterday, `from=${yesterday}`],
      ['To day', lastWeek, `to=${lastWeek}`],
    ],
  },
  {
    sources: ['app/wallet/entry-list.tsx', 'app/wallet/wallet-screen.tsx'],
    path: '/wallet',
    list: 'Entries',
    more: 'Show older entries',
    answers: '/app/api/wallet/entries?purse=main',
    nextAs: 'before',
    says: ['balance_before', 'balance_after'],
    fields: [
      ['Wallets', 'Commission', 'purse=commission'],
      ['What', 'purchase', 'kind=purchase'],
      ['From day', yesterday, `from=${yesterday}`],
      ['To day', lastWeek, `to=${lastWeek}`],
    ],
    otherFields: ['Month'],
  },
  {
    sources: ['app/requests/requests-screen.tsx'],
    path: '/requests',
    list: 'Requests',
    more: 'Show older ones',
    answers: '/app/api/requests',
    says: ['path', 'key_hint', 'status'],
    fields: [
      ['Answer', '4xx', 'status=4xx'],
      ['Endpoint', '/orders/:reference', 'path=/orders/:reference'],
      ['Key', 'KEY', 'key_id=KEY'],
      ['Reference', 'called-17', 'reference=called-17'],
    ],
  },
  {
    sources: ['app/notices/notices-screen.tsx'],
    path: '/notices',
    list: 'What we told you',
    more: 'Show older notices',
    answers: '/app/api/notices',
    says: ['subject', 'text'],
    fields: [],
    otherFields: ['Phone for SMS', 'Tell me when the balance is below'],
  },
  {
    sources: ['app/top-up/top-up-list.tsx'],
    path: '/top-up',
    list: 'Your top-ups',
    more: 'Show more',
    answers: '/app/api/top-ups?limit=10',
    says: ['amount'],
    fields: [],
    otherFields: ['How you pay', 'What your wallet gets, in GHS'],
  },
  {
    sources: ['app/sms/sms-screen.tsx'],
    path: '/sms',
    list: 'Campaigns',
    // Scheduled campaigns are in another list above.
    isIn: ({ state }) => state !== 'scheduled',
    more: 'Show older ones',
    answers: '/app/api/sms/campaigns',
    nextAs: 'before',
    says: ['message'],
    fields: [],
  },
  {
    sources: ['app/sms/campaign-messages.tsx'],
    path: '/sms/campaigns/CAMPAIGN',
    list: 'Numbers',
    more: 'Next',
    isReplaced: true,
    answers: '/app/api/sms/campaigns/CAMPAIGN/messages',
    nextAs: 'page',
    says: ['number'],
    fields: [['State', 'sent', 'status=sent']],
  },
]

/** Every list of both faces that comes in pages or has filters. */
export const listWalks: Readonly<Record<Face, readonly ListWalk[]>> = { app: appLists, desk: [...orderWalks, ...officeWalks] }

/** Files that use pages or filters and hold no list to walk, each with the reason. */
export const noLists: Readonly<Record<string, string>> = {
  'both/api/use-read.ts': 'the call behind every list',
  'both/list/list-screen.tsx': 'the screen behind lists, which name themselves',
  'desk/reconcile/float-view.tsx': 'the days of one supplier, which its field names',
  'desk/reconcile/statement-panel.tsx': 'one statement',
  'desk/reports/owed-report.tsx': 'a report of a day',
  'desk/reports/sales-report.tsx': 'a report of a period',
  'desk/reports/tax-report.tsx': 'a report of a period',
  'desk/staff/staff-screen.tsx': 'the chosen person',
  'desk/suppliers/supplier-panel.tsx': 'the tab of a panel',
  'desk/suppliers/suppliers-screen.tsx': 'the tab of a screen',
  'desk/switches/switches-screen.tsx': 'a table for each group of settings; stock-and-switches.test.ts searches them',
  'desk/vouchers/vouchers-screen.tsx': 'the chosen type, and one voucher',
}
