import { Link } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { inWords } from '../../both/in-words.ts'
import { Card, Page } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { NewRows } from '../../both/list/paged-table.tsx'
import { StateIcon } from '../../both/list/state.tsx'
import { useSteadyRows } from '../../both/list/use-steady-rows.ts'
import { exactMoment, relativeMoment } from '../../both/moments/format-moment.ts'
import { findScreenPath } from '../find/find-screen-path.ts'
import { needsWords as words } from '../words/needs.ts'
import css from './needs.module.css'
import { type NeedKind, useNeeds } from './use-needs.ts'

type Line = NeedKind['lines'][number] & { readonly key: string; readonly need: string }

/** The server counts no further than this: a count of 100 means 100 or more. */
const countMax = 100

const linesOf = (needs: readonly NeedKind[]): Line[] =>
  needs.flatMap(({ name, lines }) => lines.map((line) => ({ ...line, key: `${name}/${line.id}`, need: name })))

/** Sorts the kinds: the one whose oldest thing waits longest comes first. Kinds in which nothing waits come last. */
const byAge = (needs: readonly NeedKind[]) =>
  needs.toSorted((one, other) => (one.oldest_at ?? '9').localeCompare(other.oldest_at ?? '9'))

function NeedLine({ line, isDone }: { readonly line: Line; readonly isDone: boolean }) {
  const place = findScreenPath(line.path)
  const text = (
    <>
      <span className={css.text}>{inWords(line.text)}</span>
      {isDone ? (
        <span className={css.isDone}>
          <StateIcon tone="done" /> {words.done}
        </span>
      ) : (
        line.at !== null && (
          <time className={css.at} dateTime={line.at} title={exactMoment(line.at)}>
            {relativeMoment(line.at)}
          </time>
        )
      )}
    </>
  )
  return (
    <li className={isDone ? css.doneLine : undefined}>
      {place === undefined ? (
        <span className={css.line}>{text}</span>
      ) : (
        <Link href={place} className={css.line}>
          {text}
        </Link>
      )}
    </li>
  )
}

function NeedCard({
  need,
  lines,
  left,
}: {
  readonly need: NeedKind
  readonly lines: readonly Line[]
  readonly left: ReadonlySet<string>
}) {
  const title = words.titles[need.name] ?? need.name
  const place = findScreenPath(need.path)
  const shown = lines.filter(({ key }) => left.has(key)).length
  const more = need.count - shown
  return (
    <section className={css.card} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        <b className={css.count}>{need.count >= countMax ? words.many : need.count}</b>
        {place !== undefined && <Link href={place}>{words.all}</Link>}
      </header>
      <ul>
        {lines.map((line) => (
          <NeedLine key={line.key} line={line} isDone={!left.has(line.key)} />
        ))}
      </ul>
      {more > 0 && <p className={css.more}>{need.count >= countMax ? words.andMore : words.more(more)}</p>}
    </section>
  )
}

function NothingWaits() {
  const today = findScreenPath('/today')
  return (
    <Card>
      <div className={css.nothing}>
        <StateIcon tone="done" />
        <b>{words.nothing}</b>
        <p>{words.nothingDetail}</p>
        {today !== undefined && <Link href={today}>{words.toToday}</Link>}
      </div>
    </Card>
  )
}

/**
 * The waiting things, by kind. Rows stay in their places while somebody reads, and a thing that is done meanwhile is marked as
 * done.
 */
function Waiting({ needs }: { readonly needs: readonly NeedKind[] }) {
  const kinds = useSteadyRows('kinds', byAge(needs), ({ name }) => name)
  const rows = useSteadyRows('needs', linesOf(byAge(needs)), ({ key }) => key)
  if (needs.length === 0) return <NothingWaits />
  const left = new Set(linesOf(needs).map(({ key }) => key))
  const waiting = new Map(needs.map((need) => [need.name, need]))
  const showNew = () => {
    kinds.showNew()
    rows.showNew()
  }
  return (
    <>
      <NewRows rows={{ ...rows, showNew }} />
      <div className={css.kinds}>
        {kinds.shown.map((kind) => (
          <NeedCard
            key={kind.name}
            need={waiting.get(kind.name) ?? { ...kind, count: 0 }}
            lines={rows.shown.filter(({ need }) => need === kind.name)}
            left={left}
          />
        ))}
      </div>
    </>
  )
}

/** The first screen of the desk: what waits for the person who opened it. */
export default function NeedsScreen() {
  const needs = useNeeds()
  return (
    <Page title={fieldWords.needsYou} isWide>
      <QueryAnswer query={needs}>{(found) => <Waiting needs={found} />}</QueryAnswer>
    </Page>
  )
}
