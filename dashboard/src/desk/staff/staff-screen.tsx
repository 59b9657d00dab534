import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { staffWords as words } from '../words/staff.ts'
import { InviteStaff } from './invite-staff.tsx'
import { LostFactor } from './lost-factor.tsx'
import { PermissionMatrix } from './permission-matrix.tsx'
import { factorOf, StaffPanel } from './staff-panel.tsx'

type Person = Schema<'StaffList'>['staff'][number]

const keyOf = (person: Person) => person.person_id

function lastSeen({ is_invited: isInvited, last_used_at: at }: Person): string {
  if (isInvited) return words.invited
  return at === null ? words.never : relativeMoment(at)
}

const columns: readonly Column<Person>[] = [
  {
    title: fieldWords.person,
    isMain: true,
    show: ({ email, is_you: isYou }) => (isYou ? `${email} (${fieldWords.you})` : email),
  },
  { title: fieldWords.role, show: ({ role }) => frameWords.roles[role] },
  {
    title: fieldWords.secondFactor,
    show: (person) => <State tone={person.has_two_factor ? 'done' : 'wait'}>{factorOf(person)}</State>,
  },
  { title: fieldWords.sessions, isFigure: true, show: ({ sessions }) => sessions },
  { title: words.lastUsed, show: lastSeen },
]

export default function StaffScreen() {
  const { filters, setFilters } = useFilters(['person'])
  const mayManage = useMay('manage_staff')
  const query = useRead(
    'staff',
    '/desk/api/staff',
    {},
    {
      // Polled, because no topic reports sign-ins and changes of second factors.
      refetchInterval: 2_000,
    },
  )
  const chosen = query.data?.staff.find((person) => keyOf(person) === filters.person)
  return (
    <Page title={frameWords.staff} isWide>
      <ListWithPanel
        label={words.panel}
        panel={chosen && <StaffPanel key={chosen.person_id} person={chosen} />}
        onClose={() => setFilters({ person: '' })}
      >
        <p style={{ marginBottom: 12 }}>{words.lead}</p>
        {mayManage && <InviteStaff />}
        <QueryAnswer query={query}>
          {({ staff }) => (
            <TableOrCards
              label={frameWords.staff}
              columns={columns}
              rows={staff}
              keyOf={keyOf}
              onSelect={({ person_id: person }) => setFilters({ person })}
              selectedKey={filters.person}
            />
          )}
        </QueryAnswer>
        {mayManage && <LostFactor />}
        <PermissionMatrix />
      </ListWithPanel>
    </Page>
  )
}
