import { useMutation } from '@tanstack/react-query'
import { post } from '../../both/api/call-api.ts'
import { leave } from '../../both/sign-in/leave.ts'

/** Signs out, and deletes what the browser kept of the person under names that begin with `makola.`. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => post('/desk/api/sign-out'),
    onSuccess: () => leave('/desk'),
  })
