/** What a device can be told: an order that was bought in the app has arrived or has failed, or a top-up is in the wallet. */
export const pushKinds = ['delivered', 'failed', 'credited'] as const
export type PushKind = (typeof pushKinds)[number]
