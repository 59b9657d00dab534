import Type, { type Static } from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { isDeskUser } from '../../platform/approvals/two-people.ts'
import { Nullable, Omissible, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { NeededAtDesk, Timestamp, WithOptionName } from '../../platform/operations/fields.ts'
import { type Actor, type Given, type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { pageOf } from '../../platform/page-of.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { AfaIdentityView, AfaNote, AfaReference, ReasonAfaBody } from './afa.desk.schemas.ts'
import { afaRefundOnCancel } from './afa.settings.ts'
import { countRegistrations } from './count-registrations.ts'
import { listRegistrations, type RegistrationQuery } from './list-registrations.ts'
import {
  AfaQueueEntry,
  describeRegistrations,
  everyStatus,
  logIdentityAccess,
  PrintedRegistrations,
  printByReference,
  showRegistration,
  statusChoices,
  statusesOf,
} from './show-registrations.ts'
import {
  cancelRegistration,
  claimNextRegistrations,
  claimRegistrations,
  completeRegistration,
  findAccountOf,
  RegistrationStateError,
  takeOverRegistration,
} from './work-registrations.ts'

/** Shared by all actions on registrations. Their commands print the registrations as they are after the action. */
const working = {
  tag: 'AFA',
  permission: 'settle_orders',
  refusals: [400, 409],
  by: 'optional',
  printed: PrintedRegistrations,
  /** Opens the keys before the action: without them the command could not print the registrations afterwards. */
  async find<Typed>({ openSecrets }: OperationDeps, typed: Typed): Promise<Typed> {
    await openSecrets()
    return typed
  },
  text: describeRegistrations,
} as const

const Ended = Type.Object(
  {
    reference: Type.String(),
    status: OneOf(['completed', 'cancelled', 'processing']),
    refundPesewas: Ghs({ description: 'What went back to the wallet, in GHS.' }),
  },
  { title: 'AfaEnded' },
)

type Decided = Given<Static<typeof Ended>> & { readonly lead: string }

/** Shared by the actions on one registration. */
const deciding = {
  ...working,
  output: Ended,
  print: (deps: OperationDeps, { reference, lead }: Decided) => printByReference(deps, [reference], lead),
} as const

/**
 * At the desk, only the person who claimed a registration may end it. A command may end any: its person is not signed in, so no
 * claim can be compared.
 */
const isAtDesk = ({ person }: Actor) => isDeskUser(person.osUser)

const ownerOf = ({ db }: OperationDeps, _actor: Actor, { reference }: { readonly reference: string }) =>
  findAccountOf(db, reference)

/** Translates a request for the list into a query. A list with ended registrations begins with the newest. */
function queryOf(state: (typeof queueStates)[number], me: string): Omit<RegistrationQuery, 'limit'> {
  const choices: Readonly<Record<typeof state, Omit<RegistrationQuery, 'limit'>>> = {
    open: { statuses: statusesOf('open') },
    waiting: { statuses: ['pending'] },
    mine: { statuses: ['processing'], claimedBy: me },
    others: { statuses: ['processing'], claimedByOthersThan: me },
    completed: { statuses: ['completed'], isNewestFirst: true },
    cancelled: { statuses: ['cancelled'], isNewestFirst: true },
    all: { statuses: everyStatus, isNewestFirst: true },
  }
  return choices[state]
}

const queueStates = ['open', 'waiting', 'mine', 'others', 'completed', 'cancelled', 'all'] as const

const lists = [
  operation({
    command: 'afa list',
    example: 'makola afa list',
    summary: 'List registrations, the oldest first',
    input: Type.Object({
      status: OneOf(statusChoices, { default: 'open', description: 'only in this state; open: pending or processing' }),
      reference: Type.Optional(Type.String({ description: 'only this one, whatever its state' })),
      limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 50, description: 'how many at most, up to 1000' }),
      isReveal: Type.Optional(Type.Boolean({ description: 'show the numbers of cards and dates of birth' })),
      reason: Type.Optional(Type.String({ description: 'why they must be seen; goes into the operator’s log' })),
    }),
    output: PrintedRegistrations,
    check: ({ isReveal, reason }) =>
      isReveal && reason === undefined ? '--reason must have a text: why the data must be seen.' : undefined,
    async act({ db, openSecrets }, { actor }, { status, reference, limit, isReveal = false, reason = '' }) {
      const query = { ...(reference !== undefined && { reference }), limit }
      const statuses = statusesOf(reference === undefined ? status : 'all')
      const found = await listRegistrations(db, await openSecrets(), { ...query, statuses })
      if (isReveal) await logIdentityAccess(db, { actor, action: 'afa list --reveal', reason }, found)
      return { orders: found.map((registration) => showRegistration(registration, isReveal)) }
    },
    text: describeRegistrations,
  }),
  operation({
    route: 'GET /afa',
    operationId: 'deskListAfa',
    tag: 'AFA',
    permission: 'see',
    summary: 'AFA registrations: open ones that wait longest first, ended ones newest first',
    input: Type.Object({
      state: OneOf(queueStates, { default: 'open' }),
      reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      after: Type.Optional(Uuid()),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    }),
    output: Type.Object(
      {
        orders: Type.Array(AfaQueueEntry),
        next: Nullable(Uuid({ description: '`after` of the next page.' })),
        counts: Type.Object({
          waiting: Type.Integer(),
          oldestWaiting: Nullable(Timestamp()),
          mine: Type.Integer(),
          others: Type.Integer(),
          oldestClaimed: Nullable(Timestamp()),
        }),
        isFeeRefunded: Type.Boolean({ description: 'Whether the fee of a cancelled registration goes back now.' }),
      },
      { title: 'AfaQueue' },
    ),
    async act({ db, openSecrets }, { actor, may }, { state, limit, ...page }) {
      const keys = await openSecrets()
      const list = (rows: number) => listRegistrations(db, keys, { ...page, ...queryOf(state, actor), limit: rows })
      const [{ rows: found, next }, counts, isFeeRefunded] = await Promise.all([
        pageOf(limit, list, ({ orderId }) => orderId),
        countRegistrations(db, actor),
        readSetting(db, afaRefundOnCancel),
      ])
      const orders = found.map((each) => ({
        ...showRegistration(each),
        isMine: each.claimedBy === actor,
        // Only those who work on registrations see the applicants' data.
        identity: may('settle_orders') ? showRegistration(each).identity : null,
      }))
      return { orders, next, counts, isFeeRefunded }
    },
  }),
]

export const afaOperations = [
  ...lists,
  operation({
    ...working,
    command: 'afa claim [references...]',
    example: 'makola afa claim --next 20 --by ama',
    route: 'POST /afa/claim',
    operationId: 'deskClaimAfa',
    summary: 'Claim registrations to work on: named ones, all or none, or those that wait longest',
    input: Type.Object(
      {
        references: Omissible(Type.Array(AfaReference, { minItems: 1, maxItems: 100 })),
        next: Omissible(Type.Integer({ minimum: 1, maximum: 100, description: 'So many of those that wait longest.' })),
      },
      { title: 'ClaimAfaBody' },
    ),
    output: Type.Object({ references: Type.Array(Type.String()) }, { title: 'AfaClaimed' }),
    check: ({ references = [], next }) =>
      (references.length === 0) === (next === undefined) ? 'Give references, or --next with a number.' : undefined,
    async act({ db }, { actor }, { references: given = [], next }) {
      const named = [...new Set(given)]
      if (next === undefined) await claimRegistrations(db, named, actor)
      const references = next === undefined ? named : await claimNextRegistrations(db, next, actor)
      return { references, lead: `${actor} works on ${references.length} registrations:` }
    },
    print: (deps, { references, lead }) => printByReference(deps, references, lead),
  }),
  operation({
    ...deciding,
    command: 'afa take-over <reference>',
    route: 'POST /afa/take-over',
    operationId: 'deskTakeOverAfa',
    summary: 'Take a registration over from whoever works on it',
    input: ReasonAfaBody,
    async act({ db }, { actor: by }, { reference, reason }) {
      const before = await takeOverRegistration(db, { reference, reason: reason.trim(), by })
      const lead = `${by} works on it, no longer ${before ?? 'nobody'}:`
      return { reference, status: 'processing', refundPesewas: 0, lead } as const
    },
  }),
  operation({
    ...deciding,
    command: 'afa complete <reference>',
    example: 'makola afa complete afa-2026-0001 --note "form 4711"',
    route: 'POST /afa/complete',
    operationId: 'deskCompleteAfa',
    summary: 'Note that the person is registered, with the receipt',
    input: Type.Object(
      {
        reference: AfaReference,
        receipt: NeededAtDesk(
          WithOptionName('note', AfaNote('The number of the form or receipt that proves it; no data of the person.')),
        ),
      },
      { title: 'CompleteAfaBody' },
    ),
    about: ownerOf,
    async act({ db }, who, { reference, receipt }) {
      const decision = { reference, reason: receipt?.trim() ?? null, by: who.actor, isForClaimerOnly: isAtDesk(who) }
      await completeRegistration(db, decision)
      return { reference, status: 'completed', refundPesewas: 0, lead: 'Completed:' } as const
    },
  }),
  operation({
    ...deciding,
    command: 'afa cancel <reference>',
    example: 'makola afa cancel afa-2026-0002 --reason "card number does not exist"',
    route: 'POST /afa/cancel',
    operationId: 'deskCancelAfa',
    isConfirmationNeeded: true,
    summary: 'Cancel a registration; its fee goes back unless `afa_refund_on_cancel` is off',
    input: ReasonAfaBody,
    about: ownerOf,
    async act({ db }, who, { reference, reason }) {
      const decision = { reference, reason: reason.trim(), by: who.actor, isForClaimerOnly: isAtDesk(who) }
      const refundPesewas = pesewas(await cancelRegistration(db, decision))
      const lead = refundPesewas === 0 ? 'Cancelled; the fee was kept:' : `Cancelled; ${formatGhs(refundPesewas)} went back:`
      return { reference, status: 'cancelled', refundPesewas, lead } as const
    },
  }),
  operation({
    route: 'POST /afa/reveal',
    operationId: 'deskRevealAfa',
    tag: 'AFA',
    permission: 'settle_orders',
    isConfirmationNeeded: true,
    refusals: [400, 409],
    summary: 'See a person’s data in the clear; who saw it and why is logged',
    input: ReasonAfaBody,
    output: AfaIdentityView,
    async act({ db, openSecrets }, { actor }, { reference, reason }) {
      const query = { statuses: everyStatus, reference, limit: 1 }
      const [found] = await listRegistrations(db, await openSecrets(), query)
      if (!found) throw new RegistrationStateError(`There is no AFA registration ${JSON.stringify(reference)}.`)
      const { identity, isUnreadable } = showRegistration(found, true)
      if (identity) {
        await logIdentityAccess(db, { actor, action: 'afa reveal', reason: reason.trim() }, [found])
        return identity
      }
      const why = isUnreadable
        ? 'cannot be read: it was altered, or its key is not given'
        : 'was deleted, as it is some time after the end'
      throw new RegistrationStateError(`The identity data of ${reference} ${why}.`)
    },
  }),
]
