import { Stack } from '@mantine/core'
import { helpWords as words } from '../words/help.ts'
import { Contacts } from './contacts.tsx'

/** For somebody at the sign-in who has neither the second factor nor a back-up code. */
export default function LostFactor() {
  return (
    <Stack component="section" gap={8} mt={16} aria-label={words.lostTitle}>
      <b>{words.lostTitle}</b>
      <p>{words.lost}</p>
      <Contacts />
    </Stack>
  )
}
