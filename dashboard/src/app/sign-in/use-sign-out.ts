import { useMutation } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import { leave } from '../../both/sign-in/leave.ts'

/** Signs out, and forgets what the app kept of the person in this browser. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => answerOf(() => api.POST('/app/api/sign-out')),
    onSuccess: () => leave('/app'),
  })
}
