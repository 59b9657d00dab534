import { Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { post } from '../../both/api/call-api.ts'
import { Form } from '../../both/form/form.tsx'
import { helpWords as words } from '../words/help.ts'
import { Contacts } from './contacts.tsx'

/** Lets a person at the sign-in report that the second factor is lost, and the back-up codes with it. */
export default function LostFactor() {
  const telling = useMutation({ mutationFn: () => post('/app/api/second-factor/lost') })
  return (
    <Stack component="section" gap={8} mt={16} aria-label={words.lostTitle}>
      <b>{words.lostTitle}</b>
      {telling.isSuccess ? (
        <p role="status">{words.lostTold}</p>
      ) : (
        <Form label={words.lostTitle} sending={telling} action={words.tellLost} button={{ variant: 'light' }}>
          <p>{words.lost}</p>
        </Form>
      )}
      <Contacts />
    </Stack>
  )
}
