import { Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { bindText } from '../../both/form/typed.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { deskSmsWords } from '../words/sms.ts'
import css from './sms.module.css'

/** Checks any text against the content policy, with the same functions that block campaigns. */
export function CheckText() {
  const [message, setMessage] = useState('')
  const checking = useMutation({ mutationFn: () => post('/desk/api/sms/check-text', { message }) })
  const check = (event: FormEvent) => {
    event.preventDefault()
    checking.mutate()
  }
  const { data } = checking
  return (
    <Section title={deskSmsWords.check}>
      <form className={css.check} onSubmit={check}>
        <Textarea
          label={deskSmsWords.checkLabel}
          description={deskSmsWords.checkHelp}
          maxLength={1000}
          autosize
          minRows={2}
          required
          {...bindText(message, (text) => {
            setMessage(text)
            checking.reset()
          })}
        />
        <div>
          <Button type="submit" variant="light" loading={checking.isPending} disabled={message.trim() === ''}>
            {deskSmsWords.checkButton}
          </Button>
        </div>
        {checking.isError && <Failure error={checking.error} />}
        {data && (
          <output>
            <Card tone={data.blocked_by === null ? 'plain' : 'bad'}>
              <State tone={data.blocked_by === null ? 'done' : 'fail'}>
                {data.blocked_by === null ? deskSmsWords.mayBeSent : deskSmsWords.isBlocked(data.blocked_by)}
              </State>
              {data.blocked_because !== null && <p>{data.blocked_because}</p>}
              <p className="soft fine">
                {deskSmsWords.score(data.receipt_score, data.receipt_score_min)} {deskSmsWords.each(data.segments)}.
              </p>
            </Card>
          </output>
        )}
      </form>
    </Section>
  )
}
