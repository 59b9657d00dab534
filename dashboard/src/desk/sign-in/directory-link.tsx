import { Button } from '@mantine/core'
import { useRead } from '../../both/api/use-read.ts'
import { directoryWords as words } from '../words/directory.ts'

/** Sign-in by the directory, where one is configured. A plain link, because the server redirects the browser to another site. */
export function DirectoryLink() {
  const { data } = useRead('directory', '/desk/api/directory')
  return data?.is_on ? (
    <Button component="a" href="/desk/api/directory/begin" variant="default" fullWidth mt={16}>
      {words.signIn}
    </Button>
  ) : null
}

/** The reason why the sign-in by the directory was refused, in words. The server puts it into the page's address. */
export function directoryRefusal(): string | undefined {
  const reason = new URLSearchParams(window.location.search).get('refused')
  return reason === null ? undefined : (words.refused[reason] ?? words.refused['failed'])
}
