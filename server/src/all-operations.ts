import type { StaffOperation } from './platform/operations/operation.ts'

/**
 * Operations whose commands begin with the same word. They are loaded only when that word is typed, so that other commands
 * start sooner.
 */
export type OperationRoom = {
  readonly command: string
  /** The line in the help. */
  readonly summary: string
  /** The summaries of its groups, such as `sender pool`. */
  readonly groups?: Readonly<Record<string, string>>
  /** The end of the help, below the examples. */
  readonly explanation?: string
  readonly load: () => Promise<readonly StaffOperation<unknown>[]>
}

const accounts: OperationRoom = {
  command: 'account',
  summary: 'create resellers’ accounts, change their roles, suspend them',
  async load() {
    const { businessCommands } = await import('./accounts/desk/business.operations.ts')
    return [...(await import('./people/accounts-at-desk/accounts.operations.ts')).accountOperations, ...businessCommands]
  },
}

const members: OperationRoom = {
  command: 'member',
  summary: 'the persons who sign in with a browser for an account',
  load: async () => (await import('./people/accounts-at-desk/account-people.operations.ts')).memberOperations,
}

const staff: OperationRoom = {
  command: 'staff',
  summary: 'the operator’s own persons who sign in with a browser',
  load: async () => (await import('./people/staff/staff.operations.ts')).staffOperations,
}

const keys: OperationRoom = {
  command: 'key',
  summary: 'create, approve and revoke API keys',
  load: async () => (await import('./accounts/desk/keys.operations.ts')).keyOperations,
}

/** The products that follow the number plan. Together they have every network that a phone number can be on. */
async function loadNumberProducts(): Promise<string[]> {
  const { products } = await import('./products/products.ts')
  return products.filter(({ followsNumberPlan }) => followsNumberPlan).map(({ name }) => name)
}

const prefixes: OperationRoom = {
  command: 'prefix',
  summary: 'show and change which prefixes belong to which network; in force on all processes within a second',
  async load() {
    const { prefixOperations } = await import('./networks/number-plan.operations.ts')
    return prefixOperations(await loadNumberProducts())
  },
}

const portedNumbers: OperationRoom = {
  command: 'ported',
  summary: 'show and change which numbers were carried to another network; in force on all processes within a second',
  async load() {
    const { portedOperations } = await import('./networks/number-plan.operations.ts')
    return portedOperations(await loadNumberProducts())
  },
}

const accountMoney = () => import('./people/accounts-at-desk/account-money.operations.ts')

const wallets: OperationRoom = {
  command: 'wallet',
  summary: 'credit, correct and show the wallets of an account, and their statements',
  explanation: `A credit above the setting credit_limit_one_person, and every correction, takes two people: one proposes, another one
runs \`makola approvals confirm\`.`,
  async load() {
    const { walletOperations, accountMoneyOperations } = await accountMoney()
    return [...walletOperations, ...accountMoneyOperations]
  },
}

const webhooks: OperationRoom = {
  command: 'webhook',
  summary: 'the endpoints of resellers that hear of their orders and money: list, pause, resume, send once more',
  load: async () => (await import('./notices/webhooks/webhooks.operations.ts')).webhookOperations,
}

const topUps: OperationRoom = {
  command: 'top-up',
  summary: 'money that resellers pay in: what waits for a person, and what gateways said',
  explanation: `A transfer above the setting credit_limit_one_person takes two people: one runs \`confirm\`, another one as well, or
\`makola approvals confirm\`.`,
  load: async () => (await import('./accounts/top-ups/top-ups.operations.ts')).topUpOperations,
}

const smsCredits: OperationRoom = {
  command: 'sms',
  summary: 'credit and correct SMS credits, try the content policy',
  async load() {
    const { campaignOperations } = await import('./products/sms/desk/campaigns.operations.ts')
    return [...(await accountMoney()).smsOperations, ...campaignOperations]
  },
}

const senders: OperationRoom = {
  command: 'sender',
  summary: 'the names under which SMS are sent: of accounts, and of the pool that everybody may use',
  groups: { pool: 'the senders of the pool' },
  load: async () => (await import('./products/sms/desk/senders.operations.ts')).senderOperations,
}

const approvals: OperationRoom = {
  command: 'approvals',
  summary: 'list, confirm and refuse what takes two people',
  explanation: "A proposal waits for 7 days. Nobody confirms their own; refusing takes one's own proposal back.",
  async load() {
    const { approvalOperations } = await import('./people/desk/approvals.operations.ts')
    return approvalOperations((await import('./all-approval-kinds.ts')).allApprovalKinds)
  },
}

const commission: OperationRoom = {
  command: 'commission',
  summary: 'show and move commission, and set its rates and shares',
  explanation: `Commission is what a supplier pays for an order: what it reports, else the rate set here. Of that, the reseller
gets the share of its role; orders that exist keep the rate and share they were placed with.`,
  load: async () => (await import('./desk/commission.operations.ts')).commissionOperations,
}

const costs: OperationRoom = {
  command: 'cost',
  summary: 'what vouchers, registrations, SMS segments and payment gateways cost, for the margin in reports',
  explanation: `No supplier reports these costs. Until they are entered, reports show the cost with ≥ and the margin with ≤. A cost
counts from a moment on: of a batch from its import, else from now; --from names another one. The worker then counts the costs of the
days since then anew. What was entered before stays in the history.`,
  load: async () => (await import('./desk/costs.operations.ts')).costOperations,
}

const settings: OperationRoom = {
  command: 'setting',
  summary: 'show and change the operator’s switches; in force on all processes within a second',
  load: async () => (await import('./desk/settings.operations.ts')).settingOperations,
}

const routes: OperationRoom = {
  command: 'route',
  summary: 'the routes: supplier, product and network',
  load: async () => (await import('./suppliers/desk/routes.operations.ts')).routeCommands,
}

const orders: OperationRoom = {
  command: 'order',
  summary: 'list and show orders, ask suppliers about them, settle stuck ones, make ended ones good',
  explanation: `An order is named by its reference, by one of ours or by its id.
A stuck order is settled by two people: the first one proposes, a second one confirms. A failed order is refunded.
So is a purchase of vouchers that two people take back; the vouchers stay with it and are never sold again.
Any other order that has ended stays what it is; two people may give its reseller up to its price, or take it back.`,
  async load() {
    const { orderOperations } = await import('./orders/desk/orders.operations.ts')
    return orderOperations((await import('./products/products.ts')).products)
  },
}

const voucherTypes: OperationRoom = {
  command: 'voucher-type',
  summary: 'make and change the types of results-checker vouchers',
  load: async () => (await import('./products/results-checker/desk/voucher-types.operations.ts')).voucherTypeOperations,
}

const vouchers: OperationRoom = {
  command: 'vouchers',
  summary: 'import results-checker vouchers, count the stock, and take unsold ones out',
  explanation: `A file is CSV whose first line names the columns pin and serial_number (also: PIN code, serial, Serial No, S/N),
in any order; other columns are passed over. PINs and serial numbers may be any printable text. Vouchers that are
in stock or sold already are skipped; with a bad row nothing is imported.`,
  load: async () => (await import('./products/results-checker/desk/voucher-types.operations.ts')).voucherStockOperations,
}

const afa: OperationRoom = {
  command: 'afa',
  summary: 'work off AFA registrations',
  explanation: 'Numbers of cards and dates of birth are masked in lists; whoever sees them gives a reason, which is logged.',
  load: async () => (await import('./products/afa/afa.operations.ts')).afaOperations,
}

const alerts: OperationRoom = {
  command: 'alert',
  summary: 'list and clear alarms, and try how they are told',
  explanation: 'They are sent to the settings alert_email and alert_webhook_url; `makola alert test` tries both.',
  load: async () => (await import('./notices/at-desk/alarms.operations.ts')).alarmOperations,
}

const notices: OperationRoom = {
  command: 'notices',
  summary: 'what resellers were told by mail and SMS',
  load: async () => (await import('./accounts/notices/notices.operations.ts')).noticeOperations,
}

const problems: OperationRoom = {
  command: 'problem',
  summary: 'problems that resellers report from the app: read, answer, close',
  load: async () => (await import('./accounts/problems/problems.operations.ts')).problemOperations,
}

const personalData: OperationRoom = {
  command: 'personal',
  summary: 'what is kept about a person’s number: show it, erase it',
  explanation: `For a person who asks. Erasing takes two people: one runs \`erase\`, another one as well, or \`makola approvals confirm\`.
Old data is forgotten without this; the settings say when.`,
  load: async () => (await import('./personal/personal.operations.ts')).personalOperations,
}

const history: OperationRoom = {
  command: 'history',
  summary: 'when the database’s history went back: what is missing, and going on',
  explanation: `While history is not accepted, nothing is sold and nothing is sent. Accepting takes two people: one runs \`accept\`, another
one as well, or \`makola approvals confirm\`.`,
  async load() {
    const [{ historyOperations }, { historyKind }, { products }] = await Promise.all([
      import('./orders/history/history.operations.ts'),
      import('./orders/history/accept-history.ts'),
      import('./products/products.ts'),
    ])
    return historyOperations(historyKind(products), products)
  },
}

/** All operations of the staff, for the desk's routes and for the commands. */
export const operationRooms = {
  accounts,
  members,
  staff,
  keys,
  webhooks,
  wallets,
  topUps,
  smsCredits,
  approvals,
  commission,
  costs,
  settings,
  orders,
  routes,
  prefixes,
  portedNumbers,
  alerts,
  notices,
  problems,
  senders,
  voucherTypes,
  vouchers,
  afa,
  personalData,
  history,
}
