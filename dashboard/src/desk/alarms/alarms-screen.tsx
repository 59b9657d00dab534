import { Button } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { inWords } from '../../both/in-words.ts'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { State } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { findScreenPath } from '../find/find-screen-path.ts'
import { Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { alarmWords as words } from '../words/alarms.ts'
import { frameWords } from '../words/frame.ts'
import { AlarmTools } from './alarm-tools.tsx'

type Alarm = Schema<'Alarm'>

const columns: readonly Column<Alarm>[] = [
  { title: fieldWords.since, show: ({ raised_at: at }) => <Moment at={at} /> },
  { title: words.alarm, isMain: true, show: ({ name }) => words.titleOf(name) },
  { title: fieldWords.about, show: ({ about }) => inWords(about) },
  {
    title: fieldWords.state,
    show: ({ cleared_at: clearedAt }) =>
      clearedAt === null ? <State tone="wait">{words.stands}</State> : <State tone="done">{words.cleared}</State>,
  },
]

function AlarmPanel({ alarm, onCleared }: { readonly alarm: Alarm; readonly onCleared: () => void }) {
  const { name, subject, about, message, raised_at: raisedAt, last_seen_at: seenAt, cleared_at: clearedAt } = alarm
  const mayClear = useMay('handle_alarms')
  const path = words.pathOf(name)
  const place = path === undefined ? undefined : findScreenPath(path)
  return (
    <Panel title={words.titleOf(name)} detail={inWords(about)}>
      <p>{inWords(message)}</p>
      <Facts
        label={words.alarm}
        facts={{
          [fieldWords.since]: exactMoment(raisedAt),
          [words.lastSeen]: exactMoment(seenAt),
          [words.clearedAt]: clearedAt && exactMoment(clearedAt),
        }}
      />
      {place !== undefined && (
        <Button component={Link} href={place} variant="default">
          {words.toPlace}
        </Button>
      )}
      {mayClear && clearedAt === null && (
        <Act
          label={words.clear}
          question={words.clearQuestion}
          reason="needed"
          reasonLabel={words.clearReason}
          topics={['alarms']}
          run={(reason) => post('/desk/api/alarms/clear', { name, subject, reason })}
          onDone={onCleared}
        >
          <p>
            <b>{words.titleOf(name)}</b>: {inWords(about)}
          </p>
          <p>{words.clearEffect}</p>
        </Act>
      )}
    </Panel>
  )
}

const { open, past } = words

/** Open and past alarms, and the ways in which people get them. */
export default function AlarmsScreen() {
  const [, navigate] = useLocation()
  return (
    <ListScreen
      title={frameWords.alarms}
      above={() => <AlarmTools />}
      at="/alarms"
      views={{ name: 'state', label: words.states, options: { open, past } }}
      topic="alarms"
      path="/desk/api/alarms"
      rows="alarms"
      asked={(_filters, state) => ({ state })}
      more={fieldWords.showOlder}
      columns={columns}
      keyOf={({ alarm_id }) => alarm_id}
      panelLabel={words.alarm}
      panel={(id, alarm) =>
        alarm && <AlarmPanel key={id} alarm={alarm} onCleared={() => navigate(`/alarms${location.search}`, { replace: true })} />
      }
      empty={(_isFiltered, view) => ({ title: view === 'open' ? words.noneOpen : words.nonePast })}
    />
  )
}
