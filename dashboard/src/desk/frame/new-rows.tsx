import { Button } from '@mantine/core'
import { frameWords } from '../words/frame.ts'
import type { LiveRows } from './use-live-rows.ts'

/** Shows above a list that new rows wait, with a button that adds them. */
export function NewRows({ rows: { newCount, showNew } }: { readonly rows: LiveRows<unknown> }) {
  return (
    <div role="status">
      {newCount > 0 && (
        <Button variant="light" size="compact-sm" onClick={showNew}>
          {frameWords.showNew(newCount)}
        </Button>
      )}
    </div>
  )
}
