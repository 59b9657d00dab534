import type { DemoAccount, DemoWorld } from './demo-world.ts'

/** In the demo, a credit of this amount or more takes two people. */
const twoPeopleFromPesewas = 300_000

/** Of this many credits to an account, the fifth is typed twice, and then taken back. */
const creditsPerMistake = 25
const mistakeNo = 5

const notes = ['MoMo', 'MoMo', 'MoMo', 'bank transfer', 'cash at the shop', 'MTN MoMo from Kwabɛna']
const people = ['ama', 'kofi', 'esi']

const creditCounts = new WeakMap<DemoWorld, number>()

function nextCreditNo(world: DemoWorld): number {
  const no = (creditCounts.get(world) ?? 0) + 1
  creditCounts.set(world, no)
  return no
}

type Purse = 'main' | 'sms_credits'

/** An amount as the demo's proposals write it. */
const inWords = (purse: Purse, amount: number) =>
  purse === 'main' ? `GHS ${(amount / 100).toFixed(2)}` : `${amount} SMS credits`

type Agreed = {
  readonly kind: string
  readonly id: string
  readonly accountId: string
  readonly purse: Purse
  readonly amount: number
  readonly request: object
  readonly reason: string
  readonly sign: 1 | -1
  readonly at: number
}

/** Writes an approved proposal. @returns both names */
function agree(world: DemoWorld, agreed: Agreed): string {
  const { id, kind, accountId, purse, amount, request, reason, sign, at } = agreed
  const [proposedBy, decidedBy] = world.chance.happens(0.5) ? ['ama', 'kofi'] : ['kofi', 'esi']
  const balance = world.balanceOf(accountId, purse)
  const proposedAt = at - world.chance.between(2, 40) * 60_000
  const [before, after] = [inWords(purse, balance), inWords(purse, balance + sign * amount)]
  const decided = { state: 'done' as const, decidedBy, decidedAt: at }
  world.rows.approvals.push({
    id,
    kind,
    key: id,
    subject: accountId,
    request,
    reason,
    before,
    after,
    proposedBy,
    at: proposedAt,
    ...decided,
  })
  const log = (actor: string, action: string, when: number) =>
    world.rows.log.push({ actor, action, subject: accountId, details: { approval_id: id, reason, amount }, at: when })
  log(proposedBy, `${kind} propose`, proposedAt)
  log(decidedBy, `${kind} confirm`, at)
  return `${proposedBy} and ${decidedBy}`
}

/** Credits a wallet; a large credit takes two people. @returns the id of the credit */
export function payIn(world: DemoWorld, account: DemoAccount, purse: Purse, amount: number, at: number): string {
  const { chance, rows } = world
  const id = chance.idAt(at)
  const note = chance.pick(notes)
  const externalId = `momo-${new Date(at).toISOString().slice(0, 10)}-${String(nextCreditNo(world)).padStart(6, '0')}`
  const isLarge = purse === 'main' && amount >= twoPeopleFromPesewas
  const approvalId = isLarge ? chance.idAt(at - 3_600_000) : null
  const request = { accountId: account.id, amount, externalId, note }
  const agreement = { kind: 'wallet credit', accountId: account.id, purse, amount, request, reason: note, sign: 1, at } as const
  const actor = approvalId === null ? chance.pick(people) : agree(world, { ...agreement, id: approvalId })
  const isMoney = purse === 'main'
  rows.credits.push({ id, accountId: account.id, purse, externalId, amount, note, actor, approvalId, at })
  if (approvalId === null) {
    const details = { credit_id: id, amount, external_id: externalId, note }
    rows.log.push({ actor, action: isMoney ? 'wallet credit' : 'sms credit', subject: account.id, details, at })
  }
  world.post(at, {
    causeId: id,
    kind: isMoney ? 'credit' : 'sms_credit',
    accountId: account.id,
    fromPurse: isMoney ? 'top_ups' : 'sms_credit_sales',
    toPurse: purse,
    amount,
    note,
  })
  return id
}

/** Takes back a credit that was typed twice, unless too little of it is left. */
function takeBack(world: DemoWorld, account: DemoAccount, creditId: string, amount: number, at: number): void {
  if (world.balanceOf(account.id, 'main') < amount) return
  const id = world.chance.idAt(at - 3_600_000)
  const reason = 'typed twice'
  const request = { accountId: account.id, amount, creditId }
  const correction = { accountId: account.id, purse: 'main' as const, amount, reason }
  const actor = agree(world, { ...correction, id, kind: 'wallet correct', request, sign: -1, at })
  world.rows.corrections.push({ ...correction, id, creditId, actor, at })
  const purses = { fromPurse: 'main', toPurse: 'top_ups' } as const
  world.post(at, { causeId: id, kind: 'correction', accountId: account.id, ...purses, amount, note: reason })
}

/**
 * Pays money in before a purchase if the wallet holds too little: the smallest multiple of the reseller's usual amount that
 * covers the price.
 */
export function payInBefore(world: DemoWorld, account: DemoAccount, price: number, at: number): void {
  const { chance } = world
  if (world.balanceOf(account.id, 'main') >= price + account.topUpPesewas / 10) return
  const amount = account.topUpPesewas * Math.ceil((price + 1) / account.topUpPesewas)
  payIn(world, account, 'main', amount, at)
  account.creditCount += 1
  if (account.creditCount % creditsPerMistake !== mistakeNo) return
  const creditId = payIn(world, account, 'main', amount, at)
  const correctedAt = at + chance.between(20, 300) * 60_000
  world.agenda.add(correctedAt, () => takeBack(world, account, creditId, amount, correctedAt))
}

/** Buys SMS credits before a campaign that needs more than the account has. */
export function buyCreditsBefore(world: DemoWorld, account: DemoAccount, price: number, at: number): void {
  if (world.balanceOf(account.id, 'sms_credits') >= price) return
  payIn(world, account, 'sms_credits', 500 * Math.ceil((price * 3) / 500), at)
}

/** Leaves a credit that waits for its second person, and one that was refused. */
export function leaveProposals(world: DemoWorld, account: DemoAccount): void {
  const { chance, until } = world
  const propose = (state: 'pending' | 'refused', at: number, amount: number) => {
    const id = chance.idAt(at)
    const externalId = `momo-late-${id.slice(-6)}`
    const request = { accountId: account.id, amount, externalId, note: 'bank transfer' }
    const balance = world.balanceOf(account.id, 'main')
    const decided = state === 'pending' ? { decidedBy: null, decidedAt: null } : { decidedBy: 'esi', decidedAt: at + 5_400_000 }
    world.rows.approvals.push({
      id,
      kind: 'wallet credit',
      key: externalId,
      subject: account.id,
      request,
      reason: 'bank transfer',
      before: inWords('main', balance),
      after: inWords('main', balance + amount),
      proposedBy: 'ama',
      at,
      state,
      ...decided,
    })
  }
  propose('refused', until - 5 * 86_400_000, 450_000)
  propose('pending', until - 7_200_000, 520_000)
}
