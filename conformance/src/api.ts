import { type Answer, Broken, dataOf, Untried } from './answers.ts'

export type KeyType = 'standard' | 'sms' | 'commission'

export type Target = {
  /** With its prefix: `https://shop.example.com/api/v2`. */
  readonly baseUrl: string
  readonly keys: Readonly<Partial<Record<KeyType, string>>>
  /** A run spends at most this many GHS. Repeated with the same run id, it spends nothing more. */
  readonly spendUpTo: number
  /** Every reference begins with it, so a run that is repeated finds its orders and pays nothing again. */
  readonly runId: string
  /** An MTN number that gets the bundles, airtime and texts that are bought. */
  readonly phone?: string | undefined
  /** A DSTV smartcard whose bill is paid with the least amount. */
  readonly smartcard?: string | undefined
}

type Ask = { readonly key?: KeyType | 'none' | { readonly raw: string }; readonly body?: unknown; readonly rawBody?: string }

export type Package = { readonly network: string; readonly volume_gb: number; readonly price: number; readonly size: string }

/** The implementation under test, seen from outside. */
export class Api {
  readonly target: Target
  /** GHS that orders of this run may have cost so far. */
  #spent = 0
  readonly #paid = new Set<string>()

  constructor(target: Target) {
    this.target = target
  }

  get spent(): number {
    return this.#spent
  }

  reference(name: string): string {
    return `${this.target.runId}-${name}`
  }

  get phone(): string {
    if (this.target.phone === undefined) throw new Untried('give --phone, an MTN number that gets what is bought')
    return this.target.phone
  }

  get smartcard(): string {
    if (this.target.smartcard === undefined) throw new Untried('give --smartcard, a DSTV account whose bill is paid')
    return this.target.smartcard
  }

  keyOf(type: KeyType): string {
    const key = this.target.keys[type]
    if (key === undefined) throw new Untried(`give --${type}-key`)
    return key
  }

  /** Sets money aside before an order is sent, once for each reference. */
  setMoneyAside(reference: string, ghs: number): void {
    if (this.#paid.has(reference)) return
    if (this.#spent + ghs > this.target.spendUpTo) {
      throw new Untried(`it costs GHS ${ghs.toFixed(2)}, and ${this.#spent.toFixed(2)} of ${this.target.spendUpTo} are spent`)
    }
    this.#paid.add(reference)
    this.#spent += ghs
  }

  /** Sends a request. After a 429 it waits as long as the answer says, and sends the same again, at most three times. */
  async ask(method: 'GET' | 'POST', path: string, { key = 'standard', body, rawBody }: Ask = {}): Promise<Answer> {
    const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    const authorization = typeof key === 'object' ? key.raw : key === 'none' ? undefined : this.keyOf(key)
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(this.target.baseUrl + path, {
        method,
        headers: {
          ...(authorization !== undefined && { Authorization: authorization }),
          ...(sent !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(sent !== undefined && { body: sent }),
        signal: AbortSignal.timeout(60_000),
        redirect: 'manual',
      })
      const answer = await read(`${method} ${path}`, response)
      const wait = Number(response.headers.get('retry-after') ?? 5)
      if (response.status !== 429 || tries > 3 || wait > 90) return answer
      await new Promise((resolve) => setTimeout(resolve, wait * 1_000))
    }
  }

  async balance(): Promise<number> {
    return dataOf(await this.ask('GET', '/wallet/balance')).balance as number
  }

  /** @throws Untried when no bundle of the network is on sale */
  async findCheapestBundle(network: string): Promise<Package> {
    const { packages } = dataOf(await this.ask('GET', `/packages?network=${network}`)) as { packages: Package[] }
    const [first] = packages.toSorted((a, b) => a.price - b.price)
    if (!first) throw new Untried(`no bundle of ${network} is on sale`)
    return first
  }

  /** The body of a purchase of the cheapest MTN bundle, whose price is set aside. */
  async makePurchaseBody(name: string): Promise<{ network: string; volume_gb: number; recipient: string; reference: string }> {
    const recipient = this.phone
    const { volume_gb, price } = await this.findCheapestBundle('MTN')
    const reference = this.reference(name)
    this.setMoneyAside(reference, price)
    return { network: 'MTN', volume_gb, recipient, reference }
  }
}

async function read(request: string, response: Response): Promise<Answer> {
  const text = await response.text()
  try {
    return { request, status: response.status, headers: response.headers, body: JSON.parse(text) as unknown }
  } catch {
    throw new Broken(`${request} answered ${response.status} with something that is no JSON: ${text.slice(0, 80)}`)
  }
}
