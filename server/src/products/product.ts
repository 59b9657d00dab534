import type { Logger } from 'pino'
import type { Role } from '../accounts/caller.ts'
import type { AuditCheck } from '../money/audit.ts'
import type { CommissionPlan } from '../money/commission-plan.ts'
import type { CostExpectation } from '../money/expected-cost.ts'
import type { Pesewas } from '../money/pesewas.ts'
import type { NumberPlan } from '../networks/number-plan.ts'
import type { CourtesySmsPort } from '../notices/message-transports.ts'
import type { ComposeCourtesy } from '../notices/send-courtesy-notices.ts'
import type { RecipientHash } from '../orders/forgetting/forget-orders.ts'
import type { Fulfilment } from '../orders/fulfilment.ts'
import type { KeepBack } from '../orders/history/accept-history.ts'
import type { Intake } from '../orders/intake/place-orders.ts'
import type { OrderKind } from '../orders/order-kind.ts'
import type { ProductFacts } from '../orders/product-facts.ts'
import type { FindOrder } from '../orders/queries/find-order.ts'
import type { ApprovalKind } from '../platform/approvals/approval-kind.ts'
import type { Db } from '../platform/database/database.ts'
import type { Epoch } from '../platform/database/epoch.ts'
import type { Finder } from '../platform/finding/finder.ts'
import type { Forgetting } from '../platform/forgetting/forget-old-data.ts'
import type { PersonalSource } from '../platform/forgetting/personal-source.ts'
import type { SalesStop } from '../platform/history/history-watch.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { RateLimit } from '../platform/http/limits/endpoint-limits.ts'
import type { Refusals } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import type { Metrics } from '../platform/metrics/open-metrics.ts'
import type { Hints } from '../platform/polling/listen-for-hints.ts'
import type { AskDue } from '../platform/polling/share-polls.ts'
import type { SealedColumn } from '../platform/secrets/rotate-secrets.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import type { Setting, Settings } from '../platform/settings/settings.ts'
import type { SupplierRegistry } from '../suppliers/ports.ts'
import type { Routes } from '../suppliers/route-ports.ts'

export type RolePrice = { readonly name: string; readonly prices: Readonly<Record<Role, Pesewas>> }

type ProductDeps = {
  readonly db: Db
  readonly epoch: Epoch
  readonly settings: Settings
  readonly suppliers: SupplierRegistry
  readonly routes: Routes
  readonly secretsKeys: SecretsKeys
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/** The parts that the API gives each product. Both plans are cached, and all products share them. */
export type ProductApiDeps = ProductDeps & {
  readonly numberPlan: () => Promise<NumberPlan>
  readonly commissionPlan: () => Promise<CommissionPlan>
}

export type ProductWorkerDeps = ProductDeps & {
  /** Wakes loops when something is due. Absent: loops check more often. */
  readonly hints?: Hints | undefined
  /** Checks for due work together with the other loops and timers of the worker. */
  readonly askDue: AskDue
  /** Hashes the numbers that are forgotten. */
  readonly recipientHash: RecipientHash
  /** While `isSalesStopped()` is true, because the database lost commits, nothing is sent to suppliers or customers. */
  readonly history?: SalesStop | undefined
}

export type OrderFunctions = { readonly intake: Intake; readonly findOrder: FindOrder }

export type ProductInApi = {
  readonly kind: OrderKind
  /** Registers the product's endpoints below `/api/v2`. */
  registerRoutes(api: Api, shop: OrderFunctions): void
  /** Registers the routes by which a reseller's people buy the product, below `/app/api`. */
  registerMemberRoutes?(app: Api, shop: OrderFunctions): void
  /** Registers the staff's routes for the product, below `/desk/api`. */
  registerDeskRoutes?(desk: Api, shop: OrderFunctions): void
  /** Stops the product's background work in the API. */
  stop?(): Promise<void>
}

export type ProductInWorker = {
  /** How the order loop fulfils the product's orders. Undefined: the order loop does not send them. */
  readonly fulfilment?: Fulfilment
  /** Repeated work of the product in the worker, such as alarms and purges. */
  readonly timers?: readonly Timer[]
  /** The product's personal data that is forgotten when it is old, besides the numbers of its orders. */
  readonly forgettings?: readonly Forgetting[]
  readonly composeCourtesy?: ComposeCourtesy
  /** Sends courtesy messages by SMS. Undefined while no link can send them. */
  courtesySms?(): CourtesySmsPort | undefined
  /** Ends the loops of this product. All products get this call before any is awaited. */
  stop?(): Promise<void>
}

/**
 * Everything about a product in one place: its facts, its rules, and how the API and the worker open it. The processes, the
 * audit, the settings and the commands use only the list of these (`products/products.ts`).
 */
export type Product = ProductFacts & {
  /** The switch with which the operator stops and starts the sale of the product. */
  readonly soldWhile: Setting<boolean>
  /** The same for single networks or billers, by their names. Absent: none has a switch. */
  readonly networksSoldWhile?: Readonly<Record<string, Setting<boolean>>>
  readonly settings: readonly Setting[]
  /** The limits of the product's endpoints, for the setting `rate_limits`. */
  readonly limits: Readonly<Record<string, RateLimit>>
  readonly refusals: Refusals
  readonly auditChecks: readonly AuditCheck[]
  /** Columns of sealed texts, which are sealed again when the key changes. */
  readonly sealedColumns: readonly SealedColumn[]
  /** Searches of `makola find` in the product's own tables. Its orders are found without them. */
  readonly finders: readonly Finder[]
  /** The product's own tables with numbers of persons, who may ask to see or erase their data. */
  personalSources?(hash: RecipientHash): readonly PersonalSource[]
  /** Changes of this product that a second person must confirm. */
  readonly approvalKinds: readonly ApprovalKind[]
  /** After the database lost commits: keeps back what may have been sold or sent. Absent: the product has only orders. */
  readonly keepBack?: KeepBack
  /** Expected cost of the product's orders at a supplier; undefined where no supplier is paid per order. */
  readonly expectedCost: CostExpectation | undefined
  /** Prices of each item for each role, in display order. Absent where all roles pay the same. */
  listRolePrices?(db: Db): Promise<readonly RolePrice[]>
  /** Finds the suppliers that could fulfil an order. Absent where orders are not sent along routes. */
  readonly listCapableSuppliers?: Fulfilment['listCapableSuppliers']
  openForApi(parts: ProductApiDeps): ProductInApi
  openForWorker(parts: ProductWorkerDeps): ProductInWorker
}
