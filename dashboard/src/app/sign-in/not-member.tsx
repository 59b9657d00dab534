import { EntryDone } from '../../both/sign-in/entry-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { SignOutButton } from '../../both/sign-in/sign-out-button.tsx'
import { frameWords } from '../words/frame.ts'
import { entryWords } from '../words/sign-in.ts'

/** Shown to signed-in people who are members of no account: staff, and members who were removed. */
export default function NotMember() {
  return (
    <SignInFrame name={frameWords.name}>
      <EntryDone title={entryWords.notMemberTitle}>
        <p>{entryWords.notMember}</p>
        <a href="/desk">{entryWords.toDesk}</a>
        <SignOutButton face="/app/api" />
      </EntryDone>
    </SignInFrame>
  )
}
