import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Empty } from '../../both/layout/wait.tsx'
import { gigabytes } from '../../both/money/read-amount.ts'
import { buyWords } from '../words/buy.ts'
import { Chips } from './chips.tsx'
import { LinesPurchase } from './lines-purchase.tsx'
import { Shop } from './shop.tsx'
import type { KeptOrder, SendOrders } from './use-lines-purchase.ts'

type DataShop = components['schemas']['DataShop']
type DataNetwork = DataShop['networks'][number]
type DataLine = components['schemas']['DataLinesBody']['lines'][number]

const check = (lines: DataLine[], signal?: AbortSignal) =>
  answerOf(() => api.POST('/app/api/data/check', { body: { lines }, ...(signal && { signal }) }))
const checkClosely = (lines: DataLine[]) => answerOf(() => api.POST('/app/api/data/check-registrations', { body: { lines } }))

const wordsOfOrder = ({ network, size }: KeptOrder) => `${network} ${size} GB`

const wordsOf = (orders: readonly KeptOrder[]) => {
  const kinds = new Set(orders.map(wordsOfOrder))
  return kinds.size === 1 ? `${orders.length} × ${[...kinds].join('')}` : buyWords.count(orders.length)
}

const send: SendOrders = async (orders) => {
  const answer = await answerOf(() =>
    api.POST('/app/api/data/purchase', {
      body: {
        orders: orders.map(({ network, size, recipient, reference, price }) => ({
          network: network as DataNetwork,
          volume_gb: size,
          recipient,
          reference,
          price,
        })),
      },
    }),
  )
  const placed = new Map(answer.orders.map((order) => [order.reference, order]))
  const reasons = new Map(answer.skipped.map(({ recipient, reason }) => [recipient, reason]))
  return {
    results: orders.map((order) => ({
      key: order.reference,
      recipient: order.recipient,
      what: wordsOfOrder(order),
      status: placed.get(order.reference)?.status,
      ...(!placed.has(order.reference) && { reason: reasons.get(order.recipient) }),
    })),
    paid: answer.orders.reduce((sum, { price }) => sum + Math.round(price * 100), 0) / 100,
    balance: answer.new_balance,
  }
}

function Bundles({
  packages,
  volume,
  onVolume,
}: {
  readonly packages: DataShop['packages']
  readonly volume: number | undefined
  readonly onVolume: (volume: number) => void
}) {
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

function DataLines({ shop }: { readonly shop: DataShop }) {
  const [network, setNetwork] = useState<DataNetwork>(shop.networks[0] ?? 'MTN')
  const [wanted, setVolume] = useState<number>()
  const packages = shop.packages.filter((each) => each.network === network)
  const volume = packages.some(({ volume_gb }) => volume_gb === wanted) ? wanted : undefined
  return (
    <LinesPurchase<DataLine>
      product="data"
      balance={shop.balance}
      hint={buyWords.numbersHint}
      kind={gigabytes}
      networks={shop.networks}
      lineOf={(line) => {
        const size = line.size ?? volume
        if (size === undefined) return undefined
        const own = line.network as DataNetwork | undefined
        return { recipient: line.recipient, network: own ?? network, volume_gb: size, is_repeat_meant: line.isRepeatMeant }
      }}
      sizeOf={({ volume_gb }) => volume_gb}
      check={check}
      checkClosely={checkClosely}
      send={send}
      wordsOf={wordsOf}
    >
      <Chips
        legend={buyWords.network}
        value={network}
        onChoose={(value) => setNetwork(value as DataNetwork)}
        choices={shop.networks.map((each) => ({ value: each, label: each }))}
      />
      <Bundles packages={packages} volume={volume} onVolume={setVolume} />
    </LinesPurchase>
  )
}

export function DataForm() {
  return (
    <Shop product="data" read={(signal) => answerOf(() => api.GET('/app/api/data', { signal }))}>
      {(shop) => <DataLines shop={shop} />}
    </Shop>
  )
}
