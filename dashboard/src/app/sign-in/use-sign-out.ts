import { useMutation } from '@tanstack/react-query'
import { post } from '../../both/api/call-api.ts'
import { leave } from '../../both/sign-in/leave.ts'

/** Signs out, and deletes what this browser kept of the person. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => post('/app/api/sign-out'),
    onSuccess: () => leave('/app'),
  })
}
