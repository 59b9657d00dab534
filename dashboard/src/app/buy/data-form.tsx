import { get, post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Empty } from '../../both/layout/query-states.tsx'
import { gigabytes } from '../../both/money/read-amount.ts'
import { bundleItem } from '../prices/own-price-of.ts'
import { useSavedFields } from '../use-saved-fields.ts'
import { buyWords } from '../words/buy.ts'
import { Chips } from './chips.tsx'
import { LinesForm } from './lines-form.tsx'
import type { LinesProduct } from './lines-product.ts'
import { LinesScreen, type LinesScreenForm } from './lines-screen.tsx'
import { readLines } from './read-lines.ts'

type DataShop = Schema<'DataShop'>
type DataNetwork = DataShop['networks'][number]
type DataLine = Schema<'DataLinesBody'>['lines'][number]

const data: LinesProduct<DataLine> = {
  product: 'data',
  hint: buyWords.numbersHint,
  kind: gigabytes,
  check: (lines, signal) => post('/app/api/data/check', { lines }, signal),
  checkClosely: (lines) => post('/app/api/data/check-registrations', { lines }),
  send: async (orders) => {
    const sent = orders.map(({ network, size, recipient, reference, price }) => ({
      network: network as DataNetwork,
      volume_gb: size,
      recipient,
      reference,
      price,
    }))
    const answer = await post('/app/api/data/purchase', { orders: sent })
    const placed = new Map(answer.orders.map((order) => [order.reference, order]))
    const reasons = new Map(answer.skipped.map(({ recipient, reason }) => [recipient, reason]))
    const outcomes = orders.map(({ reference, recipient }) => {
      const order = placed.get(reference)
      return { order, reason: order ? undefined : reasons.get(recipient), paid: order?.price ?? 0 }
    })
    return { outcomes, balance: answer.new_balance }
  },
  wordsOf: ({ network, size }) => `${network} ${size} GB`,
  itemOf: ({ network, size }) => bundleItem(network, size),
}

/** The networks of the numbers in the field: the network that the line names, or else the one of the number's prefix. */
function networksIn(text: string, { networks, prefixes }: DataShop): DataNetwork[] {
  const found = readLines(text, networks, gigabytes).flatMap((line) => {
    if (!line) return []
    const known = prefixes.find(({ prefix }) => line.recipient.startsWith(prefix))?.networks[0]
    return (line.network as DataNetwork | undefined) ?? known ?? []
  })
  return [...new Set(found)]
}

/** A bundle, with its price at each of the chosen networks that has it. */
type Bundle = { readonly volume: number; readonly prices: readonly number[] }

/** The sizes that all of these networks have; all sizes, if they have none in common. */
function bundlesOf(packages: DataShop['packages'], networks: readonly DataNetwork[]): Bundle[] {
  const prices = new Map<number, number[]>()
  for (const { network, volume_gb, price } of packages) {
    if (networks.includes(network)) prices.set(volume_gb, [...(prices.get(volume_gb) ?? []), price])
  }
  const all = [...prices].map(([volume, each]) => ({ volume, prices: each })).toSorted((one, other) => one.volume - other.volume)
  const common = all.filter((bundle) => bundle.prices.length === networks.length)
  return common.length > 0 ? common : all
}

function priceWords(prices: readonly number[]): string {
  const [least, most] = [Math.min(...prices), Math.max(...prices)]
  return least === most ? least.toFixed(2) : `${least.toFixed(2)}–${most.toFixed(2)}`
}

type BundlesProps = {
  readonly networks: readonly string[]
  readonly bundles: readonly Bundle[]
  readonly volume: number | undefined
  readonly onVolume: (volume: number) => void
}

function Bundles({ networks, bundles, volume, onVolume }: BundlesProps) {
  if (bundles.length === 0) return <Empty title={buyWords.noBundles} />
  return (
    <Chips
      isGrid
      legend={`${buyWords.bundle}: ${networks.join(', ')}`}
      value={volume === undefined ? undefined : String(volume)}
      onChoose={(value) => onVolume(Number(value))}
      choices={bundles.map((bundle) => ({
        value: String(bundle.volume),
        label: `${bundle.volume} GB`,
        detail: priceWords(bundle.prices),
      }))}
    />
  )
}

/** The choice in which each phone number decides its network. */
const byNumber = ''

function DataLines({ shop, form }: { readonly shop: DataShop; readonly form: LinesScreenForm<DataLine> }) {
  const [wanted, choose] = useSavedFields('buy.data', { network: byNumber, volume: 0 })
  const chosen = shop.networks.find((each) => each === wanted.network)
  const found = networksIn(form.text, shop)
  const shown = chosen ? [chosen] : found.length > 0 ? found : shop.networks.slice(0, 1)
  const bundles = bundlesOf(shop.packages, shown)
  const volume = bundles.find((bundle) => bundle.volume === wanted.volume)?.volume
  return (
    <LinesForm
      {...form}
      networks={shop.networks}
      size={volume}
      lineOf={({ recipient, network = chosen, size, isRepeatMeant }) => ({
        recipient,
        volume_gb: size,
        is_repeat_meant: isRepeatMeant,
        ...(network && { network: network as DataNetwork }),
      })}
    >
      <Bundles networks={shown} bundles={bundles} volume={volume} onVolume={(size) => choose({ volume: size })} />
      <Chips
        legend={fieldWords.network}
        value={chosen ?? byNumber}
        onChoose={(network) => choose({ network })}
        choices={[
          {
            value: byNumber,
            label: chosen || found.length === 0 ? buyWords.byNumber : `${buyWords.byNumber}: ${found.join(', ')}`,
          },
          ...shop.networks.map((each) => ({ value: each, label: each })),
        ]}
      />
    </LinesForm>
  )
}

export function DataForm() {
  return (
    <LinesScreen goods={data} read={(signal) => get('/app/api/data', {}, signal)}>
      {(shop, form) => <DataLines shop={shop} form={form} />}
    </LinesScreen>
  )
}
