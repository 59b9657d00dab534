import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { transferInstructions } from '../../server/src/money/top-ups/top-ups.settings.ts'
import { writeCommissionPlan } from '../../server/src/money/write-commission-plan.ts'
import { until } from '../../server/src/orders/dispatch/order-bench.fixture.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { keysOf, stockVouchers } from '../../server/src/products/results-checker/stock-vouchers.fixture.ts'
import { setByTwoPeople } from '../../server/test/set-by-two-people.ts'
import { amountTexts } from '../src/both/money/amount-texts.fixture.ts'
import { expectVisible } from './expect-visible.ts'
import { type BrowserShop, setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const airtime = { network: 'MTN', beneficiary_phone: '0241234567', amount: 50, reference: 'airtime-1' }
let orderId = ''

/** Prepares a delivered order that earned commission, vouchers in stock, and instructions for top-ups by transfer. */
async function prepare(opened: BrowserShop): Promise<void> {
  const { db, app } = opened
  const shares = [{ product: 'airtime', role: 'agent', shareBasisPoints: 5_000 }] as const
  await inTransaction(db, (tx) => writeCommissionPlan(tx, { shares }))
  await setByTwoPeople(db, transferInstructions, 'MoMo to 024 000 0000.')
  await stockVouchers(db, await keysOf(app), 3, { name: 'WASSCE' })
  await app.untilSeen()
  const page = await opened.openPage({ as: 'owner', path: null })
  const bought = await page.request.post('/app/api/airtime/purchase', {
    data: { orders: [airtime] },
    headers: { origin: app.url },
  })
  expect(bought.status()).toBe(200)
  await opened.startWorker()
  await until(async () => {
    const order = await db.selectFrom('orders').select(['id', 'status']).executeTakeFirst()
    orderId = order?.id ?? ''
    return order?.status === 'completed'
  })
  await opened.stopWorker()
}

const shop = setUpShopInBrowser({ hasStaff: true, isSimulated: true, prepare })

type FieldScreen = {
  readonly name: string
  /** The files of `dashboard/src` whose fields are seen there. */
  readonly files: readonly string[]
  readonly as: 'owner' | 'staff owner'
  readonly path: () => string
  readonly open?: (page: Page) => Promise<unknown>
  /** The button that would send, where the fields stand in no form of their own. */
  readonly sends?: RegExp
}

const press = (name: string) => async (page: Page) => page.getByRole('button', { name, exact: true }).first().click()
const pressAndChoose = (name: string, label: string, choice: string) => async (page: Page) => {
  await press(name)(page)
  await page.getByRole('dialog').getByLabel(label, { exact: true }).selectOption(choice)
}
const pressInPanel = (name: string) => async (page: Page) =>
  page.getByRole('complementary').getByRole('button', { name, exact: true }).first().click()

const inApp = (name: string, file: string, path: string, more: Pick<FieldScreen, 'open' | 'sends'> = {}): FieldScreen => ({
  name,
  files: [`app/${file}`],
  as: 'owner',
  path: () => `/app${path}`,
  ...more,
})
const atDesk = (
  name: string,
  files: readonly string[],
  path: string | (() => string),
  open?: FieldScreen['open'],
): FieldScreen => ({
  name,
  as: 'staff owner',
  files: files.map((file) => `desk/${file}`),
  path: () => `/desk${typeof path === 'string' ? path : path()}`,
  ...(open && { open }),
})
const account = () => `/accounts/${shop.accountId}/all`
const setting = (name: string) =>
  atDesk(`the setting ${name}`, ['switches/value-field.tsx'], `/switches?setting=${name}`, pressInPanel('Change'))

const fieldScreens: readonly FieldScreen[] = [
  inApp('airtime', 'buy/airtime-form.tsx', '/buy/airtime', {
    open: (page) => page.getByLabel('Numbers, one or many').fill('0241234567'),
    // Before an amount is read, the button says what comes first.
    sends: /^(?:Buy|Choose an amount)/,
  }),
  inApp('bills', 'buy/bill-account.tsx', '/buy/bills', {
    open: async (page) => {
      await page.getByRole('radio', { name: 'DSTV' }).check()
      await page.getByLabel('Smartcard number').fill('7023456789')
      await press('Find the account')(page)
    },
    sends: /^Pay/,
  }),
  inApp('vouchers', 'buy/vouchers-form.tsx', '/buy/vouchers', { sends: /^Buy/ }),
  {
    ...inApp('own prices', 'prices/price-rows.tsx', '/prices', {
      open: (page) => page.getByLabel('Rule for Data').selectOption('add'),
      sends: /^Save/,
    }),
    files: ['app/prices/price-rows.tsx', 'app/prices/margin-rules.tsx'],
  },
  inApp('a spending limit', 'team/member-spending.tsx', '/team', {
    open: async (page) =>
      page
        .getByRole('button', { name: /^Change / })
        .first()
        .click(),
  }),
  inApp('commission', 'wallet/move-commission.tsx', '/wallet?purse=commission'),
  inApp('a top-up by itself', 'top-up/floor-section.tsx', '/top-up', { open: press('Set it up') }),
  inApp('a top-up', 'top-up/top-up-amount.tsx', '/top-up', { sends: /^Pay/ }),
  inApp('the low balance', 'notices/choices-form.tsx', '/notices'),
  atDesk('a credit', ['accounts/credit-form.tsx'], account),
  atDesk('SMS credits', ['accounts/credit-form.tsx'], account, async (page) =>
    page.getByRole('combobox', { name: 'Wallet', exact: true }).first().selectOption('sms_credits'),
  ),
  atDesk('a correction', ['accounts/credit-form.tsx'], account, press('Correct a wallet')),
  atDesk('the price list', ['packages/packages-screen.tsx'], '/packages'),
  atDesk('a new package', ['packages/package-form.tsx'], '/packages/new', (page) =>
    page.getByLabel('Add an offer of').selectOption('datamart'),
  ),
  atDesk('prices by a part', ['packages/shift-prices.tsx'], '/packages', press('Change prices')),
  atDesk('prices by an amount', ['packages/shift-prices.tsx'], '/packages', pressAndChoose('Change prices', 'Unit', 'amount')),
  atDesk('an adjustment', ['orders/order-acts.tsx'], () => `/orders/${orderId}`, pressInPanel('Adjust')),
  atDesk('a new voucher type', ['vouchers/type-acts.tsx'], '/vouchers', press('New type')),
  atDesk('prices of vouchers', ['vouchers/type-acts.tsx'], '/vouchers', async (page) => {
    await press('WASSCE')(page)
    await pressInPanel('Change prices')(page)
  }),
  atDesk('the mark of vouchers', ['vouchers/type-acts.tsx'], '/vouchers', async (page) => {
    await press('WASSCE')(page)
    await pressInPanel('Alarm mark')(page)
  }),
  {
    ...atDesk('the cost of imported vouchers', ['vouchers/import-vouchers.tsx'], '/vouchers', async (page) => {
      await press('WASSCE')(page)
      const buffer = Buffer.from('pin,serial\n111122223333,COST-1\n')
      await page.getByLabel('File of vouchers').setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer })
      await page.getByLabel('What each voucher cost you').waitFor()
    }),
    sends: /^Import/,
  },
  atDesk('a cost of ours', ['reports/costs-part.tsx'], '/reports/costs', (page) =>
    page
      .getByRole('row', { name: /paystack/i })
      .getByRole('button', { name: 'Enter' })
      .click(),
  ),
  atDesk('a float', ['suppliers/float-part.tsx'], '/suppliers/datamart?part=float', pressInPanel('Note a top-up')),
  atDesk('a supplier', ['suppliers/settings-part.tsx'], '/suppliers/datamart?part=settings', pressInPanel('Change settings')),
  atDesk('a pause', ['suppliers/route-acts.tsx'], '/suppliers/datamart?part=routes', pressInPanel('Pause all its routes')),
  atDesk('a priority', ['suppliers/route-acts.tsx'], '/suppliers/datamart?part=routes', pressInPanel('Change')),
  atDesk('a new route', ['suppliers/route-acts.tsx'], '/suppliers/datakazina?part=routes', pressInPanel('Add a route')),
  atDesk('commission', ['switches/commission-terms.tsx'], '/switches', press('Change')),
  setting('credit_limit_one_person'),
  setting('rate_limits'),
  setting('sms_credit_packs'),
]

/** The number that a person reads off a text: `= GHS 1,250.00` is 1250. */
const numberIn = (text: string): number => Number(text.replace('−', '-').replaceAll(/[^\d.-]/g, ''))

/** The parts of an input that the test uses. Tests are compiled without the types of a browser's page. */
type PageInput = {
  readonly validity: { readonly valid: boolean }
  readonly form: { checkValidity(): boolean } | null
  readonly value: string
  readonly ownerDocument: {
    readonly defaultView: { requestAnimationFrame(next: () => void): void }
    getElementById(id: string): { readonly textContent: string } | null
    querySelectorAll(
      tag: string,
    ): Iterable<{ readonly textContent: string; readonly disabled: boolean; checkVisibility(): boolean }>
    execCommand(command: string, isShown: boolean, text: string): boolean
  }
  readonly parentElement: { readonly parentElement: { querySelector(tag: string): { readonly textContent: string } | null } }
  getAttribute(name: string): string | null
  focus(): void
  select(): void
}

/** Types each text over the field's content, and notes the field's state after it. Runs in the page, to save round trips. */
const typeAll = async (element: unknown, { texts, sends }: { texts: readonly string[]; sends: string | undefined }) => {
  const field = element as PageInput
  const { ownerDocument: page } = field
  const looks = []
  for (const text of texts) {
    field.focus()
    field.select()
    page.execCommand('insertText', false, text)
    await new Promise<void>((resolve) => page.defaultView.requestAnimationFrame(resolve))
    const ids = (field.getAttribute('aria-describedby') ?? '').split(' ')
    const understood = field.parentElement.parentElement.querySelector('output')?.textContent ?? ''
    const isSender = (label: string) => sends !== undefined && new RegExp(sends).test(label.trim())
    const sender = [...page.querySelectorAll('button')].find((each) => isSender(each.textContent) && each.checkVisibility())
    looks.push({
      text: field.value,
      isRefused: !field.validity.valid,
      isSendable: field.form?.checkValidity() ?? false,
      isShut: sends === undefined || sender?.disabled === true,
      problem: field.getAttribute('aria-invalid') === 'true' ? ids.map((id) => page.getElementById(id)?.textContent) : [],
      understood: understood === '' ? field.value : understood,
    })
  }
  field.select()
  page.execCommand('delete', false, '')
  return looks
}

/** Tries one field with every text: it must read nothing but what the text means, and say why it refuses the others. */
async function tryField(field: Locator, { sends }: FieldScreen) {
  const looks = await field.evaluate(typeAll, { texts: amountTexts.map(({ text }) => text), sends: sends?.source })
  const read = looks.map(({ text, isRefused, isSendable, isShut, problem, understood }) =>
    isRefused ? { text, isReasonSaid: /\w/.test(problem.join(' ')), isSendable, isShut } : { text, number: numberIn(understood) },
  )
  const right = amountTexts.map(({ text, means }, no) =>
    looks[no]?.isRefused ? { text, isReasonSaid: true, isSendable: false, isShut: true } : { text, number: means },
  )
  return { read, right, isSomeAccepted: looks.some(({ isRefused }) => !isRefused) }
}

async function tryFieldScreen(page: Page, place: FieldScreen): Promise<Awaited<ReturnType<typeof tryField>>[]> {
  await page.goto(place.path())
  await place.open?.(page)
  const dialog = page.getByRole('dialog')
  const isInDialog = await dialog.isVisible()
  const fields = (isInDialog ? dialog : page).locator('input[data-amount]:not(:disabled)')
  await expectVisible(fields.first())
  const tried = []
  for (const field of await fields.all()) tried.push(await tryField(field, place))
  return tried
}

// All screens of a person are opened in one page: a new page for each would take twice as long as all the rest.
test.each(['owner', 'staff owner'] as const)(
  'no field of the %s reads a text as another number than it means, and none sends what it refuses',
  async (as) => {
    const page = await shop.openPage({ as, path: null, width: 1280 })
    for (const place of fieldScreens.filter((each) => each.as === as)) {
      const { name } = place
      const tried = await tryFieldScreen(page, place)
      expect({ name, read: tried.map(({ read }) => read) }).toEqual({ name, read: tried.map(({ right }) => right) })
      expect({ name, fields: tried.length > 0 && tried.every(({ isSomeAccepted }) => isSomeAccepted) }).toEqual({
        name,
        fields: true,
      })
    }
  },
)

const sources = fileURLToPath(new URL('../src/', import.meta.url))
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => ({ file, text: readFileSync(`${sources}${file}`, 'utf8') }))
const definitions = ['both/money/amount-field.tsx', 'both/form/fields.ts', 'both/form/form-fields.tsx']

test('the list above names every file that has a field for a number', () => {
  const withFields = files.filter(({ file, text }) => /<AmountField\b|kind: 'amount'/.test(text) && !definitions.includes(file))
  expect(withFields.map(({ file }) => file).toSorted()).toEqual(
    [...new Set(fieldScreens.flatMap((place) => place.files))].toSorted(),
  )
})

/** Digits that are no number: codes, phone numbers, numbers of accounts. */
const digitsOnly = [
  'app/buy/afa-form.tsx',
  'app/buy/bill-account.tsx',
  'app/notices/choices-form.tsx',
  'app/profile/phone-code-field.tsx',
  'both/second-factor/second-factor.tsx',
  'both/sign-in/confirmation-dialog.tsx',
  'both/sign-in/sign-in-form.tsx',
  'desk/numbers/ported-section.tsx',
  'desk/numbers/prefix-section.tsx',
]

test('no other field asks for a number', () => {
  const others = files.filter(({ text }) =>
    /inputMode(?:="|: ')(?:numeric|decimal)|type="number"|<NumberInput\b|parseFloat\(/.test(text),
  )
  expect(others.map(({ file }) => file).toSorted()).toEqual(digitsOnly)
})
