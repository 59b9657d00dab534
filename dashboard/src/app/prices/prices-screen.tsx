import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { get, put, type Schema } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { cedisOrNone, readAmount } from '../../both/money/read-amount.ts'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { priceWords } from '../words/prices.ts'
import { MarginRules, ruledProducts, ruleOfTyped, type TypedRule, typedRuleOf } from './margin-rules.tsx'
import type { OwnPrice } from './own-price-of.ts'
import { PriceRows } from './price-rows.tsx'
import { itemsOfShops, type PricedItem, priceListOf } from './priced-items.ts'
import css from './prices.module.css'
import { ProfitCard } from './profit-card.tsx'
import { ShareList } from './share-list.tsx'

type Found = {
  readonly items: readonly PricedItem[]
  readonly prices: readonly OwnPrice[]
  readonly shop: Schema<'Shop'>
}

const keyOf = ({ product, item }: Pick<OwnPrice, 'product' | 'item'>) => `${product} ${item}`
const priceOf = (prices: readonly OwnPrice[], item: PricedItem): number | null =>
  prices.find((each) => keyOf(each) === keyOf(item))?.price ?? null

/** The entries that are not the same in `saved`. */
const without = <T,>(now: Readonly<Record<string, T>>, saved: object): Readonly<Record<string, T>> => {
  const before = new Map(Object.entries(saved))
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => before.get(key) !== value))
}

/** Keeps the typed prices and rules until they are saved, and makes of them the rules to send. */
function useTyped({ items, prices }: Found) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [rules, setRules] = useState<Readonly<Record<string, TypedRule>>>({})
  const textOf = (item: PricedItem) => texts[keyOf(item)] ?? priceOf(prices, item)?.toFixed(2) ?? ''
  const ruleOf = (product: string) => rules[product] ?? typedRuleOf(prices, product)
  const typedItems = items.filter((item) => keyOf(item) in texts)
  const typedRules = ruledProducts.filter((product) => product in rules)
  const isReadable =
    typedItems.every((item) => readAmount(textOf(item), cedisOrNone).problem === undefined) &&
    typedRules.every((product) => ruleOfTyped(product, ruleOf(product)) !== undefined)
  const changed = (): OwnPrice[] => [
    ...typedItems.map((item) => ({
      product: item.product,
      item: item.item,
      price: readAmount(textOf(item), cedisOrNone).amount ?? null,
      add: null,
      percent: null,
    })),
    ...typedRules.flatMap((product) => ruleOfTyped(product, ruleOf(product)) ?? []),
  ]
  return {
    textOf,
    ruleOf,
    rules: ruledProducts.flatMap((product) => ruleOfTyped(product, ruleOf(product)) ?? []),
    onText: (item: PricedItem, text: string) => setTexts({ ...texts, [keyOf(item)]: text }),
    onRule: (product: string, rule: TypedRule) => setRules({ ...rules, [product]: rule }),
    isChanged: typedItems.length + typedRules.length > 0,
    isReadable,
    changed,
    typed: { texts, rules },
    /** Forgets what was saved, and keeps what was typed since. */
    forget: (saved: { readonly texts: object; readonly rules: object }) => {
      setTexts((now) => without(now, saved.texts))
      setRules((now) => without(now, saved.rules))
    },
  }
}

function Prices({ found }: { readonly found: Found }) {
  const { items, prices, shop } = found
  const mayChange = useMay('manage_account')
  const typed = useTyped(found)
  const saving = useAct(
    async () => {
      const sent = typed.typed
      await put('/app/api/prices', { prices: typed.changed() })
      return sent
    },
    ['prices', 'profit'],
    typed.forget,
  )
  return (
    <>
      <ShareList list={priceListOf(items, prices, shop)} />
      <Section title={priceWords.packages}>
        <p className="soft">{mayChange ? priceWords.packagesHint : priceWords.ownerOnly}</p>
        <PriceRows {...typed} items={items} mayChange={mayChange} />
      </Section>
      {mayChange && (
        <>
          <Section title={priceWords.rules}>
            <p className="soft">{priceWords.rulesHint}</p>
            <MarginRules {...typed} />
          </Section>
          {saving.isError && <Failure error={saving.error} />}
          <div className={css.save} role="status">
            {typed.isChanged ? (
              <Button fullWidth loading={saving.isPending} disabled={!typed.isReadable} onClick={() => saving.mutate()}>
                {priceWords.save}
              </Button>
            ) : (
              saving.isSuccess && <State tone="done">{priceWords.saved}</State>
            )}
          </div>
        </>
      )}
    </>
  )
}

/** The reseller's own prices, the profit from them, and the price list to send to customers. */
export default function PricesScreen() {
  const mayBuy = useMay('buy')
  const goods = useQuery({
    queryKey: ['priced-goods', mayBuy],
    queryFn: async ({ signal }) => {
      if (!mayBuy) return []
      const [data, vouchers] = await Promise.all([get('/app/api/data', {}, signal), get('/app/api/vouchers', {}, signal)])
      return itemsOfShops(data, vouchers)
    },
  })
  const prices = useRead('prices', '/app/api/prices')
  const shop = useRead('own-shop', '/app/api/shop')
  return (
    <Page title={frameWords.prices} end={<Link href="/shop">{priceWords.shop}</Link>}>
      <ProfitCard />
      <QueryAnswer query={goods}>
        {(items) => (
          <QueryAnswer query={prices}>
            {({ prices: set }) => (
              <QueryAnswer query={shop}>{(own) => <Prices found={{ items, prices: set, shop: own }} />}</QueryAnswer>
            )}
          </QueryAnswer>
        )}
      </QueryAnswer>
    </Page>
  )
}
