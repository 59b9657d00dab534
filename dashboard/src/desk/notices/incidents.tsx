import { Button } from '@mantine/core'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { PagedTable } from '../../both/list/paged-table.tsx'
import { State } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { exactMoment, relativeMoment } from '../../both/moments/format-moment.ts'
import { useMay } from '../me.ts'
import { incidentLevels, noticeWords as words } from '../words/notices.ts'
import { AnnounceForm } from './announce-form.tsx'
import css from './notices.module.css'
import { type Incident, useIncidents } from './use-incidents.ts'

const isOver = ({ ended_at: endedAt, shown_until: until }: Incident) =>
  endedAt !== null || (until !== null && new Date(until) <= new Date())

function IncidentState({ incident }: { readonly incident: Incident }) {
  const { ended_by: endedBy, shown_from: from } = incident
  if (endedBy !== null) return <State tone="plain">{words.endedBy(endedBy)}</State>
  if (isOver(incident)) return <State tone="plain">{words.over}</State>
  if (new Date(from) > new Date()) return <State tone="wait">{words.coming(exactMoment(from))}</State>
  return <State tone="done">{words.shown}</State>
}

function EndIncident({ incident }: { readonly incident: Incident }) {
  const mayEnd = useMay('announce_incidents')
  if (!mayEnd || isOver(incident)) return null
  return (
    <Act
      label={words.end}
      question={words.endQuestion}
      button={{ size: 'compact-sm' }}
      topics={['notices']}
      run={() => post('/desk/api/incidents/{incident_id}/end', { incident_id: incident.incident_id })}
    >
      <p>{incident.message}</p>
      <p>{words.endEffect}</p>
    </Act>
  )
}

const columns: readonly Column<Incident>[] = [
  { title: fieldWords.when, show: ({ announced_at: at }) => <time dateTime={at}>{relativeMoment(at)}</time> },
  {
    title: words.message,
    isMain: true,
    show: ({ level, message }) => (
      <>
        {incidentLevels[level]}: {message}
      </>
    ),
  },
  { title: fieldWords.by, show: ({ announced_by: by }) => by },
  {
    title: fieldWords.state,
    show: (incident) => (
      <span className={css.stateAndAct}>
        <IncidentState incident={incident} /> <EndIncident incident={incident} />
      </span>
    ),
  },
]

type Props = { readonly isAnnouncing: boolean; readonly setAnnouncing: (isAnnouncing: boolean) => void }

/** The messages above the screens of all resellers, and earlier ones. */
export function Incidents({ isAnnouncing, setAnnouncing }: Props) {
  const query = useIncidents()
  const mayAnnounce = useMay('announce_incidents')
  return (
    <Section title={words.incidents} end={mayAnnounce && <Button onClick={() => setAnnouncing(true)}>{words.tell}</Button>}>
      {isAnnouncing && mayAnnounce && <AnnounceForm onClose={() => setAnnouncing(false)} />}
      <PagedTable
        query={query}
        rowsOf={({ incidents }) => incidents}
        more={fieldWords.showOlder}
        label={words.incidents}
        columns={columns}
        keyOf={({ incident_id }) => incident_id}
        empty={{ title: words.noIncidents, next: words.noIncidentsNext }}
      />
    </Section>
  )
}
