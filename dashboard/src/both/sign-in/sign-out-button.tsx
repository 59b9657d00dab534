import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { post } from '../api/call-api.ts'
import { fieldWords } from '../field-words.ts'
import type { Face } from './face.ts'
import { clearAndReload, signOutBy } from './leave.ts'

/** Signs out, and deletes what this browser kept of the person. */
export const useSignOut = (face: Face) =>
  useMutation({
    mutationFn: () => signOutBy(() => post(`${face}/sign-out`)),
    onSuccess: () => clearAndReload(face.replace('/api', '')),
  })

export function SignOutButton({ face, ...button }: ButtonProps & { readonly face: Face }) {
  const signingOut = useSignOut(face)
  return (
    <Button variant="default" mt={24} {...button} loading={signingOut.isPending} onClick={() => signingOut.mutate()}>
      {fieldWords.signOut}
    </Button>
  )
}
