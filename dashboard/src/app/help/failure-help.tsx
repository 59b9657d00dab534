import { Button, Stack } from '@mantine/core'
import { useContext } from 'react'
import { Link } from 'wouter'
import { ApiRefusal } from '../../both/api/call-api.ts'
import { MeContext } from '../me.ts'
import { helpWords as words } from '../words/help.ts'
import { Contacts } from './contacts.tsx'

type Props = {
  /** The failure. Its request id is filled into the report. */
  readonly error?: unknown
  readonly order?: string
  readonly topUp?: string
}

/** Shown beside a failure: ways to contact the operator, and "Report a problem" with what is known about it. */
export default function FailureHelp({ error, order, topUp }: Props) {
  const me = useContext(MeContext)
  const requestId = error instanceof ApiRefusal ? error.requestId : undefined
  const known = Object.entries({ order, top_up: topUp, request: requestId })
  const search = new URLSearchParams(known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  const text = order !== undefined ? words.aboutOrder(order) : topUp !== undefined ? words.aboutTopUp(topUp) : ''
  return (
    <Stack gap={8} mt={16} role="group" aria-label={words.ask}>
      <b>{words.ask}</b>
      <Contacts text={text}>
        {me?.permissions.includes('report_problems') && (
          <Button component={Link} href={search.size === 0 ? '/help' : `/help?${search.toString()}`} variant="default">
            {words.report}
          </Button>
        )}
      </Contacts>
    </Stack>
  )
}
