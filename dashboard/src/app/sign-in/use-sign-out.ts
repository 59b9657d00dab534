import { useMutation } from '@tanstack/react-query'
import { answerOf, api } from '../../shared/api/call-api.ts'
import { leave } from '../../shared/sign-in/leave.ts'

/** Signs out, and leaves nothing of the person in this browser. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => answerOf(() => api.POST('/app/api/sign-out')),
    onSuccess: () => leave('/app'),
  })
}
