import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import ActDialog from '../../both/form/act-dialog.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { readMoment } from '../../both/moments/format-moment.ts'
import { incidentLevels, noticeWords as words } from '../words/notices.ts'

const levels = choicesOf(incidentLevels).map(({ value }) => ({ value, label: words.levelHelp[value] }))

/** The form for a message to all resellers, with the times from which and until which it is shown. */
export function AnnounceForm({ onClose }: { readonly onClose: () => void }) {
  return (
    <ActDialog
      question={words.tellQuestion}
      action={words.send}
      topics={['notices']}
      onClose={onClose}
      fields={{
        level: { kind: 'choice', label: words.level, options: levels, initial: 'trouble' },
        message: { kind: 'text', label: words.message, help: words.messageHelp, isNeeded: true, lengthMax: 300, lines: 3 },
        from: { kind: 'datetime-local', label: words.from, help: words.fromHelp },
        until: { kind: 'datetime-local', label: fieldWords.until, help: words.untilHelp },
      }}
      run={(_reason, { level, message, from, until }) =>
        post('/desk/api/incidents', { level, message, from: readMoment(from), until: readMoment(until) })
      }
    >
      <p>{words.tellEffect}</p>
    </ActDialog>
  )
}
