import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEffects } from '../breaches/find-effect-breaches.ts'
import { askSmsc, type TakenText } from '../breaches/find-text-breaches.ts'
import type { Answer, Client } from '../client.ts'
import type { Installation } from '../installation.ts'
import { liftRateLimits, openCommissionShop, openSmsShop } from '../open-shop.ts'
import { waitUntil } from '../wait-until.ts'
import type { Backups } from './backups.ts'

type Shop = {
  readonly installation: Installation
  readonly client: Client
  readonly keys: Readonly<Record<'standard' | 'commission' | 'sms', string>>
  readonly voucherType: { readonly name: string; readonly id: string }
}

/** A purchase. No other purchase has its number, account or reference. */
type Purchase = { readonly path: string; readonly key: keyof Shop['keys']; readonly body: Readonly<Record<string, unknown>> }

const vouchersInStock = 12
/** Long enough for the worker to send what it may not. */
const heldMilliseconds = 3_000

const numberOf = (no: number) => `024${String(1_000_000 + no)}`

/** A round of purchases: three bundles, airtime, a bill, a campaign of three texts and a voucher. */
function purchasesOf(round: string, first: number, { voucherType }: Shop): Purchase[] {
  const bundle = (no: number): Purchase => ({
    path: '/data/purchase',
    key: 'standard',
    body: { network: 'MTN', volume_gb: 1, recipient: numberOf(first + no), reference: `${round}-data-${no}` },
  })
  const airtime = { network: 'MTN', beneficiary_phone: numberOf(first + 3), amount: 5, reference: `${round}-airtime` }
  const bill = { biller: 'gotv', account: String(1_000_000 + first), amount: 10, reference: `${round}-bill` }
  const texts = {
    message: `Round ${round}`,
    recipients: [4, 5, 6].map((no) => numberOf(first + no)),
    reference: `${round}-texts`,
  }
  return [
    ...[0, 1, 2].map(bundle),
    { path: '/airtime/purchase', key: 'commission', body: airtime },
    { path: '/utilities/pay', key: 'commission', body: bill },
    { path: '/sms/send', key: 'sms', body: texts },
    {
      path: '/resultschecker/purchase',
      key: 'standard',
      body: { typeId: voucherType.id, quantity: 1, reference: `${round}-voucher` },
    },
  ]
}

async function ask({ client, installation, keys }: Shop, { path, key, body }: Purchase): Promise<Answer> {
  const url = `${installation.apis[0]?.url}/api/v2${path}`
  const outcome = await client.ask({ url, method: 'POST', key: keys[key], body })
  if (outcome.kind === 'failure') throw new Error(`${path}: ${outcome.code}`)
  return outcome
}

/** Answers by their status and reason, such as `503 history_held`. */
const nameOf = ({ status, headers }: Answer) => [status, headers['x-error-reason']].filter((word) => word !== undefined).join(' ')

/** Places all. @returns the serial numbers of the vouchers that were sold */
async function sell(shop: Shop, purchases: readonly Purchase[]): Promise<string[]> {
  const serials: string[] = []
  for (const purchase of purchases) {
    const answer = await ask(shop, purchase)
    if (answer.status !== 200) throw new Error(`${purchase.path}: ${answer.text}`)
    const { vouchers = [] } = (answer.body?.data ?? {}) as { vouchers?: Record<string, string>[] }
    serials.push(...vouchers.map((voucher) => JSON.stringify(voucher)))
  }
  return serials
}

async function openShops(installation: Installation): Promise<Shop> {
  const [goods, sms, client] = await Promise.all([
    openCommissionShop(installation, { name: 'restore', fundsGhs: '10000.00' }),
    openSmsShop(installation, { name: 'texts', credits: 1_000 }),
    installation.openClient({ patienceSeconds: 40 }),
    liftRateLimits(installation),
  ])
  const name = 'WASSCE'
  const prices = ['--price-customer', '20', '--price-agent', '17.50', '--price-dealer', '16.50']
  await installation.command('voucher-type', 'set', name, ...prices)
  const file = join(installation.dataDir, 'vouchers.csv')
  const lines = Array.from({ length: vouchersInStock }, (_, no) => `PIN-${1_000 + no},SERIAL-${no}`)
  await writeFile(file, ['pin,serial_number', ...lines].join('\n'))
  await installation.command('vouchers', 'import', '--type', name, file)
  const [row] = await installation.query<{ id: string }>('select id from voucher_types where name = $1', [name])
  const keys = { standard: goods.key, commission: goods.commissionKey, sms: sms.key }
  return { installation, client, keys, voucherType: { name, id: row?.id ?? '' } }
}

/** Everything that reached somebody: bundles, airtime and payments by their recipient, and texts. */
async function listReceived(installation: Installation): Promise<string[]> {
  const [effects, { texts }] = await Promise.all([
    readEffects(installation),
    askSmsc<{ texts: TakenText[] }>(installation, '/smsc/texts'),
  ])
  return [
    ...effects.map(({ product, recipient }) => `${product} for ${recipient}`),
    ...texts.map(({ recipient, text }) => `"${text}" to ${recipient}`),
  ]
}

const receiptsOfRound = 8

const untilReceived = (installation: Installation, rounds: number) =>
  waitUntil(`${rounds} rounds are delivered`, async () => (await listReceived(installation)).length >= rounds * receiptsOfRound)

/** Runs a command of two people. */
async function runByTwoPeople(installation: Installation, ...words: string[]): Promise<void> {
  for (const by of ['ama', 'kofi']) await installation.command(...words, '--reason', 'rehearsal', '--by', by)
}

function findRepeats(what: readonly string[], verb: string): string[] {
  return [...Map.groupBy(what, (each) => each)].flatMap(([each, all]) =>
    all.length > 1 ? [`${each} was ${verb} ${all.length} times`] : [],
  )
}

type HistoryShown = {
  is_held: boolean
  gap: { reason: string; kept_back: Record<string, number> } | null
  missing: { reference: string }[]
}

/**
 * Finds breaches of what must hold until two people have accepted the restored history: nothing is sold or sent, and one alarm
 * is open.
 */
async function findHeldBreaches(shop: Shop, lost: readonly Purchase[], say: (line: string) => void): Promise<string[]> {
  const { installation } = shop
  const breaches: string[] = []
  const before = await listReceived(installation)
  const answers = new Set<string>()
  for (const purchase of [...lost, ...purchasesOf('early', 800, shop)]) answers.add(nameOf(await ask(shop, purchase)))
  await sleep(heldMilliseconds)
  if (answers.size !== 1 || !answers.has('503 history_held')) breaches.push(`purchases were answered ${[...answers].join(', ')}`)
  const after = await listReceived(installation)
  if (after.length !== before.length) breaches.push(`${after.length - before.length} were sent while history was held`)
  const shown = await installation.command<HistoryShown>('history', 'show')
  if (!shown.is_held) breaches.push('history is not held')
  const alarms = await installation.query(`select from alarms where name = 'history_went_back' and cleared_at is null`)
  if (alarms.length !== 1) breaches.push(`${alarms.length} alarms history_went_back are open`)
  if (shown.missing.length !== lost.length) breaches.push(`${shown.missing.length} orders are named as missing`)
  say(`held: ${shown.gap?.reason}; ${shown.missing.length} acknowledged orders are named as missing`)
  return breaches
}

/**
 * Sells, backs up while orders are open, delivers them and sells on, restores, and goes on as `docs/operating/history.md` says.
 * The API is paused during the restore, not stopped, so it remembers what it acknowledged.
 * @returns the breaches, in words
 */
export async function rehearseRestore(
  installation: Installation,
  copies: Backups,
  say: (line: string) => void,
): Promise<string[]> {
  const shop = await openShops(installation)
  const [api, worker] = [installation.apis[0], installation.workers[0]]
  const [kept, lost] = [purchasesOf('kept', 100, shop), purchasesOf('lost', 200, shop)]
  await worker?.kill()
  const sold = await sell(shop, kept)
  await copies.backUp(installation)
  await worker?.start()
  await untilReceived(installation, 1)
  sold.push(...(await sell(shop, lost)))
  await untilReceived(installation, 2)
  say(
    `sold ${kept.length} before the backup and ${lost.length} after it; all ${(await listReceived(installation)).length} are delivered`,
  )

  api?.pause()
  await worker?.kill()
  await copies.restore(installation)
  api?.resume()
  await worker?.start()
  await waitUntil(
    'the API says that history is held',
    async () => nameOf(await ask(shop, kept[0] as Purchase)) === '503 history_held',
  )
  await waitUntil('what the API knows is written', async () => {
    const { missing } = await installation.command<HistoryShown>('history', 'show')
    return missing.length >= lost.length
  })
  const breaches = await findHeldBreaches(shop, lost, say)

  await runByTwoPeople(installation, 'history', 'accept')
  await waitUntil('the API sells again', async () => (await ask(shop, kept[0] as Purchase)).status === 200)
  breaches.push(...(await findBreachesAfter(shop, kept, lost, sold, say)))
  return breaches
}

/**
 * Prints whether the chains fit the heads that a worker noted, some of them in the lost history. Then moves these heads away
 * and checks the chains alone: they must be as they were sealed.
 */
async function findChainBreaches(installation: Installation, say: (line: string) => void): Promise<string[]> {
  const noted = await installation.tryCommand('audit', '--chain')
  say(
    `the chains, with the heads that were noted before: ${noted.exitCode === 0 ? 'as they were sealed' : JSON.stringify(noted.json)}`,
  )
  const heads = join(installation.dataDir, 'chain-heads.txt')
  await rename(heads, `${heads}.lost`).catch(() => undefined)
  const { exitCode, json } = await installation.tryCommand('audit', '--chain')
  return exitCode === 0 ? [] : [`the chains: ${JSON.stringify(json)}`]
}

/** Finds breaches after the acceptance: resellers repeat all that they ever sent, and buy more. */
async function findBreachesAfter(
  shop: Shop,
  kept: readonly Purchase[],
  lost: readonly Purchase[],
  sold: readonly string[],
  say: (line: string) => void,
): Promise<string[]> {
  const { installation, voucherType } = shop
  const breaches: string[] = []
  const expected = async (purchases: readonly Purchase[], wanted: RegExp) => {
    for (const purchase of purchases) {
      const answer = await ask(shop, purchase)
      if (!wanted.test(nameOf(answer))) breaches.push(`${String(purchase.body['reference'])} was answered ${answer.text}`)
    }
  }
  await expected(kept, /^200$/)
  await expected(lost, /^503 outcome_unknown$/)
  const [voucher] = purchasesOf('early', 800, shop).filter(({ path }) => path.startsWith('/results'))
  if (voucher) await expected([voucher], /^404/)

  await runByTwoPeople(installation, 'vouchers', 'withdraw', '--type', voucherType.name, '--oldest', '1')
  await installation.command('voucher-type', 'set', voucherType.name, '--active', 'true')
  const more = await sell(shop, purchasesOf('after', 300, shop))
  await untilReceived(installation, 3)
  await waitUntil('no order waits for a supplier', async () => {
    // The campaign that was open stays paused until a person resumes or cancels it.
    const open = await installation.query(`select from open_orders where route not like 'loop/%'`)
    return open.length === 0
  })
  const received = await listReceived(installation)
  breaches.push(...findRepeats(received, 'received'), ...findRepeats([...sold, ...more], 'sold'))
  const audit = await installation.tryCommand('audit', '--full')
  if (audit.exitCode !== 0) breaches.push(`the audit found ${JSON.stringify(audit.json)}`)
  breaches.push(...(await findChainBreaches(installation, say)))
  const { gap } = await installation.command<HistoryShown>('history', 'show')
  say(
    `accepted: ${JSON.stringify(gap?.kept_back)}; ${received.length} received in all, ${sold.length + more.length} vouchers sold`,
  )
  return breaches
}
