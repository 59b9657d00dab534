import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { requestWords } from '../words/requests.ts'
import css from './requests.module.css'

/** A status as a sign and a number: accepted, refused, or failed on our side. */
export function StatusState({ status }: { readonly status: number }) {
  return <State tone={status < 400 ? 'done' : status < 500 ? 'wait' : 'fail'}>{status}</State>
}

type Group = Schema<'RefusedCallGroups'>['refused'][number]

/** This many of the most frequent reasons are shown at first, because most people come for the list below. */
const shownFirst = 2

/** Refused requests, grouped by reason: how often, when last, and what to do. */
export function RefusedGroups({ groups }: { readonly groups: readonly Group[] }) {
  const [isAll, setAll] = useState(false)
  if (groups.length === 0) return null
  const shown = isAll ? groups : groups.slice(0, shownFirst)
  return (
    <Section title={requestWords.wrong}>
      <div className={css.groups}>
        {shown.map((group) => (
          <div key={`${group.reason} ${group.status}`}>
            <Card>
              <div className={css.groupHead}>
                <b className={css.path}>{group.reason}</b>
                <StatusState status={group.status} />
              </div>
              <p className="soft fine">
                <Link href={`/requests/${group.last_call_id}`}>{requestWords.times(group.count)}</Link>, {requestWords.last}{' '}
                <Moment at={group.last_at} />
              </p>
              <p>{group.message}</p>
              <p className={css.fix}>
                <b>{requestWords.whatToDo}:</b> {group.fix}
              </p>
            </Card>
          </div>
        ))}
      </div>
      {shown.length < groups.length && (
        <Button variant="subtle" mt={8} onClick={() => setAll(true)}>
          {requestWords.showAll(groups.length)}
        </Button>
      )}
    </Section>
  )
}
