import * as z from 'zod'
import { limits } from '../limits.ts'
import { idText } from './shared.ts'

/** Filter and order of audit entries. */
export const logQuery = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(limits.listLimit.max).default(limits.logLimit),
  orderBy: z.string().max(60).optional(),
  actionType: z.enum(['CREATE', 'UPDATE', 'DELETE']).optional(),
  userId: z.string().max(200).optional(),
  userName: z.string().max(200).optional(),
  userEmail: z.string().max(200).optional(),
  /** Id of an entity or manifest, which may be deleted. */
  target: idText.optional(),
  startDate: z.string().max(40).optional(),
  endDate: z.string().max(40).optional(),
})
