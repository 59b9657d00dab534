import { post } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { columnWords, packageWords as words } from '../words/packages.ts'
import { showCell } from './differences.tsx'
import type { GridPackage, PackageEdit } from './package-calls.ts'
import { PackageStates } from './package-columns.tsx'
import { PackageForm } from './package-form.tsx'
import css from './packages.module.css'

type Offer = GridPackage['offers'][number]

function OfferLine({ row, offer, mayChange }: { readonly row: GridPackage; readonly offer: Offer; readonly mayChange: boolean }) {
  const { supplier, code, cost, closed_at: closedAt, closed_because: because, is_loss: isLoss } = offer
  return (
    <div className={css.offer}>
      <div className={css.offerHead}>
        <b>{supplier}</b>
        <span>
          {formatGhs(cost)} · {code}
        </span>
      </div>
      {supplier === row.supplier && <State tone="done">{words.delivers}</State>}
      {isLoss && <State tone="fail">{words.states.loss}</State>}
      {closedAt !== null && (
        <>
          <State tone="wait">
            {words.closedSince} <Moment at={closedAt} />
          </State>
          <span className={css.note}>{because}</span>
          {mayChange && (
            <Act
              label={words.reopen}
              question={words.reopenQuestion(supplier)}
              topics={['packages', 'alarms']}
              run={() => post('/desk/api/packages/reopen', { network: row.network, volume_gb: row.volume_gb, supplier })}
            >
              <p>{words.reopenHelp}</p>
            </Act>
          )}
        </>
      )}
    </div>
  )
}

function History({ packageId }: { readonly packageId: string }) {
  const query = usePages('packages', '/desk/api/packages/{package_id}/history', { package_id: packageId }, { cursor: 'before' })
  return (
    <MorePages query={query} more={words.historyMore}>
      {(pages) => {
        const changes = pages.flatMap((page) => page.changes)
        if (changes.length === 0) return <p className={css.note}>{words.historyEmpty}</p>
        return (
          <Rows label={words.history}>
            {changes.map(({ change_id: id, at, actor, reason, columns }) => (
              <Row
                key={id}
                title={actor}
                detail={
                  <>
                    {columns.map(({ column, before, after }) => (
                      <span key={column} className={css.note}>
                        {columnWords(column)} {showCell({ column, value: before })} → {showCell({ column, value: after })}
                      </span>
                    ))}
                    {reason !== null && <span className={css.note}>{reason}</span>}
                  </>
                }
                end={<Moment at={at} />}
              />
            ))}
          </Rows>
        )
      }}
    </MorePages>
  )
}

type Props = {
  readonly row: GridPackage
  readonly suppliers: readonly string[]
  readonly networks: readonly GridPackage['network'][]
  readonly onEdit: (edit: PackageEdit, title: string) => void
}

export function PackagePanel({ row, suppliers, networks, onEdit }: Props) {
  const mayChange = useMay('manage_catalogue')
  return (
    <Panel title={`${row.network} ${row.size}`} state={<PackageStates row={row} />}>
      <PackageForm row={row} networks={networks} suppliers={suppliers} mayChange={mayChange} onEdit={onEdit} />
      <Section title={words.offers}>
        {row.offers.length === 0 && <p className={css.note}>{words.noOffers}</p>}
        {row.offers.map((offer) => (
          <OfferLine key={offer.supplier} row={row} offer={offer} mayChange={mayChange} />
        ))}
      </Section>
      <Section title={words.history}>
        <History packageId={row.package_id} />
      </Section>
    </Panel>
  )
}
