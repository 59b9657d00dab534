import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer, Waiting } from '../../both/layout/query-states.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, readAmount } from '../../both/money/read-amount.ts'
import { useMay, useMe } from '../me.ts'
import { saveFields } from '../use-saved-fields.ts'
import { topUpWords } from '../words/top-up.ts'
import { PayForm, type PayKind } from './pay-form.tsx'
import css from './top-up.module.css'
import { TopUpAmount } from './top-up-amount.tsx'
import { TopUpList } from './top-up-list.tsx'

/** Loaded when it is chosen: most top-ups go through a gateway. */
const TransferForm = lazy(() => import('./transfer-form.tsx'))
const FloorSection = lazy(() => import('./floor-section.tsx'))

type Ways = Schema<'TopUpWays'>

type Choice = { readonly way: string; readonly title: string; readonly detail: string; readonly kind: PayKind | 'transfer' }

function choicesOf({ ways, transfer_instructions }: Ways): Choice[] {
  const gateways = ways.map(({ way, title, kind }) => {
    return { way, title, kind, detail: kind === 'prompt' ? topUpWords.promptDetail : topUpWords.gatewayDetail }
  })
  if (transfer_instructions === null) return gateways
  return [...gateways, { way: 'transfer', kind: 'transfer', title: topUpWords.transfer, detail: topUpWords.transferDetail }]
}

function WayField({ choices, way, onChange }: { choices: readonly Choice[]; way: string; onChange: (way: string) => void }) {
  return (
    <Section title={topUpWords.how}>
      <fieldset className={css.ways} aria-label={topUpWords.how}>
        {choices.map((choice) => (
          <label key={choice.way} className={css.way}>
            <input
              type="radio"
              name="way"
              value={choice.way}
              checked={choice.way === way}
              onChange={() => onChange(choice.way)}
            />
            <div>
              <b>{choice.title}</b>
              <span>{choice.detail}</span>
            </div>
          </label>
        ))}
      </fieldset>
    </Section>
  )
}

/** Says why a gateway does not take the amount; null when it does. */
function problemOf(text: string, { smallest, largest, left_today: left }: Ways, isTransfer: boolean): string | null {
  const { amount } = readAmount(text, cedis)
  // The field itself shows why a text cannot be read.
  if (amount === undefined || isTransfer) return null
  if (amount < smallest || amount > largest) {
    return topUpWords.between(formatGhs(smallest), formatGhs(largest))
  }
  return amount > left ? topUpWords.leftToday(formatGhs(left)) : null
}

function Form({ ways }: { readonly ways: Ways }) {
  const choices = choicesOf(ways)
  const [params] = useSearchParams()
  const missing = Number(params.get('amount'))
  const [text, setText] = useState(missing > 0 ? Math.max(missing, ways.smallest).toFixed(2) : '')
  const { person_id: personId } = useMe().person
  const keepWay = (topUpId: string) => saveFields(personId, 'buying', { address: params.get('back') ?? '', topUpId })
  const [way, setWay] = useState(choices[0]?.way ?? '')
  const kind = choices.find((choice) => choice.way === way)?.kind ?? 'redirect'
  const isTransfer = kind === 'transfer'
  const problem = problemOf(text, ways, isTransfer)
  const amount = problem === null ? readAmount(text, cedis).amount : undefined
  if (choices.length === 0) return <Empty title={topUpWords.noWay}>{topUpWords.noWayHelp}</Empty>
  const help = isTransfer ? '' : topUpWords.between(formatGhs(ways.smallest), formatGhs(ways.largest))
  return (
    <>
      <TopUpAmount text={text} onChange={setText} help={help} error={problem} />
      <WayField choices={choices} way={way} onChange={setWay} />
      {kind === 'transfer' ? (
        <Suspense fallback={<Waiting />}>
          <TransferForm amount={amount} instructions={ways.transfer_instructions ?? ''} onMade={keepWay} />
        </Suspense>
      ) : (
        <PayForm
          key={way}
          amount={amount}
          way={way}
          kind={kind}
          balance={ways.balance}
          lastPhone={ways.last_phone}
          onMade={keepWay}
        />
      )}
    </>
  )
}

export default function TopUpScreen() {
  const mayTopUp = useMay('top_up')
  const query = useRead('top-up-ways', '/app/api/top-ups/ways')
  const end = query.data && (
    <output aria-label={fieldWords.balance} className={css.help}>
      {formatGhs(query.data.balance)}
    </output>
  )
  return (
    <Page title={fieldWords.topUp} end={end}>
      {mayTopUp && (
        <QueryAnswer query={query} lines={1} height={720}>
          {(ways) => <Form ways={ways} />}
        </QueryAnswer>
      )}
      <Suspense>
        <FloorSection lastPhone={query.data?.last_phone ?? null} />
      </Suspense>
      <TopUpList />
    </Page>
  )
}
