/** The kinds of push notices: an order bought in the app was delivered or has failed, or a top-up was credited. */
export const pushKinds = ['delivered', 'failed', 'credited'] as const
export type PushKind = (typeof pushKinds)[number]
