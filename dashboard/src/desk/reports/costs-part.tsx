import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { showDay } from '../../both/moments/format-moment.ts'
import { type AmountKind, percent as percentKind, unitCost } from '../../both/money/read-amount.ts'
import { useMay } from '../me.ts'
import { costWords } from '../words/costs.ts'
import { nameOfKey } from '../words/reports.ts'
import css from './reports.module.css'

type Cost = Schema<'UnitCost'>

type Entered = Schema<'EnteredCost'>

const paidPart: AmountKind = { ...percentKind, decimals: 4 }

function EnterCost({ cost }: { readonly cost: Cost }) {
  const { product, key, takes_percent: takesPercent } = cost
  return (
    <Act
      label={costWords.enter}
      question={costWords.question(cost.of, cost.title)}
      reason="possible"
      reasonLabel={costWords.note}
      button={{ size: 'compact-sm' }}
      topics={['reports', 'today']}
      fields={{
        amount: { kind: 'amount', of: unitCost, label: costWords.amount(cost.unit), isOptional: true },
        percent: { kind: 'amount', of: paidPart, label: costWords.percent, isOptional: true, isShown: () => takesPercent },
        from: { kind: 'date', label: costWords.since, help: costWords.fromHelp },
      }}
      // An empty field counts as 0, but one of the two must be filled.
      run={(note, { amount, percent, from }) => {
        if (amount === undefined && percent === undefined) throw new Error(costWords.noAmount)
        return post('/desk/api/costs', {
          product,
          key,
          amount: amount ?? 0,
          percent: percent ?? 0,
          from: from || undefined,
          note: note || undefined,
        })
      }}
      effect={({ amount, percent }) => {
        const isEmpty = amount === undefined && percent === undefined
        const after = isEmpty ? costWords.show(null, null) : costWords.show(amount ?? 0, percent ?? 0)
        return <p>{fieldWords.becomes(costWords.show(cost.amount, cost.percent), after)}</p>
      }}
    />
  )
}

const columns: readonly Column<Cost>[] = [
  { title: fieldWords.what, isMain: true, show: ({ of, title }) => `${of}: ${title}` },
  {
    title: costWords.cost,
    isFigure: true,
    show: ({ amount, percent, unit }) =>
      amount === null ? costWords.notKnown : costWords.each(costWords.show(amount, percent), unit),
  },
  { title: costWords.since, show: ({ valid_from: from }) => (from === null ? fieldWords.none : showDay(from)) },
  { title: costWords.by, show: ({ entered_by: by, note }) => [by, note].filter(Boolean).join(', ') || fieldWords.none },
]
const withActs: readonly Column<Cost>[] = [...columns, { title: costWords.enter, show: (cost) => <EnterCost cost={cost} /> }]

/** The name of an entered cost; when the list no longer has it, its product and key. */
const nameOf = ({ product, key }: Entered, costs: readonly Cost[]): string => {
  const cost = costs.find((each) => each.product === product && each.key === key)
  return cost ? `${cost.of}: ${cost.title}` : `${nameOfKey(product)}: ${key}`
}

const historyColumns: readonly Column<Entered & { readonly what: string }>[] = [
  { title: fieldWords.what, isMain: true, show: ({ what }) => what },
  { title: costWords.cost, isFigure: true, show: ({ amount, percent }) => costWords.show(amount, percent) },
  { title: costWords.since, show: ({ valid_from: from }) => showDay(from) },
  { title: costWords.by, show: ({ entered_by: by, note }) => [by, note].filter(Boolean).join(', ') },
  { title: costWords.enteredAt, show: ({ entered_at: at }) => showDay(at) },
]

/** The costs that no supplier reports. A cost that is missing here makes margins too high. */
export function CostsPart() {
  const mayEnter = useMay('manage_money')
  const query = useRead('reports', '/desk/api/costs')
  return (
    <QueryAnswer query={query} lines={6}>
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
    </QueryAnswer>
  )
}
