import { Link } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { showDay } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount } from '../../both/money/format-ghs.ts'
import { type Figure, Figures } from '../frame/figures.tsx'
import { Panel } from '../frame/panel.tsx'
import { reconcileWords, statementWords } from '../words/reconcile.ts'
import { type StatementRow, useStatement } from './ask-reconcile.ts'
import { showAmount } from './difference-state.tsx'
import css from './reconcile.module.css'

function figuresOf(statement: StatementRow): readonly Figure[] {
  const { kinds } = reconcileWords
  const of = (label: string, count: number | null, detail: string, isDifference = true): Figure => ({
    label,
    value: count === null ? fieldWords.none : formatCount(count),
    detail,
    tone: isDifference && (count ?? 0) > 0 ? 'warn' : 'plain',
  })
  const { theirsOurs, byOurs } = statementWords
  const both = theirsOurs(showAmount(statement.amount_differs_theirs), showAmount(statement.amount_differs_ours))
  return [
    of(statementWords.matched, statement.matched, showAmount(statement.matched_amount), false),
    of(kinds.ours_only, statement.ours_only, byOurs(showAmount(statement.ours_only_amount))),
    of(kinds.theirs_only, statement.theirs_only, showAmount(statement.theirs_only_amount)),
    of(kinds.amount_differs, statement.amount_differs, both),
  ]
}

/** The result of the import, for the person who has just made it. */
function JustImported() {
  const { filters } = useFilters(['new', 'explained'])
  const explained = Number(filters.explained ?? 0)
  if (filters.new === undefined) return null
  return (
    <p role="status">
      {filters.new === 'no' && statementWords.again} {explained > 0 && statementWords.explained(explained)}
    </p>
  )
}

/** One imported statement: the results of its lines, with sums, and the lines that could not be read. */
export function StatementPanel({ id }: { readonly id: string }) {
  const query = useStatement(id)
  return (
    <QueryAnswer query={query}>
      {(statement) => (
        <Panel
          title={statement.file_name}
          detail={`${statement.supplier} · ${statementWords.lines} ${formatCount(statement.lines)}`}
        >
          <p className="soft fine">
            {statementWords.imported} <Moment at={statement.imported_at} /> {statementWords.by} {statement.imported_by}
          </p>
          {statement.covers_from !== null && statement.covers_to !== null && (
            <p className="soft fine">
              {statementWords.covers} {showDay(statement.covers_from)} – {showDay(statement.covers_to)}
            </p>
          )}
          <JustImported />
          {statement.matched === null ? (
            <p className="soft fine">{statementWords.notKept}</p>
          ) : (
            <Figures label={statementWords.result} figures={figuresOf(statement)} />
          )}
          {(statement.not_billed ?? 0) > 0 && (
            <p className="soft fine">
              {statementWords.notBilled}: {formatCount(statement.not_billed ?? 0)}
            </p>
          )}
          <p>
            <Link href={`/reconcile?statement=${id}&state=all`}>{statementWords.differences}</Link> · {fieldWords.open}{' '}
            {formatCount(statement.open)}
          </p>
          {statement.unreadable_lines.length > 0 && (
            <>
              <h2 className={css.partTitle}>
                {statementWords.unreadableLines} ({formatCount(statement.unreadable ?? statement.unreadable_lines.length)})
              </h2>
              <ul>
                {statement.unreadable_lines.map(({ line, message }) => (
                  <li key={line}>{statementWords.line(line, message)}</li>
                ))}
              </ul>
            </>
          )}
        </Panel>
      )}
    </QueryAnswer>
  )
}
