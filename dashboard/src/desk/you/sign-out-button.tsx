import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import { leave } from '../../both/sign-in/leave.ts'
import { frameWords } from '../words/frame.ts'

/** Signs out, and forgets what the desk kept of the person under names that begin with `makola.`. */
export function SignOutButton() {
  const signingOut = useMutation({
    mutationFn: () => answerOf(() => api.POST('/desk/api/sign-out')),
    onSuccess: () => leave('/desk'),
  })
  return (
    <Button variant="default" mt={24} loading={signingOut.isPending} onClick={() => signingOut.mutate()}>
      {frameWords.signOut}
    </Button>
  )
}
