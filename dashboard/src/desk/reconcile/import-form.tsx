import { NativeSelect, Progress, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useRefresh } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { emptyFileField } from '../../both/form/empty-file-field.ts'
import { Form } from '../../both/form/form.tsx'
import { bindText } from '../../both/form/typed.ts'
import { Card } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { statementWords } from '../words/reconcile.ts'
import { useFulfillers } from './ask-reconcile.ts'
import css from './reconcile.module.css'
import { sendStatement } from './send-statement.ts'

/** Says why a file cannot be sent; undefined when it can be sent. */
function problemOf(file: File | undefined, bytesMax: number): string | undefined {
  if (file?.size === 0) return statementWords.empty
  if (file && file.size > bytesMax) return statementWords.tooLarge(bytesMax / 1024 / 1024)
  return undefined
}

function SendingBar({ part }: { readonly part: number }) {
  const isSent = part >= 1
  return (
    <div className={css.sending}>
      <p>{isSent ? statementWords.comparing : statementWords.sending(Math.floor(part * 100))}</p>
      <Progress value={part * 100} animated={isSent} aria-label={statementWords.upload} />
    </div>
  )
}

/** The fields of an import while the person fills them in. */
type Draft = { readonly supplier: string; readonly file: File | undefined; readonly from: string; readonly to: string }

type FieldsProps = {
  readonly draft: Draft
  readonly suppliers: readonly string[]
  readonly problem: string | undefined
  readonly onChange: (change: Partial<Draft>) => void
}

function DraftFields({ draft, suppliers, problem, onChange }: FieldsProps) {
  return (
    <div className={css.fields}>
      <NativeSelect
        label={fieldWords.supplier}
        data={[...suppliers]}
        {...bindText(draft.supplier, (value) => onChange({ supplier: value }))}
      />
      <TextInput
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        label={statementWords.file}
        required
        error={problem}
        onClick={(event) => {
          emptyFileField(event)
          onChange({ file: undefined })
        }}
        onChange={({ currentTarget }) => onChange({ file: currentTarget.files?.[0] })}
      />
      <TextInput type="date" label={statementWords.from} {...bindText(draft.from, (value) => onChange({ from: value }))} />
      <TextInput type="date" label={statementWords.to} {...bindText(draft.to, (value) => onChange({ to: value }))} />
    </div>
  )
}

/** Sends a supplier's statement, which the server compares with our attempts, and opens the result. */
function ImportFields({ suppliers, bytesMax }: { readonly suppliers: readonly string[]; readonly bytesMax: number }) {
  const refresh = useRefresh()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState<Draft>({ supplier: suppliers[0] ?? '', file: undefined, from: '', to: '' })
  const [part, setPart] = useState(0)
  const { file } = draft
  const problem = problemOf(file, bytesMax)
  const sending = useMutation({
    mutationFn: (chosen: File) => {
      setPart(0)
      return sendStatement({ ...draft, file: chosen }, setPart)
    },
    onSuccess: async ({ statement_id: id, is_new: isNew, closed_differences: explained }) => {
      await refresh(['reconcile'])
      navigate(`/reconcile?view=statements&statement=${id}&new=${isNew ? 'yes' : 'no'}&explained=${explained}`)
    },
  })
  return (
    <Form
      label={statementWords.upload}
      sending={{ ...sending, mutate: () => file && sending.mutate(file) }}
      action={statementWords.start}
      isReady={file !== undefined && problem === undefined}
      done={sending.isPending && <SendingBar part={part} />}
    >
      <p className="soft fine">{statementWords.help(bytesMax / 1024 / 1024)}</p>
      <DraftFields
        draft={draft}
        suppliers={suppliers}
        problem={problem}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
    </Form>
  )
}

export function ImportForm({ bytesMax }: { readonly bytesMax: number }) {
  const query = useFulfillers()
  return (
    <Card>
      <h2 className={css.cardTitle}>{statementWords.upload}</h2>
      <QueryAnswer query={query} lines={1}>
        {(suppliers) => <ImportFields suppliers={suppliers} bytesMax={bytesMax} />}
      </QueryAnswer>
    </Card>
  )
}
