import { Button } from '@mantine/core'
import { frameWords } from '../words/frame.ts'
import { useSignOut } from './use-sign-out.ts'

export function SignOutButton() {
  const signingOut = useSignOut()
  return (
    <Button variant="default" mt={24} loading={signingOut.isPending} onClick={() => signingOut.mutate()}>
      {frameWords.signOut}
    </Button>
  )
}
