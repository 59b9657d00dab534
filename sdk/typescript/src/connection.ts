import { endpoints, type KeyType } from './endpoints.ts'
import { RateLimits } from './rate-limits.ts'
import { type Patience, type Repeated, repeat } from './repeat.ts'

/** The reference that the client made for an order without one, with the order. */
export type MadeReference = { readonly reference: string; readonly endpoint: keyof typeof endpoints; readonly body: object }

export type ClientOptions = Partial<Patience> & {
  /** Where the API is, with its prefix: `https://shop.example.com/api/v2`. */
  readonly baseUrl: string
  /** For data bundles, wallet, vouchers, AFA and the account. */
  readonly standardKey?: string | undefined
  /** For airtime and bills. */
  readonly commissionKey?: string | undefined
  /** For SMS. */
  readonly smsKey?: string | undefined
  /**
   * Called with each reference that the client makes, before the order is sent: store the reference. The client waits for the
   * returned promise, and sends nothing when the call throws.
   */
  readonly onReference?: ((made: MadeReference) => void | Promise<void>) | undefined
  /** Sends requests, such as through a proxy of your own. */
  readonly fetch?: typeof fetch
}

export type CallOptions = Partial<Pick<Patience, 'timeoutSeconds' | 'deadlineSeconds'>> & {
  /**
   * An earlier call with this reference had no clear outcome, perhaps in a process that is gone. Then a refusal of the key
   * or the limit says nothing about that call, and is thrown as `UnclearError`.
   */
  readonly isRepeat?: boolean
}

export type Request = {
  readonly endpoint: keyof typeof endpoints
  readonly path?: string
  readonly query?: object | undefined
  readonly body?: object
  /** The reference of an order; undefined for what places none. */
  readonly reference?: string
}

const usual: Patience = { timeoutSeconds: 30, deadlineSeconds: 120, firstWaitSeconds: 1, longestWaitSeconds: 60 }

/** @throws TypeError when the key would go over the network in the open */
function checkBaseUrl(text: string): string {
  const url = new URL(text)
  const isOwnMachine = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !isOwnMachine) throw new TypeError('baseUrl must begin with https://.')
  return text.replace(/\/+$/, '')
}

/** A random reference for an order that came without one. */
export const newReference = (): string => `auto-${crypto.randomUUID()}`

/** The address, keys, time limits and rate limits that all calls of a client share. */
export class Connection {
  readonly #baseUrl: string
  readonly #keys: Readonly<Record<KeyType, string | undefined>>
  readonly #patience: Patience
  readonly #limits = new RateLimits()
  readonly #fetch: typeof fetch
  readonly #onReference: ClientOptions['onReference']

  constructor(options: ClientOptions) {
    this.#baseUrl = checkBaseUrl(options.baseUrl)
    this.#keys = { standard: options.standardKey, commission: options.commissionKey, sms: options.smsKey }
    this.#patience = {
      timeoutSeconds: options.timeoutSeconds ?? usual.timeoutSeconds,
      deadlineSeconds: options.deadlineSeconds ?? usual.deadlineSeconds,
      firstWaitSeconds: options.firstWaitSeconds ?? usual.firstWaitSeconds,
      longestWaitSeconds: options.longestWaitSeconds ?? usual.longestWaitSeconds,
    }
    this.#fetch = options.fetch ?? fetch
    this.#onReference = options.onReference
  }

  /** Adds a reference to an order that has none, and calls `onReference` with it before anything is sent. */
  async withReference<Order extends { reference?: string | null | undefined }>(
    endpoint: keyof typeof endpoints,
    order: Order,
  ): Promise<Order & { reference: string }> {
    if (order.reference !== undefined && order.reference !== null) return order as Order & { reference: string }
    const reference = newReference()
    const body = { ...order, reference }
    await this.#onReference?.({ reference, endpoint, body })
    return body
  }

  /**
   * Sends a request until its outcome is known or the deadline is over. Returns a refusal and does not throw it.
   * @throws TypeError when the client has no key for the endpoint
   */
  ask({ endpoint, path, query = {}, body, reference }: Request, options: CallOptions = {}): Promise<Repeated> {
    const [method, template, keyType] = endpoints[endpoint]
    const key = this.#keys[keyType]
    if (!key) throw new TypeError(`${endpoint} needs the client's ${keyType}Key.`)
    const search = searchOf(query)
    const patience = { ...this.#patience, ...definedOf(options) }
    return repeat(
      { patience, limits: this.#limits, fetch: this.#fetch },
      {
        endpoint,
        method,
        url: `${this.#baseUrl}${template.replace(/\{\w+\}/, encodeURIComponent(path ?? ''))}${search}`,
        key,
        body: body && JSON.stringify(body),
        reference,
        isRepeat: options.isRepeat ?? false,
      },
    )
  }

  /** @returns the `data` of the answer */
  async read<Found>(request: Request, options?: CallOptions): Promise<Found> {
    const answer = await this.ask(request, options)
    if ('refusal' in answer) throw answer.refusal
    return answer.data as Found
  }
}

function definedOf({ timeoutSeconds, deadlineSeconds }: CallOptions): Partial<Patience> {
  return {
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(deadlineSeconds !== undefined && { deadlineSeconds }),
  }
}

function searchOf(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search.toString()}`
}
