import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import look from '../frame/look.module.css'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { personalWords as words } from '../words/personal.ts'

type Erasure = Schema<'Erasure'>
type Exported = Schema<'PersonalData'>

const fields = {
  number: { kind: 'text', label: words.number, help: words.numberHelp, isNeeded: true, lengthMin: 4, lengthMax: 254 },
} as const

function save(text: string, name: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Data of a person: how many rows of each kind, and all rows as files. */
function Found({ found }: { readonly found: Exported }) {
  const { masked, data, text } = found
  return (
    <Card>
      <b>{data.length === 0 ? words.nothing : words.kept(masked)}</b>
      {data.map(({ title, rows }) => (
        <p key={title}>{words.rows(title, rows.length)}</p>
      ))}
      <Group gap={8} mt={12}>
        <Button variant="default" onClick={() => save(text, 'personal-data.txt', 'text/plain')}>
          {words.asText}
        </Button>
        <Button variant="default" onClick={() => save(JSON.stringify(found, null, 2), 'personal-data.json', 'application/json')}>
          {words.asFile}
        </Button>
      </Group>
    </Card>
  )
}

function Acts({ onFound }: { readonly onFound: (found: Exported) => void }) {
  const [said, setSaid] = useState<string>()
  return (
    <>
      <Group gap={8} mb={12}>
        <Act
          label={words.show}
          question={words.showQuestion}
          fields={fields}
          reason="needed"
          reasonHelp={words.reasonHelp}
          topics={['log']}
          run={async (reason, { number }) => onFound(await post('/desk/api/personal-data/export', { number, reason }))}
        >
          <p>{words.showLead}</p>
        </Act>
        <Act
          label={words.erase}
          question={words.eraseQuestion}
          isGrave
          fields={fields}
          reason="needed"
          reasonHelp={words.reasonHelp}
          topics={['log', 'approvals']}
          run={async (reason, { number }) => {
            const { status } = await post('/desk/api/personal-data/erase', { number, reason })
            setSaid(status === 'same_waits' ? words.sameWaits : words.proposed)
          }}
        >
          <p>{words.eraseLead}</p>
        </Act>
      </Group>
      {said !== undefined && <output>{said}</output>}
    </>
  )
}

const columns: readonly Column<Erasure>[] = [
  { title: fieldWords.number, isMain: true, show: ({ masked }) => <span className={look.nowrap}>{masked}</span> },
  {
    title: fieldWords.state,
    show: ({ state, approval_id: id }) =>
      state === 'waiting' ? (
        <Link href={`/approvals/${id}`}>
          <StateOf {...words.states[state]} />
        </Link>
      ) : (
        <StateOf {...words.states[state]} />
      ),
  },
  { title: fieldWords.when, show: ({ asked_at: asked, done_at: done }) => <Moment at={done ?? asked} /> },
  {
    title: words.erased,
    show: ({ erased }) => erased.map(({ title, count }) => <div key={title}>{words.rows(title, count)}</div>),
  },
  {
    title: words.left,
    show: ({ kept }) =>
      kept.map(({ title, count, because, rows }) => (
        <div key={title}>
          {words.rows(title, count)}
          <div className="soft fine">{because}</div>
          <div className="soft fine">{rows.join(', ')}</div>
        </div>
      )),
  },
]

function Erasures() {
  const query = useRead('log', '/desk/api/personal-data/erasures')
  return (
    <Section title={words.erasures}>
      <QueryAnswer query={query} lines={3}>
        {({ erasures }) =>
          erasures.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <TableOrCards label={words.erasures} columns={columns} rows={erasures} keyOf={({ approval_id: id }) => id} />
          )
        }
      </QueryAnswer>
    </Section>
  )
}

/** Shows the data that is kept about a person who asks, and lets two owners erase it. */
export default function PersonalScreen() {
  const [found, setFound] = useState<Exported>()
  const isOwner = useMay('manage_personal_data')
  return (
    <Page title={words.title} isWide end={<Link href="/switches">{frameWords.switches}</Link>}>
      {isOwner ? (
        <>
          <p style={{ marginBottom: 12 }}>{words.lead}</p>
          <Acts onFound={setFound} />
          {found && <Found found={found} />}
          <Erasures />
        </>
      ) : (
        <Empty title={words.onlyOwners} />
      )}
    </Page>
  )
}
