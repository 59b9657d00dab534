import type { frameWords as english } from '../../app/words/frame.ts'
import type { Translated } from '../translated.ts'

export const frameWords: Translated<typeof english> = {}
