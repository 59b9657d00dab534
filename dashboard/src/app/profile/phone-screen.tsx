import { Stack } from '@mantine/core'
import { useState } from 'react'
import { post, remove, type Schema } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { Act } from '../../both/form/act.tsx'
import { Form } from '../../both/form/form.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { PhoneField } from '../../both/phone-field.tsx'
import { cleanPhone, groupDigits } from '../../both/phones.ts'
import { PlainButton } from '../../both/sign-in/entry-form.tsx'
import { phoneWords as words } from '../words/phone.ts'
import { PhoneCodeField } from './phone-code-field.tsx'

type Own = Schema<'OwnPhone'>

const topics = ['phone', 'home']

/** Asks for a number, sends a code to it, and then asks for the code. */
function NumberForm({ own }: { readonly own: Own }) {
  const [phone, setPhone] = useState(groupDigits(own.asked_phone ?? ''))
  const [code, setCode] = useState('')
  const asking = useAct(() => post('/app/api/phone', { phone: cleanPhone(phone) }), topics)
  const confirming = useAct(
    () => post('/app/api/phone/confirm', { code: code.replaceAll(/\s/g, '') }),
    topics,
    () => {
      asking.reset()
      setPhone('')
      setCode('')
    },
  )
  if (asking.isSuccess) {
    return (
      <>
        <Form sending={confirming} action={words.confirm}>
          <p role="status">{words.sent(phone)}</p>
          <PhoneCodeField value={code} onType={setCode} />
        </Form>
        <PlainButton onClick={asking.reset}>{words.again}</PlainButton>
      </>
    )
  }
  return (
    <Form sending={asking} action={words.send}>
      <PhoneField label={words.field} required value={phone} onType={setPhone} />
    </Form>
  )
}

function Present({ phone }: { readonly phone: string }) {
  return (
    <Rows label={words.title}>
      <Row
        title={groupDigits(phone)}
        detail={<State tone="done">{words.confirmed}</State>}
        end={
          <Act
            label={words.remove}
            question={words.removeQuestion}
            isGrave
            button={{ size: 'compact-sm', variant: 'subtle', color: 'red' }}
            run={() => remove('/app/api/phone')}
            topics={topics}
          >
            <p>{words.removeMeans}</p>
          </Act>
        }
      />
    </Rows>
  )
}

/** The person's phone number, as a second way to a new password. */
export default function PhoneScreen() {
  const query = useRead('phone', '/app/api/phone', {})
  return (
    <Page title={words.title}>
      <QueryAnswer query={query}>
        {(own) => (
          <Stack gap={16}>
            <p>{own.is_offered ? words.lead : words.notOffered}</p>
            {own.phone !== null && <Present phone={own.phone} />}
            {own.is_offered && (
              <Section title={own.phone === null ? words.field : words.change}>
                <NumberForm own={own} />
              </Section>
            )}
            {own.is_offered && <Card>{words.safer}</Card>}
          </Stack>
        )}
      </QueryAnswer>
    </Page>
  )
}
