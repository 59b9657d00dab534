import { Button, Group, Textarea } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { Form } from '../../both/form/form.tsx'
import { bindText } from '../../both/form/typed.ts'
import { useSavedFields } from '../use-saved-fields.ts'
import { helpWords as words } from '../words/help.ts'
import css from './help.module.css'

const names = { order: words.order, top_up: words.topUp, request: words.request } as const
type Known = keyof typeof names

/** The subjects that the address names, and a function that removes one of them from it. Without a name, it removes all. */
function useKnown() {
  const [params, setParams] = useSearchParams()
  const known = (Object.keys(names) as Known[]).flatMap((name) => {
    const value = params.get(name)
    return value ? [[name, value] as const] : []
  })
  const leaveOut = (name?: Known) =>
    setParams(
      known.filter(([each]) => name !== undefined && each !== name).map(([each, value]) => [each, value]),
      {
        replace: true,
      },
    )
  return { known, leaveOut }
}

/** The subjects that are sent with the report, each with a button to leave it out. */
function Attached({ known, leaveOut }: ReturnType<typeof useKnown>) {
  return (
    known.length > 0 && (
      <ul aria-label={words.attached}>
        {known.map(([name, value]) => (
          <Group key={name} component="li" justify="space-between" gap={12} wrap="nowrap" className={css.about}>
            <span>
              {names[name]} <b>{value}</b>
            </span>
            <Button variant="subtle" size="compact-md" flex="none" onClick={() => leaveOut(name)}>
              {words.leaveOut}
            </Button>
          </Group>
        ))}
      </ul>
    )
  )
}

/** A report to the operator. It is about what the address names, unless the person leaves that out. */
export function ReportForm() {
  const [{ text }, keep] = useSavedFields('problem', { text: '' })
  const about = useKnown()
  const sent: Partial<Record<Known, string>> = Object.fromEntries(about.known)
  const sending = useAct(
    () =>
      post('/app/api/problems', {
        text,
        order_reference: sent.order,
        top_up_reference: sent.top_up,
        request_id: sent.request,
      }),
    ['problems'],
    () => {
      keep({ text: '' })
      about.leaveOut()
    },
  )
  return (
    <Form
      label={words.report}
      sending={sending}
      action={words.send}
      isReady={text.trim() !== ''}
      done={sending.isSuccess && text === '' && <p>{words.sent}</p>}
    >
      <Attached {...about} />
      <Textarea
        label={words.text}
        description={words.textHelp}
        required
        autosize
        minRows={3}
        maxRows={14}
        maxLength={1_000}
        {...bindText(text, (changed) => keep({ text: changed }))}
      />
    </Form>
  )
}
