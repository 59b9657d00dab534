import { Button } from '@mantine/core'
import { post, remove, type Schema } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { SendForm } from '../../both/form/send-form.tsx'
import { Card } from '../../both/layout/page.tsx'
import { Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { pushWords as words } from '../words/notices.ts'
import css from './notices.module.css'

type PushDevice = Schema<'PushDevice'>
type Kind = PushDevice['kinds'][number]

const kinds = Object.keys(words.kinds) as Kind[]

/** True when this browser can get push notices. On an iPhone only an app on the home screen can. */
const isPossible = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Asks the person for permission, then the browser's push service. @throws Error with a text for the person */
async function subscribe(key: string) {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(words.denied)
  const registration = await navigator.serviceWorker.getRegistration('/app')
  if (!registration) throw new Error(words.notReady)
  try {
    // An earlier subscription may belong to another key.
    await (await registration.pushManager.getSubscription())?.unsubscribe()
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    const { endpoint = '', keys = {} } = subscription.toJSON()
    return { endpoint, public_key: keys['p256dh'] ?? '', auth_secret: keys['auth'] ?? '' }
  } catch {
    throw new Error(words.noService)
  }
}

function SwitchOff() {
  const off = useAct(() => remove('/app/api/push'), ['push'])
  return (
    <>
      <Button variant="default" loading={off.isPending} onClick={() => off.mutate()}>
        {words.off}
      </Button>
      {off.error && <Failure error={off.error} />}
    </>
  )
}

function PushForm({ device }: { readonly device: PushDevice }) {
  const isOn = device.kinds.length > 0
  return (
    <>
      {isOn && <State tone="done">{words.isOn}</State>}
      <SendForm
        key={device.kinds.join()}
        label={words.title}
        fields={{
          kinds: {
            kind: 'ticks',
            label: words.what,
            options: kinds.map((value) => ({ value, label: words.kinds[value] })),
            initial: isOn ? device.kinds : kinds,
          },
        }}
        action={isOn ? fieldWords.save : words.on}
        run={async ({ kinds: wanted }) => {
          if (wanted.length === 0) throw new Error(words.nothing)
          return post('/app/api/push', { ...(await subscribe(device.key)), kinds: wanted as Kind[] })
        }}
        topics={['push']}
        acts={isOn && <SwitchOff />}
      />
    </>
  )
}

/** Push notices on this device: what they say, which service delivers them, and the switch for them. */
export function PushCard() {
  const query = useRead('push', '/app/api/push')
  return (
    <Card>
      <div className={css.push}>
        <p>{words.lead}</p>
        {isPossible ? (
          <QueryAnswer query={query}>{(device) => <PushForm device={device} />}</QueryAnswer>
        ) : (
          <p className="soft fine">{words.impossible}</p>
        )}
      </div>
    </Card>
  )
}
