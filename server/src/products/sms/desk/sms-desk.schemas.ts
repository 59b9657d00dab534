import Type from 'typebox'
import { Uuid } from '../../../platform/http/schemas.ts'

export const DeskId = Uuid({ pattern: '^[0-9a-fA-F]{8}-' })

export const NoticeReason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'The account gets it in a notice.',
})
