import type { Schema } from '../../both/api/call-api.ts'
import { pageRows } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { ListScreen } from '../../both/list/list-screen.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { Figures } from '../frame/figures.tsx'
import { useMay } from '../me.ts'
import { afaWords } from '../words/afa.ts'
import { frameWords } from '../words/frame.ts'
import css from './afa.module.css'
import { Claim, ExportMine, nameOf, type Registration } from './afa-acts.tsx'
import { AfaPanel, AfaState } from './afa-panel.tsx'

type Queue = Schema<'AfaQueue'>

/** A registration that waits longer than this asks for attention. */
const patienceHours = 24

function Waits({ registration: { created_at: at, status } }: { readonly registration: Registration }) {
  const hours = (Date.now() - new Date(at).getTime()) / 3_600_000
  return (
    <span className={status === 'pending' && hours > patienceHours ? css.old : undefined}>
      <Moment at={at} />
    </span>
  )
}

const columns: readonly Column<Registration>[] = [
  { title: fieldWords.person, isMain: true, show: nameOf },
  { title: fieldWords.state, show: (registration) => <AfaState registration={registration} /> },
  { title: afaWords.waits, show: (registration) => <Waits registration={registration} /> },
  { title: afaWords.reseller, show: ({ account_name }) => account_name },
  { title: fieldWords.reference, show: ({ reference }) => <span className={css.reference}>{reference}</span> },
  { title: fieldWords.fee, isFigure: true, show: ({ fee }) => formatGhs(fee) },
]

function QueueFigures({ counts }: { readonly counts: Queue['counts'] }) {
  const { waiting, mine, others, oldest_waiting: oldest, oldest_claimed: longest } = counts
  const isOld = oldest !== null && Date.now() - new Date(oldest).getTime() > patienceHours * 3_600_000
  return (
    <Figures
      label={afaWords.figures}
      figures={[
        {
          label: fieldWords.waiting,
          value: formatCount(waiting),
          detail: oldest === null ? afaWords.nobodyWaits : afaWords.oldest(relativeMoment(oldest)),
          tone: isOld ? 'warn' : 'plain',
        },
        { label: afaWords.mine, value: formatCount(mine) },
        {
          label: afaWords.others,
          value: formatCount(others),
          ...(longest !== null && { detail: afaWords.longest(relativeMoment(longest)) }),
        },
      ]}
    />
  )
}

function ClaimTicked({ ticked, onDone }: { readonly ticked: readonly Registration[]; readonly onDone: () => void }) {
  const references = ticked.filter(({ status }) => status === 'pending').map(({ reference }) => reference)
  const { length: count } = references
  if (count === 0) return null
  return (
    <Claim
      label={afaWords.claimMany(count)}
      question={afaWords.claimManyQuestion(count)}
      claimed={{ references }}
      onDone={onDone}
    />
  )
}

/** The queue of AFA registrations, those that wait longest first. */
export default function AfaScreen() {
  const mayWork = useMay('settle_orders')
  return (
    <ListScreen
      title={frameWords.afa}
      end={({ first, onActed }) =>
        mayWork && (
          <div className={css.ends}>
            {first !== undefined && first.counts.mine > 0 && <ExportMine count={first.counts.mine} />}
            <Claim label={afaWords.claimNext} question={afaWords.claimNextQuestion} claimed={{ next: 10 }} onDone={onActed} />
          </div>
        )
      }
      above={({ first }) => first && <QueueFigures counts={first.counts} />}
      at="/afa"
      chosenIn="order"
      filters={{
        state: { label: fieldWords.show, options: choicesOf(afaWords.states) },
        reference: { label: fieldWords.reference, type: 'search', lengthMax: 100 },
      }}
      filterAction={fieldWords.find}
      // A search covers all registrations, ended ones too. Without a search, the queue is shown again.
      settle={(next, { reference = '' }) =>
        next['reference'] === reference ? next : { ...next, state: next['reference'] === '' ? '' : 'all' }
      }
      topic="afa"
      path="/desk/api/afa"
      rows="orders"
      asked={({ state = 'open', reference }) => ({ state, reference, limit: pageRows })}
      more={fieldWords.more}
      label={afaWords.queue}
      columns={columns}
      keyOf={({ order_id }) => order_id}
      panelLabel={afaWords.panel}
      panel={(id, registration, { first, onActed }) =>
        registration && (
          <AfaPanel key={id} registration={registration} isRefunded={first?.is_fee_refunded ?? true} onDone={onActed} />
        )
      }
      empty={(isFiltered) =>
        isFiltered
          ? { title: afaWords.noneFound, next: afaWords.noneFoundHelp }
          : { title: afaWords.none, next: afaWords.noneHelp }
      }
      acts={mayWork ? (ticked, clear) => <ClaimTicked ticked={ticked} onDone={clear} /> : undefined}
    />
  )
}
