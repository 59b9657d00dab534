import { Button, Group, Stack } from '@mantine/core'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { StateOf, type Tone } from '../../both/list/state.tsx'
import { useSavedFields } from '../use-saved-fields.ts'
import { setUpWords } from '../words/set-up.ts'

type SetUp = Schema<'SetUp'>
type Step = SetUp['steps'][number]

/** The state at the end of a step's row: it is next, it waits for the operator, or it comes later. */
function endOf(step: Step, isNext: boolean): { readonly tone: Tone; readonly word: string } {
  if (!isNext) return { tone: 'plain', word: setUpWords.later }
  return { tone: 'wait', word: step.who === 'operator' ? setUpWords.waits : setUpWords.next }
}

type Way = keyof typeof setUpWords.ways

/** The steps of each way to sell, in their order. Who sells by hand needs no policy and no key. */
const stepsOf: Readonly<Record<Way, readonly Step['step'][]>> = {
  hand: ['email', 'phone', 'top_up', 'order', 'two_factor', 'role'],
  program: ['email', 'phone', 'two_factor', 'role', 'policy', 'key', 'approval', 'top_up', 'order'],
}

/** Guesses how the account sells. A finished step of one way is the sign; undefined when there is none. */
function seenWay(isDone: (step: Step['step']) => boolean): Way | undefined {
  if (isDone('policy') || isDone('key')) return 'program'
  return isDone('order') ? 'hand' : undefined
}

/** Asks how the account sells. The steps depend on the answer. */
function AskWay({ onChoose }: { readonly onChoose: (way: Way) => void }) {
  return (
    <Card>
      <b>{setUpWords.question}</b>
      <Stack gap={8} mt={12}>
        {(['hand', 'program'] as const).map((way) => (
          <Button key={way} fullWidth variant={way === 'hand' ? 'filled' : 'default'} onClick={() => onChoose(way)}>
            {setUpWords.ways[way]}
          </Button>
        ))}
      </Stack>
      <p>{setUpWords.questionHint}</p>
    </Card>
  )
}

type OpenStepsProps = {
  readonly steps: readonly Step[]
  readonly way: Way
  readonly isChosen: boolean
  readonly onWay: (way: Way) => void
}

function OpenSteps({ steps, way, isChosen, onWay }: OpenStepsProps) {
  const hiding = useAct(() => post('/app/api/set-up/dismissal'), ['home'])
  const other = way === 'hand' ? 'program' : 'hand'
  const testSide = useRead('test-side', '/app/api/test-side', {}, { enabled: isChosen && way === 'program' })
  return (
    <>
      <Rows label={setUpWords.title}>
        {testSide.data?.is_on === true && testSide.data.side === null && (
          <Row title={setUpWords.tryFirst} detail={setUpWords.tryFirstDetail} href="/developer/test" />
        )}
        {steps.map((step) => {
          const { title, detail, href } = setUpWords.steps[step.step]
          return (
            <Row
              key={step.step}
              title={title}
              detail={detail}
              end={<StateOf {...endOf(step, step === steps[0])} />}
              href={href}
            />
          )
        })}
      </Rows>
      <Group justify="space-between" gap="0 16px" mt={8}>
        <Button variant="subtle" px={0} onClick={() => onWay(other)}>
          {setUpWords.stepsFor[other]}
        </Button>
        <Button variant="subtle" px={0} loading={hiding.isPending} onClick={() => hiding.mutate()}>
          {setUpWords.dismiss}
        </Button>
      </Group>
    </>
  )
}

/** A phone number is optional, so it is a step only while a typed number is not confirmed. */
const isSeen = ({ step, is_done: isDone }: Step) => step !== 'phone' || !isDone

/** The steps from the sign-up to the first order, on Home until they are done or hidden. */
export function SetUpList({ setUp }: { readonly setUp: SetUp }) {
  const [kept, keep] = useSavedFields<{ way: Way | '' }>('set-up', { way: '' })
  const found = (name: Step['step']) => setUp.steps.find(({ step }) => step === name)
  const way = kept.way || seenWay((name) => found(name)?.is_done === true)
  const steps = (way ? stepsOf[way] : []).flatMap((name) => found(name) ?? []).filter(isSeen)
  const open = steps.filter(({ is_done }) => !is_done)
  if (setUp.is_dismissed || setUp.steps.every(({ is_done }) => is_done) || (way && open.length === 0)) return null
  const choose = (chosen: Way) => keep({ way: chosen })
  return (
    <Section title={setUpWords.title} end={way && <small>{setUpWords.progress(steps.length - open.length, steps.length)}</small>}>
      {way ? <OpenSteps isChosen={kept.way !== ''} steps={open} way={way} onWay={choose} /> : <AskWay onChoose={choose} />}
    </Section>
  )
}
