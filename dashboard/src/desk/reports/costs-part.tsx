import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { showDay } from '../../both/moments/format-moment.ts'
import { AmountField } from '../../both/money/amount-field.tsx'
import { type AmountKind, mustReadAmount, percent as percentKind, readAmount, unitCost } from '../../both/money/read-amount.ts'
import { useMay } from '../me.ts'
import { costWords } from '../words/costs.ts'
import { nameOfKey } from '../words/reports.ts'
import css from './reports.module.css'

type Cost = components['schemas']['UnitCost']

type Entered = components['schemas']['EnteredCost']

const paidPart: AmountKind = { ...percentKind, decimals: 4 }

/** An empty field is 0. */
const read = (text: string, kind: AmountKind): number => (text.trim() === '' ? 0 : mustReadAmount(text, kind))

async function enter(cost: Cost, typed: { amount: string; percent: string; from: string; note: string }): Promise<unknown> {
  if (typed.amount.trim() === '' && typed.percent.trim() === '') throw new Error(costWords.noAmount)
  const [amount, percent] = [read(typed.amount, unitCost), read(typed.percent, paidPart)]
  return answerOf(() =>
    api.POST('/desk/api/costs', {
      body: {
        product: cost.product,
        key: cost.key,
        amount,
        percent,
        ...(typed.from !== '' && { from: typed.from }),
        ...(typed.note !== '' && { note: typed.note }),
      },
    }),
  )
}

/** The number of a field that is being typed in; null where it is not one yet. */
const valueOf = (text: string, kind: AmountKind): number | null =>
  text.trim() === '' ? 0 : (readAmount(text, kind).amount ?? null)

function EnterCost({ cost }: { readonly cost: Cost }) {
  const [amount, setAmount] = useState('')
  const [percent, setPercent] = useState('')
  const [from, setFrom] = useState('')
  const isEmpty = amount.trim() === '' && percent.trim() === ''
  const after = isEmpty ? costWords.show(null, null) : costWords.show(valueOf(amount, unitCost), valueOf(percent, paidPart))
  return (
    <Act
      label={costWords.enter}
      question={costWords.question(cost.of, cost.title)}
      reason="possible"
      reasonLabel={costWords.note}
      button={{ size: 'compact-sm' }}
      topics={['reports', 'today']}
      run={(note) => enter(cost, { amount, percent, from, note })}
    >
      <AmountField kind={unitCost} label={costWords.amount(cost.unit)} text={amount} onText={setAmount} />
      {cost.takes_percent && <AmountField kind={paidPart} label={costWords.percent} text={percent} onText={setPercent} />}
      <TextInput
        type="date"
        label={costWords.from}
        description={costWords.fromHelp}
        value={from}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <p>{costWords.becomes(costWords.show(cost.amount, cost.percent), after)}</p>
    </Act>
  )
}

const columns: readonly Column<Cost>[] = [
  { title: costWords.of, isMain: true, show: ({ of, title }) => `${of}: ${title}` },
  {
    title: costWords.cost,
    isFigure: true,
    show: ({ amount, percent, unit }) =>
      amount === null ? costWords.notKnown : costWords.each(costWords.show(amount, percent), unit),
  },
  { title: costWords.since, show: ({ valid_from: from }) => (from === null ? costWords.none : showDay(from)) },
  { title: costWords.by, show: ({ entered_by: by, note }) => [by, note].filter(Boolean).join(', ') || costWords.none },
]
const withActs: readonly Column<Cost>[] = [...columns, { title: costWords.enter, show: (cost) => <EnterCost cost={cost} /> }]

/** The name of an entered cost, or its key where the name is gone. */
const nameOf = ({ product, key }: Entered, costs: readonly Cost[]): string => {
  const cost = costs.find((each) => each.product === product && each.key === key)
  return cost ? `${cost.of}: ${cost.title}` : `${nameOfKey(product)}: ${key}`
}

const historyColumns: readonly Column<Entered & { readonly what: string }>[] = [
  { title: costWords.of, isMain: true, show: ({ what }) => what },
  { title: costWords.cost, isFigure: true, show: ({ amount, percent }) => costWords.show(amount, percent) },
  { title: costWords.since, show: ({ valid_from: from }) => showDay(from) },
  { title: costWords.by, show: ({ entered_by: by, note }) => [by, note].filter(Boolean).join(', ') },
  { title: costWords.enteredAt, show: ({ entered_at: at }) => showDay(at) },
]

/** The costs that no supplier reports. A cost that is missing here makes margins too high. */
export function CostsPart() {
  const mayEnter = useMay('manage_money')
  const query = useQuery({
    queryKey: ['reports', 'costs'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/costs', { signal })),
  })
  return (
    <Asked query={query} lines={6}>
      {({ costs, history }) => (
        <>
          <p className={`${css.remarks} ${css.lead}`}>{costWords.lead}</p>
          <TableOrCards
            label={costWords.title}
            columns={mayEnter ? withActs : columns}
            rows={costs}
            keyOf={({ product, key }) => `${product} ${key}`}
          />
          {history.length > 0 && (
            <Section title={costWords.history}>
              <TableOrCards
                label={costWords.history}
                columns={historyColumns}
                rows={history.map((entry) => ({ ...entry, what: nameOf(entry, costs) }))}
                keyOf={({ cost_no: no }) => String(no)}
              />
            </Section>
          )}
        </>
      )}
    </Asked>
  )
}
