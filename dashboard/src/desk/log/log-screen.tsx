import type { AnswerOf } from '../../both/api/call-api.ts'
import { pageRows, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { inWords, valueInWords } from '../../both/in-words.ts'
import { FileLink } from '../../both/list/file-link.tsx'
import type { Choice } from '../../both/list/filter-bar.tsx'
import { ListScreen } from '../../both/list/list-screen.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { BeforeAfter } from '../frame/panel.tsx'
import { frameWords } from '../words/frame.ts'
import { logWords as words } from '../words/log.ts'
import { nameAction, sentenceOf } from '../words/log-sentences.ts'
import { ChainState } from './chain-state.tsx'
import { LinePanel } from './line-panel.tsx'
import css from './log.module.css'

type Line = AnswerOf<'/desk/api/log'>['lines'][number]

/** The first change of a line, and the number of its further changes. */
function FirstChange({ changes }: { readonly changes: Line['changes'] }) {
  const [first] = changes
  if (!first) return '—'
  const name = first.name === '' ? '' : `${first.name}: `
  return (
    <span className={css.cell}>
      {name}
      <BeforeAfter before={valueInWords(first.before ?? '—')} after={valueInWords(first.after ?? '—')} />
      {changes.length > 1 && ` ${words.moreChanges(changes.length - 1)}`}
    </span>
  )
}

const columns: readonly Column<Line>[] = [
  { title: words.what, isMain: true, show: sentenceOf },
  { title: fieldWords.when, show: ({ at }) => relativeMoment(at) },
  { title: words.change, show: ({ changes }) => <FirstChange changes={changes} /> },
  { title: fieldWords.reason, show: ({ reason }) => (reason === null ? '—' : inWords(reason)) },
]

type Given = Partial<Record<'actor' | 'action' | 'subject' | 'from' | 'until', string>>

const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text)

/** The filters as the server takes them. Days are those of Accra, whose time is always UTC. */
function askedOf({ actor, action, subject, from, until }: Given) {
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(subject && { subject }),
    ...(isDay(from) && { from: `${from}T00:00:00.000Z` }),
    ...(isDay(until) && { until: `${until}T23:59:59.999Z` }),
  }
}

/** The operator's log: who did what by hand, and the proof that nothing of it was changed. */
export default function LogScreen() {
  const known = useRead('log', '/desk/api/log/actions').data?.actions ?? []
  const actions: Choice[] = known.map((value) => ({ value, label: nameAction(value) }))
  return (
    <ListScreen
      title={frameWords.log}
      lead={words.lead}
      above={() => <ChainState />}
      at="/log"
      chosenIn="line"
      filterLabel={words.filters}
      filters={{
        actor: { label: fieldWords.who, placeholder: words.actorHelp },
        action: { label: words.action, options: actions, any: words.anyAction, isOpen: true },
        subject: { label: fieldWords.about, placeholder: words.subjectHelp },
        from: { label: words.from, type: 'date' },
        until: { label: fieldWords.until, type: 'date' },
      }}
      filterEnd={(filters) => <FileLink href={`/desk/api/log.csv?${new URLSearchParams(askedOf(filters)).toString()}`} />}
      topic="log"
      path="/desk/api/log"
      rows="lines"
      asked={(filters) => ({ ...askedOf(filters), limit: pageRows })}
      cursor="before"
      more={words.more}
      columns={columns}
      keyOf={({ line_id }) => String(line_id)}
      panelLabel={words.panel}
      panel={(_id, line) => line && <LinePanel key={line.line_id} line={line} />}
      empty={() => ({ title: words.none, next: words.noneNext })}
    />
  )
}
