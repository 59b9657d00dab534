import type { PushKind } from './push.tables.ts'

/** `tail`: the last digits of the phone number that an order is for. */
export type PushedCause = { readonly id: string; readonly kind: PushKind; readonly tail: string }

/** A notice as the browser shows it: without amounts, names and full phone numbers, as strangers may read a locked phone. */
export type Push = {
  readonly title: string
  readonly body: string
  /** The screen of the app that a tap opens. */
  readonly path: string
}

const sentences: Readonly<Record<PushKind, { one: (tail: string) => string; many: (count: number) => string }>> = {
  failed: {
    one: (tail) => `Your order to …${tail} was not delivered.`,
    many: (count) => `${count} orders were not delivered.`,
  },
  delivered: { one: (tail) => `Your order to …${tail} was delivered.`, many: (count) => `${count} orders were delivered.` },
  credited: { one: () => 'Your top-up is in your wallet.', many: (count) => `${count} top-ups are in your wallet.` },
}

const titles: Readonly<Record<PushKind, string>> = { failed: 'Not delivered', delivered: 'Delivered', credited: 'Money is in' }

/** Composes one message from all notices that wait for a device: failed orders come first. */
export function composePush(causes: readonly PushedCause[]): Push {
  const kinds = (Object.keys(sentences) as PushKind[]).flatMap((kind) => {
    const ofKind = causes.filter((cause) => cause.kind === kind)
    return ofKind.length === 0 ? [] : [{ kind, ofKind }]
  })
  const [first] = kinds
  const lines = kinds.map(({ kind, ofKind }) =>
    ofKind.length === 1 ? sentences[kind].one(ofKind[0]?.tail ?? '') : sentences[kind].many(ofKind.length),
  )
  const path = kinds.every(({ kind }) => kind === 'credited')
    ? '/app/wallet'
    : causes.length === 1
      ? `/app/orders/${causes[0]?.id}`
      : '/app/orders'
  return { title: kinds.length === 1 && first ? titles[first.kind] : 'News of your orders', body: lines.join(' '), path }
}
