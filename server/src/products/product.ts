import type { Logger } from 'pino'
import type { Role } from '../accounts/caller.ts'
import type { AuditCheck } from '../money/audit.ts'
import type { CommissionPlan } from '../money/commission-plan.ts'
import type { CostExpectation } from '../money/expected-cost.ts'
import type { Pesewas } from '../money/pesewas.ts'
import type { NumberPlan } from '../networks/number-plan.ts'
import type { CourtesySmsPort } from '../notices/courtesy-sms-port.ts'
import type { ComposeCourtesy } from '../notices/send-courtesy-notices.ts'
import type { Fulfilment } from '../orders/fulfilment.ts'
import type { Intake } from '../orders/intake/place-orders.ts'
import type { OrderKind } from '../orders/order-kind.ts'
import type { ProductFacts } from '../orders/product-facts.ts'
import type { FindOrder } from '../orders/queries/find-order.ts'
import type { ApprovalKind } from '../platform/approvals/approval-kind.ts'
import type { Db } from '../platform/database/database.ts'
import type { Epoch } from '../platform/database/epoch.ts'
import type { Finder } from '../platform/finding/finder.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { Api } from '../platform/http/api.ts'
import type { RateLimit } from '../platform/http/limits/rate-limits.ts'
import type { Refusals } from '../platform/http/refusals.ts'
import type { Metrics } from '../platform/metrics/open-metrics.ts'
import type { Hints } from '../platform/polling/listen-for-hints.ts'
import type { AskDue } from '../platform/polling/share-polls.ts'
import type { SealedColumn } from '../platform/secrets/rotate-secrets.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import type { Setting, Settings } from '../platform/settings/settings.ts'
import type { SupplierRegistry } from '../suppliers/ports.ts'
import type { Routes } from '../suppliers/route-ports.ts'

/** The price of one thing for each role. */
export type RolePrice = { readonly name: string; readonly prices: Readonly<Record<Role, Pesewas>> }

/** What every process has for its products. */
type Parts = {
  readonly db: Db
  readonly epoch: Epoch
  readonly settings: Settings
  readonly suppliers: SupplierRegistry
  readonly routes: Routes
  readonly secretsKeys: SecretsKeys
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/** What the API gives to its products. Both plans are read from memory, and all products share them. */
export type ApiParts = Parts & {
  readonly numberPlan: () => Promise<NumberPlan>
  readonly commissionPlan: () => Promise<CommissionPlan>
}

/** What the worker has for its products. */
export type WorkerParts = Parts & {
  /** What tells at once that something is due; left out, loops look more often. */
  readonly hints?: Hints | undefined
  /** Reads what is due together with the other loops and timers of the worker. */
  readonly askDue: AskDue
}

/** What a product's endpoints use to place and find orders. */
export type Shop = { readonly intake: Intake; readonly findOrder: FindOrder }

/** A product in a running API. */
export type ProductInApi = {
  /** How the intake decides on its orders. */
  readonly kind: OrderKind
  /** Registers the product's endpoints below `/api/v2`. */
  registerRoutes(api: Api, shop: Shop): void
  /** Registers the routes by which a reseller's people buy the product in the dashboard, below `/app/api`. */
  registerMemberRoutes?(app: Api, shop: Shop): void
  /** Registers the routes by which the operator's staff see and change what concerns the product, below `/desk/api`. */
  registerDeskRoutes?(desk: Api, shop: Shop): void
  /** Ends what it does beside requests. */
  stop?(): Promise<void>
}

/** A product in a running worker. */
export type ProductInWorker = {
  /** How the order loop has suppliers fulfil the product's orders. Undefined: the order loop does not send them. */
  readonly fulfilment?: Fulfilment
  /** The product's repeated work besides its orders. */
  readonly timers?: readonly Timer[]
  /** Makes the courtesy messages of its orders. */
  readonly composeCourtesy?: ComposeCourtesy
  /** Sends courtesy messages by SMS. Undefined while no link can send them. */
  courtesySms?(): CourtesySmsPort | undefined
  /** Ends the loops of this product. All loops are told to stop before any of them is waited for. */
  stop?(): Promise<void>
}

/**
 * Everything about a product in one place: its facts, its rules, and how the two processes open it. The processes, the
 * audit, the settings and the commands fold over the list of these (`products/products.ts`).
 */
export type Product = ProductFacts & {
  readonly settings: readonly Setting[]
  /** The limits of the product's endpoints, for the setting `rate_limits`. */
  readonly limits: Readonly<Record<string, RateLimit>>
  /** The product's own refusals, for the documentation. */
  readonly refusals: Refusals
  readonly auditChecks: readonly AuditCheck[]
  /** Columns that hold sealed texts, which must follow when the key changes. */
  readonly sealedColumns: readonly SealedColumn[]
  /** What `makola find` searches of this product, besides its orders. */
  readonly finders: readonly Finder[]
  /** What takes two people. */
  readonly approvalKinds: readonly ApprovalKind[]
  /** What the product's orders should cost at a supplier; undefined where no supplier is paid per order. */
  readonly expectedCost: CostExpectation | undefined
  /** The price of each thing for each role, in the order in which people read them. Left out where all roles pay the same. */
  listRolePrices?(db: Db): Promise<readonly RolePrice[]>
  /** Finds the suppliers that could take an order. Left out where orders are not sent along routes. */
  readonly listCapableSuppliers?: Fulfilment['listCapableSuppliers']
  openForApi(parts: ApiParts): ProductInApi
  openForWorker(parts: WorkerParts): ProductInWorker
}
