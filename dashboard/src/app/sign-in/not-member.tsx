import { Button } from '@mantine/core'
import { EntryDone } from '../../both/sign-in/entry-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { frameWords } from '../words/frame.ts'
import { entryWords } from '../words/sign-in.ts'
import { useSignOut } from './use-sign-out.ts'

/** Shown to signed-in people who are members of no account: staff, and members who were removed. */
export default function NotMember() {
  const signingOut = useSignOut()
  return (
    <SignInFrame name={frameWords.name}>
      <EntryDone title={entryWords.notMemberTitle}>
        <p>{entryWords.notMember}</p>
        <a href="/desk">{entryWords.toDesk}</a>
        <Button loading={signingOut.isPending} onClick={() => signingOut.mutate()}>
          {frameWords.signOut}
        </Button>
      </EntryDone>
    </SignInFrame>
  )
}
