import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { linksWords } from '../words/suppliers.ts'

type Link = Schema<'SmsLinkList'>['links'][number]
type Server = Schema<'RegistrationServerList'>['servers'][number]

/** The links are read this often, because no topic reports that a link was bound or lost. */
const seenMilliseconds = 5_000

const linkTones = { bound: 'done', down: 'fail', not_held: 'wait' } as const

const linkColumns: readonly Column<Link>[] = [
  { title: linksWords.link, show: ({ supplier }) => supplier, isMain: true },
  { title: fieldWords.state, show: ({ state }) => <State tone={linkTones[state]}>{linksWords[state]}</State> },
  { title: linksWords.window, show: ({ window }) => window, isFigure: true },
  {
    title: linksWords.pace,
    show: ({ per_second: perSecond }) => (perSecond === null ? fieldWords.noLimit : linksWords.perSecond(perSecond)),
    isFigure: true,
  },
  { title: linksWords.seen, show: ({ seen_at: at }) => (at === null ? linksWords.never : <Moment at={at} />) },
]

function ServerState({ server }: { readonly server: Server }) {
  if (!server.is_usable) return <State tone="fail">{linksWords.unusable}</State>
  if (server.away_since === null) return <State tone="done">{linksWords.there}</State>
  return (
    <>
      <State tone="fail">{linksWords.away}</State> {linksWords.awaySince} <Moment at={server.away_since} />
    </>
  )
}

const serverColumns: readonly Column<Server>[] = [
  { title: linksWords.servers, show: ({ server }) => linksWords.server(server), isMain: true },
  { title: linksWords.keptBy, show: ({ supplier }) => supplier },
  {
    title: fieldWords.state,
    show: (server) => (
      <>
        <ServerState server={server} />
        {!server.is_accepted && <p className="soft fine">{linksWords.notAccepted}</p>}
      </>
    ),
  },
]

/** The links over which SMS are sent, and the servers that know which numbers are registered. */
export function LinksSection() {
  const links = useRead('suppliers', '/desk/api/sms-links', {}, { refetchInterval: seenMilliseconds })
  const servers = useRead('suppliers', '/desk/api/registration-servers')
  return (
    <>
      <Section title={linksWords.sms}>
        <QueryAnswer query={links}>
          {(answer) => (
            <TableOrCards
              label={linksWords.sms}
              columns={linkColumns}
              rows={answer.links}
              keyOf={({ supplier }) => supplier}
              empty={{ title: linksWords.noLinks, next: linksWords.noLinksDetail }}
            />
          )}
        </QueryAnswer>
      </Section>
      <Section title={linksWords.servers}>
        <QueryAnswer query={servers}>
          {(answer) => (
            <TableOrCards
              label={linksWords.servers}
              columns={serverColumns}
              rows={answer.servers}
              keyOf={({ server }) => String(server)}
            />
          )}
        </QueryAnswer>
      </Section>
    </>
  )
}
