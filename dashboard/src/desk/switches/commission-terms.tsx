import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { networkName } from '../../both/goods-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { percent } from '../../both/money/read-amount.ts'
import { BeforeAfter } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { switchWords } from '../words/switches.ts'
import css from './switches.module.css'

type Page = Schema<'CommissionPage'>

/** A network's rate, or a role's share, of commission. */
type Term = {
  readonly kind: 'rates' | 'shares'
  readonly product: string
  readonly title: string
  /** A network or a role. */
  readonly of: string
  readonly percent: number | null
}

const keyOf = ({ kind, product, of }: Term) => `${kind}/${product}/${of}`
const nameOf = ({ kind, of }: Term) => (kind === 'shares' ? (switchWords.roles[of] ?? of) : networkName(of))

function termsOf({ products }: Page): Term[] {
  return products.flatMap(({ product, title, rates, shares }) => [
    ...rates.map(({ network, percent }) => ({ kind: 'rates' as const, product, title, of: network, percent })),
    ...shares.map(({ role, percent }) => ({ kind: 'shares' as const, product, title, of: role, percent })),
  ])
}

function send({ kind, product, of }: Term, percent: number, reason: string) {
  const body = { percent, reason }
  return kind === 'rates'
    ? post('/desk/api/commission/{product}/rates/{network}', { product, network: of, ...body })
    : post('/desk/api/commission/{product}/shares/{role}', { product, role: of, ...body })
}

function ChangeTerm({ term }: { readonly term: Term }) {
  return (
    <Act
      label={fieldWords.change}
      question={switchWords.commissionQuestion(`${term.title}, ${nameOf(term)}`)}
      reason="needed"
      topics={['switches']}
      button={{ size: 'compact-sm' }}
      fields={{ percent: { kind: 'amount', of: percent, label: fieldWords.percent, initial: term.percent } }}
      run={(reason, given) => send(term, given.percent, reason)}
      effect={({ percent: after }) =>
        after !== undefined && (
          <BeforeAfter before={switchWords.percentValue(term.percent)} after={switchWords.percentValue(after)} />
        )
      }
    />
  )
}

const columns: readonly Column<Term>[] = [
  { title: switchWords.networkOrRole, isMain: true, show: nameOf },
  { title: fieldWords.product, show: ({ title }) => title },
  { title: fieldWords.percent, isFigure: true, show: ({ percent }) => switchWords.percentValue(percent) },
]

const columnsWithChange: readonly Column<Term>[] = [
  ...columns,
  { title: fieldWords.change, isFigure: true, show: (term) => <ChangeTerm key={term.percent} term={term} /> },
]

export function CommissionTerms() {
  const mayChange = useMay('manage_settings')
  const terms = useRead('switches', '/desk/api/commission')
  return (
    <Section title={fieldWords.commission}>
      <p className="soft fine">{switchWords.commissionHelp}</p>
      <QueryAnswer query={terms}>
        {(page) => (
          <div className={css.two}>
            {(['rates', 'shares'] as const).map((kind) => (
              <div key={kind}>
                <h3 className={css.subtitle}>{kind === 'rates' ? switchWords.ofSuppliers : switchWords.ofResellers}</h3>
                <TableOrCards
                  label={kind === 'rates' ? switchWords.ofSuppliers : switchWords.ofResellers}
                  columns={mayChange ? columnsWithChange : columns}
                  rows={termsOf(page).filter((term) => term.kind === kind)}
                  keyOf={keyOf}
                />
              </div>
            ))}
          </div>
        )}
      </QueryAnswer>
    </Section>
  )
}
