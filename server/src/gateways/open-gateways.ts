import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type ConcludedTopUp, concludeTopUp } from '../money/top-ups/conclude-top-up.ts'
import type { Gateways, OpenedPayment, Payer, PaymentGateway } from '../money/top-ups/payment-gateway.ts'
import { readTopUp, type TopUpRow } from '../money/top-ups/read-top-up.ts'
import { isAskable } from '../money/top-ups/top-up-life.ts'
import { type Alarm, logAlarms, raiseAlarm, raiseAlarms } from '../notices/raise-alarm.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { gatewayAdapters } from './gateway-adapters.ts'
import { gatewayCallbackUrl } from './gateway-callback-address.ts'
import { readGatewayCredentials } from './gateway-credentials.ts'

export type GatewayDeps = {
  readonly db: Db
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly secretsKeys: SecretsKeys
  /** The payer's browser and the gateways' callbacks come to this public address. */
  readonly publicUrl: string
  /** Finds the simulator's present address; undefined while no simulator runs. Left out: the real gateways are called. */
  readonly findSimulator?: (() => Promise<string | undefined>) | undefined
}

/** The gateways of a process. Their rows are read anew for each use, so a change counts at once. */
export type OpenGateways = Gateways & {
  /** Finds a gateway, also one that is switched off, because its earlier payments are still asked about. */
  find(name: string): Promise<PaymentGateway | undefined>
  /** Asks about a top-up and carries out the decision, even if the gateway was asked a moment ago. */
  verifyNow(topUpId: string): Promise<void>
}

/** A waiting page repeats its request. For such pages the gateway is asked about one top-up at most once in this time. */
const askEverySeconds = 2

const notThere = 'the gateway is not configured, its credentials cannot be read, or the simulator is not running'

/**
 * Finds a gateway that can be called. One whose credentials cannot be unsealed counts as none, like one that is silent: an error
 * would keep its top-ups due for ever, before those of other gateways.
 */
async function findGateway(deps: GatewayDeps, name: string): Promise<PaymentGateway | undefined> {
  const adapter = gatewayAdapters.find((known) => known.name === name)
  if (!adapter) return undefined
  if (deps.findSimulator) {
    const url = await deps.findSimulator()
    return url === undefined ? undefined : adapter.open(`${url}/${name}`, adapter.simulatedCredentials)
  }
  const row = await deps.db.selectFrom('gateways').selectAll().where('name', '=', name).executeTakeFirst()
  const credentials = row && readGatewayCredentials(deps.secretsKeys, name, row.credentials)
  return credentials && adapter.open(row.base_url, credentials)
}

async function listEnabled(deps: GatewayDeps): Promise<ReadonlySet<string>> {
  if (deps.findSimulator) {
    const isRunning = (await deps.findSimulator()) !== undefined
    return new Set(isRunning ? gatewayAdapters.map(({ name }) => name) : [])
  }
  const rows = await deps.db.selectFrom('gateways').select('name').where('is_enabled', '=', true).execute()
  return new Set(rows.map(({ name }) => name))
}

function alarmsAbout({ topUp: { id, reference: subject }, decision: { problem } }: ConcludedTopUp): Alarm[] {
  if (problem?.kind === 'held') {
    const message = `Top-up ${id} is held: ${problem.message}. Nothing was credited.`
    return [{ name: 'top_up_held', subject, message, command: 'See `makola top-up show`.' }]
  }
  if (problem?.kind === 'contradiction') {
    const message = `Top-up ${id}: ${problem.message}. The wallet keeps the money until two people correct it.`
    return [{ name: 'top_up_contradiction', subject, message }]
  }
  return []
}

async function verifyNow(deps: GatewayDeps, topUpId: string): Promise<void> {
  const { db, log } = deps
  const topUp = await readTopUp(db, topUpId)
  const gateway = topUp && (await findGateway(deps, topUp.way))
  const answer = gateway ? await gateway.ask(topUp.reference) : ({ meaning: 'unanswered', evidence: notThere } as const)
  const { decision, alarms } = await inTransaction(db, async (tx) => {
    const concluded = await concludeTopUp(tx, topUpId, answer)
    return { ...concluded, alarms: await raiseAlarms(tx, alarmsAbout(concluded)) }
  })
  if (decision.to) log.info({ topUp: topUp?.reference ?? topUpId, to: decision.to, reason: decision.reason }, 'a top-up moved')
  logAlarms(log, alarms)
}

/** True when this call asks the gateway. Other calls within these seconds show the result of this one. */
async function claimAsking(db: Db, topUpId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update top_ups set asked_at = clock_timestamp()
    where id = ${topUpId}
      and (asked_at is null or asked_at < clock_timestamp() - make_interval(secs => ${askEverySeconds}))
    returning id`.execute(db)
  return rows.length > 0
}

async function requestPayment(deps: GatewayDeps, topUp: TopUpRow, email: string): Promise<OpenedPayment> {
  const gateway = await findGateway(deps, topUp.way)
  if (!gateway) return { meaning: 'refused', evidence: notThere }
  const { publicUrl, secretsKeys } = deps
  return gateway.open({
    reference: topUp.reference,
    chargedPesewas: topUp.amount + topUp.fee,
    email,
    returnUrl: `${publicUrl}/app/top-up/${topUp.id}`,
    phone: topUp.payer_phone ?? undefined,
    callbackUrl: gatewayCallbackUrl(publicUrl, secretsKeys, topUp.way, topUp.reference),
  })
}

/** Records that a payment was not opened, and raises an alarm when the gateway refuses us. */
async function failOpening(
  { db, log }: GatewayDeps,
  topUp: TopUpRow,
  { meaning, evidence }: Extract<OpenedPayment, { evidence: string }>,
): Promise<void> {
  const reason = topUp.payer_phone === null ? 'The payment page could not be opened.' : 'The payment could not be begun.'
  await inTransaction(db, (tx) => concludeTopUp(tx, topUp.id, { meaning: 'failed', evidence, reason }))
  if (meaning !== 'refused') return
  const message = `${topUp.way} refuses to take payments: ${evidence.slice(0, 300)}`
  await raiseAlarm(db, log, { name: 'gateway_refuses', subject: topUp.way, message })
}

async function openPayment(deps: GatewayDeps, topUp: TopUpRow, { email, isAgain }: Payer): Promise<boolean> {
  const { db, log } = deps
  const opened = await requestPayment(deps, topUp, email)
  if (opened.meaning === 'opened') {
    await db.updateTable('top_ups').set({ payment_url: opened.paymentUrl }).where('id', '=', topUp.id).execute()
    return true
  }
  if (opened.meaning === 'prompted') {
    // If a callback came first, its result is kept.
    const asked = { said: 'in_progress', unanswered_since: null }
    await db.updateTable('top_ups').set(asked).where('id', '=', topUp.id).where('state', '=', 'pending').execute()
    return true
  }
  const { evidence } = opened
  log.warn({ topUp: topUp.reference, evidence }, 'a payment could not be opened')
  // Without an answer, or when this was not the first request, the payer may have been asked on the phone after all, and
  // may approve. So the top-up stays open, and the gateway is asked about it.
  if (topUp.payer_phone !== null && (isAgain || opened.meaning === 'unanswered')) {
    await inTransaction(db, (tx) => concludeTopUp(tx, topUp.id, { meaning: 'unanswered', evidence }))
    return true
  }
  // Nobody can pay: no payer has the address of the payment page, or nobody was asked on the phone. The top-up has failed,
  // even if the gateway has recorded the payment.
  await failOpening(deps, topUp, opened)
  return false
}

export function openGateways(deps: GatewayDeps): OpenGateways {
  const { db } = deps
  return {
    find: (name) => findGateway(deps, name),
    verifyNow: (topUpId) => verifyNow(deps, topUpId),
    async offer() {
      const enabled = await listEnabled(deps)
      return gatewayAdapters.filter(({ name }) => enabled.has(name)).map(({ name, title, kind }) => ({ name, title, kind }))
    },
    companyOf: (name) => gatewayAdapters.find((known) => known.name === name)?.company ?? name,
    async open(topUpId, payer) {
      const topUp = await readTopUp(db, topUpId)
      return topUp !== undefined && (await openPayment(deps, topUp, payer))
    },
    async verify(topUpId) {
      const topUp = await readTopUp(db, topUpId)
      if (topUp && isAskable(topUp.state) && (await claimAsking(db, topUpId))) await verifyNow(deps, topUpId)
    },
  }
}
