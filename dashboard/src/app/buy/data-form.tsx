import { get, post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Empty } from '../../both/layout/wait.tsx'
import { gigabytes } from '../../both/money/read-amount.ts'
import { bundleItem } from '../prices/own-price-of.ts'
import { useKept } from '../use-kept.ts'
import { buyWords } from '../words/buy.ts'
import { Chips } from './chips.tsx'
import type { LineGoods } from './line-goods.ts'
import { LinesForm } from './lines-form.tsx'
import { LinesScreen, type LinesScreenForm } from './lines-screen.tsx'

type DataShop = Schema<'DataShop'>
type DataNetwork = DataShop['networks'][number]
type DataLine = Schema<'DataLinesBody'>['lines'][number]

const data: LineGoods<DataLine> = {
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

type BundlesProps = {
  readonly packages: DataShop['packages']
  readonly volume: number | undefined
  readonly onVolume: (volume: number) => void
}

function Bundles({ packages, volume, onVolume }: BundlesProps) {
  if (packages.length === 0) return <Empty title={buyWords.noBundles} />
  return (
    <Chips
      isGrid
      legend={buyWords.bundle}
      value={volume === undefined ? undefined : String(volume)}
      onChoose={(value) => onVolume(Number(value))}
      choices={packages.map(({ volume_gb, price }) => ({
        value: String(volume_gb),
        label: `${volume_gb} GB`,
        detail: price.toFixed(2),
      }))}
    />
  )
}

function DataLines({ shop, form }: { readonly shop: DataShop; readonly form: LinesScreenForm<DataLine> }) {
  const [wanted, choose] = useKept('buy.data', { network: shop.networks[0] ?? 'MTN', volume: 0 })
  const network = shop.networks.find((each) => each === wanted.network) ?? shop.networks[0] ?? 'MTN'
  const packages = shop.packages.filter((each) => each.network === network)
  const volume = packages.find(({ volume_gb }) => volume_gb === wanted.volume)?.volume_gb
  return (
    <LinesForm
      {...form}
      networks={shop.networks}
      size={volume}
      lineOf={({ recipient, network: own = network, size, isRepeatMeant }) => ({
        recipient,
        network: own as DataNetwork,
        volume_gb: size,
        is_repeat_meant: isRepeatMeant,
      })}
    >
      <Chips
        legend={fieldWords.network}
        value={network}
        onChoose={(value) => choose({ network: value as DataNetwork })}
        choices={shop.networks.map((each) => ({ value: each, label: each }))}
      />
      <Bundles packages={packages} volume={volume} onVolume={(chosen) => choose({ volume: chosen })} />
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
